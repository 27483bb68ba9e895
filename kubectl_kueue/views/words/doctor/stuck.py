"""What doctor says of workloads and objects that hang."""

from collections.abc import Mapping

from kubectl_kueue.engine.inquiries.absence import Absence, Unexplained
from kubectl_kueue.views.words.absence import absence_steps, cause_words
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.commands import HANGS, delete_workload, kueue, located
from kubectl_kueue.views.words.doctor.diagnosis import Facts, Words, key_of, when
from kubectl_kueue.views.words.numbers import count, joined, several, verb


def _held(f: Facts) -> str:
    return f"holds {joined(f['holds']) or 'no quota'} of {f['cluster_queue']}"


def _holder(name: str, f: Facts) -> str:
    true = "QuotaReserved and Admitted are" if f["admitted"] else "QuotaReserved is"
    evicted = f", Evicted too ({f['evicted']})" if f["evicted"] else ""
    return f"{name}: {true} True{evicted}, it has no owner and no known pods: it {_held(f)}"


def _delete(name: str, f: Facts) -> list[str]:
    return [delete_workload(key_of(name)) + HANGS]


def _nobody(name: str, f: Facts) -> str:
    return "others wait for quota that nobody will give back"


def _jobless(name: str, f: Facts) -> str:
    return f"{name} names a queue and has no Workload: {_why_jobless(f)}"


def _why_jobless(f: Facts) -> str:
    absence: Absence = f["absence"]
    if isinstance(absence.causes[0], Unexplained):
        if f["off"]:
            return "no webhook of Kueue has a rule for its kind"
        if f["said"]:
            return str(f["said"])
        if f["manager_down"]:
            return "Kueue is not running"
    return cause_words(absence.causes[0], absence)


def _jobless_steps(name: str, f: Facts) -> list[str]:
    if isinstance(f["absence"].causes[0], Unexplained):
        if f["off"]:
            return ["enable its integration in Kueue's Configuration and restart the controller"]
        if f["manager_down"]:
            return ["start Kueue"]
        return [f"kubectl describe {name.partition(' ')[0].lower()} {located(key_of(name))}"]
    return [sentence(step) for step in absence_steps(f["absence"])]


def _thrashes(name: str, f: Facts) -> str:
    by = f" by {f['preemptor']}" if f["preemptor"] else ""
    why = f" ({f['reason']})" if f["reason"] else ""
    return (
        f"{name}: evicted {f['count']} times by preemption (status.schedulingStats.evictions), last at "
        f"{when(f['last'])}{by}{why}"
    )


def _calm(name: str, f: Facts) -> list[str]:
    steps = [f"{kueue('explain', 'workload', key_of(name))}: who evicts whom, and would it happen again?"]
    if f["fair_sharing"]:
        steps.append(
            "check for known loops of the release: zero or huge fair sharing weights, "
            "LessThanOrEqualToFinalShare"
        )
    return steps


def _every(number: int) -> str:
    return f"all {number} waiting workloads" if number > 1 else "every waiting workload"


WORDS: Mapping[str, Words] = {
    "holders-owned": Words(lambda n, f: f"{count(f['count'], 'workload')} with quota, each with an owner"),
    "holder-is-ghost": Words(_holder, _nobody, _delete),
    "holder-lost-its-job": Words(_holder, _nobody, _delete),
    "holder-without-owner": Words(
        _holder,
        lambda n, f: "if nobody made it by hand, nobody will end it",
        _delete,
    ),
    "holder-owner-gone": Words(
        lambda n, f: f"{n}: its owner {f['owner']} is gone; it {_held(f)}", _nobody, _delete
    ),
    "jobs-have-workloads": Words(
        lambda n, f: (
            f"{count(f['count'], 'job')} that {verb(f['count'], 'name')} a queue: none lacks its Workload"
            if f["count"]
            else "no job names a queue"
        )
    ),
    "job-without-workload": Words(
        _jobless, lambda n, f: "it waits for nothing that will come, or runs outside of Kueue", _jobless_steps
    ),
    "nothing-thrashes": Words(lambda n, f: f"no workload of {f['count']} is preempted over and over"),
    "workload-thrashes": Words(_thrashes, lambda n, f: "its work is lost each time", _calm),
    "heads-can-fit": Words(
        lambda n, f: (
            f"{count(f['count'], 'StrictFIFO queue')}: no head is impossible"
            if f["count"]
            else "no StrictFIFO queue"
        )
    ),
    "head-never-fits": Words(
        lambda n, f: (
            f"{n} is the head of StrictFIFO ClusterQueue {f['cluster_queue']} and never fits ({f['reason']})"
        ),
        lambda n, f: (
            f"{count(len(f['behind']), 'workload')} behind it "
            f"{verb(len(f['behind']), 'wait')}: {several(f['behind'])}"
        ),
        lambda n, f: [
            kueue("explain", "workload", key_of(n)),
            kueue("stop", "workload", key_of(n)),
        ],
    ),
    "all-evaluated": Words(lambda n, f: f"the scheduler has looked at {_every(f['count'])}"),
    "workload-never-evaluated": Words(
        lambda n, f: f"{n} waits in {f['cluster_queue']}, and the scheduler has never looked at it",
        steps=lambda n, f: [
            "is Kueue running and not overloaded? See its logs and kueue_admission_attempts_total"
        ],
    ),
    "gates-open": Words(lambda n, f: "no workload is held back for more than an hour"),
    "workload-gated": Words(
        lambda n, f: (
            f"{n} is held back ({f['reason']}{' by ' + f['by'] if f['by'] else ''}) for more than an hour"
        ),
        steps=lambda n, f: ["whoever set the gate has to open it; Kueue never does"],
    ),
    "deletions-done": Words(lambda n, f: "nothing of Kueue hangs in deletion"),
    "deletion-hangs": Words(
        lambda n, f: (
            f"{n} is being deleted since {when(f['since'])} (finalizers {joined(f['finalizers']) or 'none'})"
            + (f"; it is used by {several(f['users'])}" if f["users"] else "")
        ),
        steps=lambda n, f: ["it goes when nothing uses it any more"] if f["users"] else ["is Kueue running?"],
    ),
}
