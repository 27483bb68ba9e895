"""Which Workloads would Kueue v0.19 make of these jobs? (kueuectl.md 6.6, 6.7, 7.7, 7.8)

One file a family of kinds makes the pod sets; conversion.py asks in order and envelope.py writes down.
"""

from kubectl_kueue.jobs.conversion import workloads_of
from kubectl_kueue.jobs.records import Change, Conversion, Made, Note, Refusal, Subject
from kubectl_kueue.jobs.registry import is_job

__all__ = ["Change", "Conversion", "Made", "Note", "Refusal", "Subject", "is_job", "workloads_of"]
