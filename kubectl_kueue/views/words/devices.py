"""Devices that Kueue does not count, in words: why, what to do about it, and what was taken for granted."""

from collections.abc import Iterator, Mapping

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.explanation.facts import Uncountable, Uncounted

_PROBLEMS: Mapping[str, str] = {
    "gate-off": "{claim} asks for devices, but feature gate KueueDRAIntegration is off",
    "direct-claim": (
        "{claim} names ResourceClaim {about}, "
        "and Kueue counts only claims that are made from a ResourceClaimTemplate"
    ),
    "template-missing": "{claim} is made from ResourceClaimTemplate {about}, which does not exist",
    "first-available": "{request} lists alternatives (firstAvailable), which Kueue does not count",
    "admin-access": "{request} wants admin access, which Kueue does not count",
    "all-devices": "{request} wants all devices there are (allocationMode All), which Kueue does not count",
    "mode-unknown": "{request} has an allocationMode that Kueue does not count",
    "request-unknown": "{request} asks for nothing that Kueue counts",
    "class-unmapped": (
        "{claim} asks for devices of DeviceClass {about}, which is not in Kueue's deviceClassMappings"
    ),
    "class-measured": (
        "pod set {pod_set} requests {ask}, but DeviceClass {about} behind it is charged by what its devices "
        "hold, and Kueue does that for claims only"
    ),
    "not-whole": "pod set {pod_set} requests {about} of {ask}, but devices are counted whole",
}
PROBLEM_CODES = frozenset(_PROBLEMS)
_MOST = 2

_DOUBTS: Mapping[str, str] = {
    "selectors": "as many devices as it wants match the CEL selectors of ResourceClaimTemplate {about}",
    "counter": (
        "1 {about} is charged for each device, though Kueue charges the counter that its ResourceSlice gives"
    ),
    "capacity": (
        "1 {about} is charged for each device, though Kueue charges the capacity that it takes of one"
    ),
    "template-unread": "ResourceClaimTemplate {about}, which is not in the data, asks for no device",
}
DOUBT_CODES = frozenset(_DOUBTS)


def uncountable_words(found: Uncountable, now: int) -> str:
    """Why Kueue does not count the devices, in a clause."""
    if not found.refused:
        return "Kueue has refused its devices before, and does not look at it again"
    told = [_problem(refusal) for refusal in found.refused]
    rest = [f"and {len(told) - _MOST} more"] if len(told) > _MOST else []
    return "; ".join([*told[:_MOST], *rest])


def _problem(refusal: Uncounted) -> str:
    claim = f"claim {refusal.ask} of pod set {refusal.pod_set}"
    return _PROBLEMS[refusal.why].format(
        claim=claim,
        request=f"request {refusal.about} in {claim}",
        pod_set=refusal.pod_set,
        ask=refusal.ask,
        about=refusal.about,
    )


def device_steps(found: Uncountable, namespace: str) -> Iterator[str]:
    """What makes them countable; and that the workload has to be made anew, since the refusal stays on it."""
    steps = dict.fromkeys(_step(refusal, namespace) for refusal in found.refused)
    yield from steps
    again = "Then submit the job again" if steps else "Submit the job again"
    yield f"{again}: a Workload that has been refused once is left aside for good by Kueue {SIMULATED_KUEUE}"


def _step(refusal: Uncounted, namespace: str) -> str:
    match refusal.why:
        case "gate-off":
            return (
                "Turn on KueueDRAIntegration, or turn off KueueDRARejectWorkloadsWhenDRADisabled too: "
                "then no devices are counted"
            )
        case "direct-claim":
            return "Make a ResourceClaimTemplate of the ResourceClaim, and name that in the pod template"
        case "template-missing":
            return f"Create ResourceClaimTemplate {refusal.about} in namespace {namespace}"
        case "class-unmapped":
            return (
                f"Map DeviceClass {refusal.about} to a resource in resources.deviceClassMappings of Kueue's "
                "Configuration, and give that resource a quota"
            )
        case "class-measured":
            return "Ask for these devices with a ResourceClaimTemplate"
        case "not-whole":
            return f"Request a whole number of {refusal.ask}"
    return "Ask for a fixed number of devices (exactly, with allocationMode ExactCount)"


def doubt_words(why: str, about: str) -> str:
    """What was taken for granted about devices."""
    return _DOUBTS[why].format(about=about)
