"""Free text with its names replaced: kept if every word in it is a replaced name, a number or a word that
Kueue and Kubernetes themselves write; else dropped, for nobody knows what it says.
"""

import re
from collections.abc import Callable

DROPPED = "(redacted {})"
"""What stands for a dropped text; equal texts get equal numbers, so that what was said twice still is."""

_TOKEN = re.compile(r"(?<![/.:@=-])(?:[/.:@=-]*\w+)+(?:'[a-z]+)?")
_NUMBER = re.compile(
    r"[0-9]+(?:[./][0-9]+)?(?:n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|s|ms|µs|ns|h|d)?"
    r"|(?:[0-9.]+(?:h|m|s|ms|µs|ns))+"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z?)?"
)
_SHORT_NUMBER = re.compile(r"[0-9]{1,3}")
_WORDS = frozenset(
    """
    a above accommodate active added admission admissioncheck admissionchecks admissiongated admit admitted
    affected affinity after again all allocatable allow allows already amount an and annotation another any
    api are as assign assigned at autoscaler availability available back backoff base be because been before
    behind being below boost borrow borrowed borrowing but by bypassed cached can can't candidates cannot
    capacity change changed check checks claims cluster cluster's clusterqueue clusterqueues clusters cohort
    cohorts complete completed completing condition configuration considered constraints container
    containers could couldn't cpu create created current data deactivated deallocate declared default
    deleted demand deployment deployments did didn't does doesn't doing domain domains don't due during
    effective enough ephemeral-storage equivalent error evaluated evaluation evicted evicting eviction
    exceed exceeded exceeds excluded exec exhausted exist existing exists expected expired failed failing
    failure fair false fewer field file finished first fit fits flavor flavors for forbidden found from gate
    gated gates get gone group guessed had has have head higher hold holds hostname if in inactive
    inadmissible incoming insufficient into invalid is isn't it its job jobs jobuid label labels larger
    later least lent less level levels limit limitrange limits line local localqueue localqueues longer lost
    lower manager manifests match matched matching max maximum memory migration min minimum minutes missing
    mode moment more most multikueue multiple must name namespace namespaces needed needs never new newest
    nil no nocandidates node nodepool nodepools nodes noexecute nominal none noschedule not number object
    objects of on one only open or orphan other others out outcome outside over overhead overlapping own
    owner part passed path pending pod pod's pods pods' podset podsets podsready policy possible preempt
    preempted preemptee preempting preemption preemptionmode preemptions preemptor prefernoschedule previous
    previously priorities prioritization priority processing progressed provisioning queue queued queueing
    queues quota ratio reached reactivated read readiness reads ready reason recently reclaim reclaimable
    reclamation recovered recovery reference references refused rejected rejection released removed replaced
    replacement replica replicas replicaset request requested requests requeued requires reservation
    reserved reset resource resourceflavor resourceflavors resources restarted resumed retry retrying root
    runnable running s same satisfied satisfy scaled schedulable scheduler scheduling second seconds
    selector served server set share sharing since single size skipping slice slices so some spec specified
    stale started state statefulset status still stopped storage strategy submit succeeded successful
    successfully such sum support supported suspended taint taints taken tas terminating than that the their
    them then there they this those threshold time timed timeout to tolerate tolerated toleration
    tolerations too topologies topology topologyassignment topologyawarescheduling total triggered true try
    types uid unable unavailable under unhealthy unknown unlimited unmanaged unreserved unsatisfied
    unschedulable until untolerated unused up update updated usage use used user using value victims wait
    waiting waits was wasn't weight were when which while will with within without won't workload workload's
    workloads would yet zero
    """.split()  # noqa: SIM905
)


class Texts:
    """Replaces texts. `rename` gives the new form of a known name or uid, None for any other word; `is_plain`
    knows words that need no new form (resource names, label keys, reasons)."""

    def __init__(self, rename: Callable[[str], str | None], is_plain: Callable[[str], bool]) -> None:
        self._rename = rename
        self._is_plain = is_plain
        self._dropped: dict[str, int] = {}
        self._known: dict[str, str] = {}

    @property
    def dropped(self) -> int:
        """How many different texts were dropped."""
        return len(self._dropped)

    def replace(self, text: str) -> str:
        """The text with new names, or what stands for it."""
        if text not in self._known:
            self._known[text] = self._replaced(text)
        return self._known[text]

    def _replaced(self, text: str) -> str:
        new = [self._token(each) for each in _TOKEN.findall(text)]
        if None in new or not (text.isascii() and text.isprintable()):
            return DROPPED.format(self._dropped.setdefault(text, len(self._dropped) + 1))
        words = iter(new)
        return _TOKEN.sub(lambda found: next(words) or "", text)

    def _token(self, token: str) -> str | None:
        if _SHORT_NUMBER.fullmatch(token):
            return token
        known = self._rename(token)
        if known is not None:
            return known
        if _NUMBER.fullmatch(token) or token.lower() in _WORDS or self._is_plain(token):
            return token
        for sign in ":=/":  # namespace/name, path/of/cohorts, key=value:effect
            if sign in token:
                pieces = [self._token(each) if each else "" for each in token.split(sign)]
                return None if None in pieces else sign.join(piece or "" for piece in pieces)
        return None
