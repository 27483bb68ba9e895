"""Commands to run next, as text: what they name is quoted for a shell."""

from shlex import quote


def kueue(verb: str, kind: str, key: str) -> str:
    """ "kubectl kueue resume localqueue train -n team-a"; `key` is "namespace/name", or a name alone."""
    return f"kubectl kueue {verb} {kind} {located(key)}"


def delete_workload(key: str) -> str:
    """What takes a Workload and its quota away."""
    return f"kubectl delete workload {located(key)}"


HANGS = " (remove the finalizer kueue.x-k8s.io/resource-in-use if it hangs)"
"""What comes after it where no job is left."""


def located(key: str) -> str:
    """The name and the namespace, if there is one, for a command line."""
    namespace, _, name = key.rpartition("/")
    return f"{quote(name)} -n {quote(namespace)}" if namespace else quote(name)
