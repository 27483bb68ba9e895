"""A page for every reason code and every verdict word: what it means, what Kueue does, what to do.

The texts live here only; docs/reasons/ and docs/verdicts/ are made of them and held against them by a test.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_kueue.views.words.outcomes import CODES, VERDICTS


class Lesson(NamedTuple):
    """One page: `means` and `kueue` are paragraphs, `todo` steps, `command` what to run next, `example` a
    line that a person may have seen and what it comes to."""

    means: str
    kueue: str
    todo: tuple[str, ...]
    command: str
    example: str


_EXPLAIN = "kubectl kueue explain workload NAME -n NAMESPACE"

REASONS: Mapping[str, Lesson] = {
    "NoMatchingFlavor": Lesson(
        "Every flavor of the ClusterQueue is ruled out for some pod set: by a taint that its pods do not "
        "tolerate, by their node selector or affinity, or because they ask for a topology that the flavor "
        "does not have.",
        "It looks at the flavors in the order of the ClusterQueue and finds none to assign. More quota "
        "does not change that; the workload is tried again when it, its queue or a flavor changes.",
        (
            "Compare the pod template with the labels and taints of the flavors.",
            "Add the toleration, drop or change the node selector, or add a flavor that suits to the "
            "ClusterQueue.",
        ),
        "kubectl kueue explain resourceflavor FLAVOR --for NAME -n NAMESPACE",
        "Pods with the node selector gpu=h200 in a queue with flavors a100 and h100: neither carries "
        "gpu=h200.",
    ),
    "ExceedsMaxQuota": Lesson(
        "It asks for more of a resource than its ClusterQueue could ever have, with all its own quota "
        "free and all that the cohort lends.",
        "It refuses the flavor without looking at who uses what. The workload stays in the queue, and in "
        "a StrictFIFO queue it holds up everybody behind it.",
        (
            "Find the limit: nominalQuota, a borrowingLimit on the way up, or a lendingLimit of the "
            "neighbours.",
            "Raise that limit, or ask for less: fewer pods, smaller requests, minCount for partial "
            "admission.",
        ),
        _EXPLAIN,
        "40 cpu asked for, where the ClusterQueue has 8 and may borrow 16: 24 is the most it can ever have.",
    ),
    "WaitingForQuota": Lesson(
        "A flavor suits it and its quota could be enough, but others use it now, and the workload may not "
        "evict enough of them.",
        "It tries the workload again when quota becomes free: when somebody ends, or when a queue changes.",
        (
            "See who holds what is missing, and whether they borrow it.",
            "Wait, raise the quota, or allow preemption (priority, withinClusterQueue, reclaimWithinCohort).",
        ),
        _EXPLAIN,
        "It lacks 2 cpu of flavor default: job-long holds 8 of 8 with the same priority.",
    ),
    "WaitingForPreemptedWorkloads": Lesson(
        "Kueue has told other workloads to go, and this one waits until they have given their quota back.",
        "It has marked the victims as evicted; their jobs are suspended and their pods end. Then the "
        "workload is looked at again. Its place is not reserved: somebody before it in the order may take "
        "the room.",
        (
            "Give the victims' pods time to end (terminationGracePeriodSeconds).",
            "If it takes long, look whether a victim has lost its job or cannot end its pods.",
        ),
        _EXPLAIN,
        "It evicts job-low, which has run for 3 hours and needs 30 seconds to end.",
    ),
    "TopologyPlacementFailed": Lesson(
        "There is quota, but the pods find no place in the topology that they ask for: no domain (a rack, "
        "a node) has enough free room in one piece.",
        "It looks for the smallest domain that holds all pods, counting what other pods use on the nodes. "
        "It tries again when pods end or nodes change.",
        (
            "Look at the trees: what each domain has free, and who holds it.",
            "Ask for a wider level, prefer it instead of requiring it, or use smaller pods.",
        ),
        "kubectl kueue explain workload NAME -n NAMESPACE --topology",
        "8 GPUs on one node are asked for; four nodes have 2 free each.",
    ),
    "Misconfigured": Lesson(
        "Something in the workload or its queues is set up wrongly: no such LocalQueue or ClusterQueue, a "
        "namespace that the ClusterQueue does not take, requests above limits or outside of a "
        "LimitRange.",
        "It refuses the workload before it looks at any flavor, and tries again only when one of these "
        "objects changes.",
        ("Mend the object that the explanation names.", "Check manifests before they are applied."),
        _EXPLAIN,
        'LocalQueue "train" exists in namespace team-b, but the job is in team-a: a LocalQueue serves '
        "its own namespace.",
    ),
    "Suspended": Lesson(
        "The LocalQueue or the ClusterQueue is out of service: stopped by its stopPolicy, or inactive "
        "because a flavor, an admission check or a topology that it names is missing or does not work.",
        "It admits nothing through that queue. With stopPolicy HoldAndDrain it also evicts what runs; "
        "with Hold what runs may end.",
        ("Resume the queue, or bring back what it names.", "Ask the one who stopped it why."),
        "kubectl kueue explain clusterqueue NAME",
        "ClusterQueue ml-cq is inactive: ResourceFlavor gpu-large does not exist.",
    ),
    "Deactivated": Lesson(
        "The workload is switched off: spec.active is false, set by a person, or by Kueue after an "
        "admission check had refused it, after too many tries, or after it had run out of its time.",
        "It evicts the workload if it runs, and does not look at it any more until spec.active is true "
        "again.",
        (
            "If a person did it: set spec.active to true (kubectl kueue resume workload).",
            "If Kueue did it: remove the cause and submit the job again.",
        ),
        "kubectl kueue resume workload NAME -n NAMESPACE",
        "Deactivated after the admission check prov had rejected it.",
    ),
    "AdmissionGated": Lesson(
        "The annotation kueue.x-k8s.io/admission-gated-by names somebody who wants to hold the workload "
        "back.",
        "It leaves the workload out of the queue until the annotation is cleared. It never clears it itself.",
        ("Ask the controller or the person that the annotation names.",),
        _EXPLAIN,
        "admission-gated-by: example.com/budget, a controller that waits for an approval.",
    ),
    "OnHold": Lesson(
        "Kueue keeps the workload although it has nothing to run: it waits, for example, for pods that "
        "replace failed ones, or for a set that is scaled up again.",
        "It leaves the workload out of the queue until the pods are there.",
        ("Create the pods that are missing, or scale up.",),
        _EXPLAIN,
        "A StatefulSet scaled to 0: its Workload stays, and asks for nothing.",
    ),
    "PendingEvaluation": Lesson(
        "Kueue has not looked at the workload: others are in front, it backs off after a failure, or it "
        "was made a moment ago.",
        "It looks at one head of each ClusterQueue at a time. In a StrictFIFO queue a head that does not "
        "fit keeps everybody else waiting.",
        (
            "See its position, and what the head waits for.",
            "If it stays so for minutes though it fits, look after the controller.",
        ),
        "kubectl kueue explain clusterqueue NAME",
        "3rd of 12 in a StrictFIFO queue whose head asks for a flavor that is full.",
    ),
    "QuotaReserved": Lesson(
        "Its quota is reserved, or will be at its next turn.",
        "It has assigned flavors, and counts the amounts as used. Without admission checks the workload "
        "is admitted at once, and its job is started.",
        ("Nothing, unless its pods do not come up: Kueue counts quota, not nodes.",),
        _EXPLAIN,
        "QuotaReserved is True, Admitted is not: an admission check is still open.",
    ),
    "Finished": Lesson(
        "The job has ended, well or badly, or it has been deleted.",
        "It has given its quota back and does not look at the workload any more.",
        (
            "Nothing. The Workload goes when its job is deleted, or by the retention policy of the "
            "Configuration.",
        ),
        "kubectl kueue list workload -n NAMESPACE --status finished",
        "JobFinished: the job has completed.",
    ),
}
"""Code -> its page; a page for each of CODES."""

WORDS: Mapping[str, Lesson] = {
    "Admit": Lesson(
        "At its turn the scheduler reserves quota for it: it fits now.",
        "It admits the workload within seconds. If that has not happened for minutes, the controller is "
        "down, or this data is old.",
        ("Wait a moment.", "If nothing happens, look after Kueue itself."),
        "kubectl kueue doctor",
        "Fits in flavor a100, within its own quota.",
    ),
    "Preempt": Lesson(
        "It fits once the listed workloads have been evicted, and it may evict them; or those that hold "
        "its quota are being evicted already.",
        "It marks the victims as evicted, waits for their quota and then admits the workload.",
        ("Look at the list of victims: they lose their place and start again.",),
        _EXPLAIN,
        "It evicts job-1 and job-2 (reclaim within the cohort).",
    ),
    "Wait": Lesson(
        "It does not get in now, but would in a cluster without the other workloads: it waits for others "
        "to end.",
        "It tries the workload again when something is given back.",
        ("See who holds what is missing, and what would help: each line there was tried in a simulation.",),
        _EXPLAIN,
        "It lacks 2 cpu in flavor default; job-long holds 8.",
    ),
    "Never": Lesson(
        "It cannot get in, whoever ends: its spec, the quota, the configuration or the nodes must change.",
        "It keeps the workload in the queue, and tries it again without success whenever something changes.",
        ("Find the limit that the answer names, and whose it is.", "Change that, or the job."),
        _EXPLAIN,
        "It asks for 40 cpu, where 24 is the most its ClusterQueue can ever have.",
    ),
    "Blocked": Lesson(
        "The scheduler does not look at it: a queue is missing or out of service, it is switched off, "
        "gated or backs off, or another one is in front of it in a StrictFIFO queue.",
        "It leaves the workload where it is until that changes; free quota does not help.",
        ("Mend what stands in front: the explanation names the first such thing.",),
        _EXPLAIN,
        "ClusterQueue ml-cq is inactive: its flavor does not exist.",
    ),
    "ChecksPending": Lesson(
        "Its quota is reserved, but an admission check has not said yes yet.",
        "It asks the controllers of the checks, and admits the workload when all are Ready. The quota "
        "stays taken meanwhile.",
        ("See which check is open, and ask its controller (a ProvisioningRequest, another cluster).",),
        "kubectl describe admissioncheck NAME",
        "AdmissionCheck prov is Pending: nodes are being provisioned.",
    ),
    "AdmittedNotRunning": Lesson(
        "It is admitted and its job was started, but its pods do not all run.",
        "Its part is done: it counts quota, not nodes. With waitForPodsReady it evicts the workload after "
        "a while.",
        (
            "Look at the pods that are not placed, and why.",
            "Compare the quota of the flavor with what its nodes really have.",
        ),
        "kubectl kueue explain resourceflavor FLAVOR",
        "2 of 4 pods are Pending: 0/10 nodes are available, insufficient nvidia.com/gpu.",
    ),
    "Running": Lesson(
        "It is admitted, and all its pods are ready.",
        "It counts its usage until it ends, or until somebody evicts it.",
        ("Nothing.",),
        "kubectl kueue list pods --for TYPE/NAME -n NAMESPACE",
        "4 of 4 pods run.",
    ),
    "Finished": Lesson(
        "It has ended, has been deleted, or has lost its job.",
        "It has given the quota back.",
        ("Nothing. To run it again, submit the job again.",),
        "kubectl kueue list workload -n NAMESPACE --status finished",
        "JobFinished 5 minutes ago.",
    ),
    "NoWorkload": Lesson(
        "Kueue has made no Workload for the job, so there is nothing that it could queue: the job has no "
        "queue name, its kind is not enabled, a priority class is missing, its pod group is not complete, "
        "and the like.",
        "It leaves such a job alone: it runs outside of Kueue, or stays suspended for ever. A queue name "
        "that leads nowhere is no cause: that job gets a Workload, which then is refused.",
        (
            "Set the label kueue.x-k8s.io/queue-name when the job is created.",
            "Enable the integration in Kueue's Configuration and restart its controller.",
        ),
        "kubectl kueue explain job/NAME -n NAMESPACE",
        "RayJob tune has a queue name, but integrations.frameworks does not list ray.io/rayjob.",
    ),
}
"""Verdict word -> its page; a page for each of VERDICTS, and for NoWorkload."""

SUMMARIES: Mapping[str, str] = {**VERDICTS, "NoWorkload": "Kueue has no Workload for the job"}


def summary_of(kind: str, word: str) -> str:
    """The clause that goes with a code or a verdict word; `kind` is reason or verdict."""
    return (CODES if kind == "reason" else SUMMARIES)[word]


def lessons(kind: str) -> Mapping[str, Lesson]:
    """All pages of a kind."""
    return REASONS if kind == "reason" else WORDS


def markdown(kind: str, word: str) -> str:
    """The page as it stands in docs/."""
    lesson = lessons(kind)[word]
    about = "Reason" if kind == "reason" else "Verdict"
    steps = "\n".join(f"* {step}" for step in lesson.todo)
    return (
        f"# {about} `{word}`\n\n{_capital(summary_of(kind, word))}.\n\n"
        f"## What it means\n\n{lesson.means}\n\n"
        f"## What Kueue does\n\n{lesson.kueue}\n\n"
        f"## What to do\n\n{steps}\n\n    {lesson.command}\n\n"
        f"## Example\n\n{lesson.example}\n"
    )


def index_markdown(kind: str) -> str:
    """The list of all pages of a kind."""
    title = "Reason codes" if kind == "reason" else "Verdicts"
    lines = "\n".join(f"* [`{word}`]({word}.md): {summary_of(kind, word)}" for word in lessons(kind))
    return f"# {title}\n\nOn the command line: `kubectl kueue explain {kind} WORD`.\n\n{lines}\n"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
