"""Devices that Kueue does not count, in words: why, what to do about it, and what was taken for granted."""

from collections.abc import Iterator, Mapping

from kubectl_kueue.engine.explanation.verdict import Uncountable, Uncounted
from kubectl_kueue.views.words.numbers import several

_PROBLEMS: Mapping[str, str] = {
    "gate-off": "claim {ask} of pod set {pod_set} asks for devices, but feature gate KueueDRAIntegration is off",
    "direct-claim": (
        "claim {ask} of pod set {pod_set} is ResourceClaim {about} itself; "
        "Kueue counts only claims that are made from a ResourceClaimTemplate"
    ),
    "template-missing": (
        "claim {ask} of pod set {pod_set} is made from ResourceClaimTemplate {about}, which does not exist"
    ),
    "first-available": (
        "request {about} in claim {ask} of pod set {pod_set} lists alternatives (firstAvailable), "
        "which Kueue does not count"
    ),
    "admin-access": (
        "request {about} in claim {ask} of pod set {pod_set} wants admin access, which Kueue does not count"
    ),
    "all-devices": (
        "request {about} in claim {ask} of pod set {pod_set} wants all devices there are "
        "(allocationMode All), which Kueue does not count"
    ),
    "mode-unknown": (
        "request {about} in claim {ask} of pod set {pod_set} has an allocationMode that Kueue does not count"
    ),
    "request-unknown": "request {about} in claim {ask} of pod set {pod_set} asks for nothing that Kueue counts",
    "class-unmapped": (
        "claim {ask} of pod set {pod_set} asks for devices of DeviceClass {about}, "
        "which is not in Kueue's deviceClassMappings"
    ),
    "class-measured": (
        "pod set {pod_set} requests {ask} of DeviceClass {about}, which Kueue charges by what its devices hold "
        "and not by their number; it does so for claims only"
    ),
    "not-whole": "pod set {pod_set} requests {about} of {ask}, but devices are counted whole",
}
PROBLEM_CODES = frozenset(_PROBLEMS)

_DOUBTS: Mapping[str, str] = {
    "selectors": "as many devices as it wants match the CEL selectors of ResourceClaimTemplate {about}",
    "counter": (
        "1 {about} is charged for each device, though Kueue charges the counter that its ResourceSlice gives"
    ),
    "capacity": (
        "1 {about} is charged for each device, though Kueue charges the capacity that it takes of one"
    ),
    "template-unread": "ResourceClaimTemplate {about}, which was not read, asks for no device",
}
DOUBT_CODES = frozenset(_DOUBTS)


def uncountable_words(found: Uncountable, now: int) -> str:
    """Why Kueue does not count the devices, in a clause."""
    if not found.refused:
        return "Kueue has refused its devices before, and does not look at it again"
    return several([_problem(refusal) for refusal in found.refused], 2)


def _problem(refusal: Uncounted) -> str:
    return _PROBLEMS[refusal.why].format(
        pod_set=refusal.pod_set, ask=refusal.ask, about=refusal.about or "(no name)"
    )


def device_steps(found: Uncountable, namespace: str) -> Iterator[str]:
    """What makes them countable; and that the workload has to be made anew, since the refusal stays on it."""
    steps = dict.fromkeys(_step(refusal, namespace) for refusal in found.refused)
    yield from filter(None, steps)
    yield "Then submit the job again: once a Workload has been refused, Kueue v0.19.2 leaves it aside for good"


def _step(refusal: Uncounted, namespace: str) -> str:
    match refusal.why:
        case "gate-off":
            return (
                "Turn on KueueDRAIntegration; or turn off KueueDRARejectWorkloadsWhenDRADisabled as well, and "
                "devices are not counted at all"
            )
        case "direct-claim":
            return "Make a ResourceClaimTemplate of the ResourceClaim, and name that in the pod template"
        case "template-missing":
            return f"Create ResourceClaimTemplate {refusal.about} in namespace {namespace}"
        case "class-unmapped":
            return (
                f"Map DeviceClass {refusal.about} to a resource with resources.deviceClassMappings of Kueue's "
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
