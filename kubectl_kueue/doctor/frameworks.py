"""Is a kind of jobs managed by this Kueue, as far as anything tells? (kueuectl.md 6.6)"""

from kubectl_kueue.doctor.evidence import Evidence, items, text
from kubectl_kueue.model.job_marks import JobMarks


def is_off(evidence: Evidence, job: JobMarks) -> str:
    """How it is known that Kueue does not manage this kind: "configuration", "webhooks" (none has a rule for
    it), or "" if it may well do."""
    managed = evidence.management
    if managed is not None:
        return "" if managed.manages(job.framework, job.group, job.kind) else "configuration"
    hooks = [
        hook
        for each in evidence.of("MutatingWebhookConfiguration")
        if "kueue" in text(each, "metadata", "name")
        for hook in items(each, "webhooks")
    ]
    if not hooks:
        return ""
    rules = [rule for hook in hooks for rule in items(hook, "rules")]
    ruled = {resource for rule in rules for resource in items(rule, "resources")}
    return "" if f"{job.kind.lower()}s" in ruled or "*" in ruled else "webhooks"
