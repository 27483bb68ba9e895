"""AdmissionChecks and MultiKueue: AC01, AC02."""

from collections.abc import Iterator, Mapping

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import mapping, sequence, word
from kubectl_kueue.model.shown import bare

# Controllers of Kueue, and the kind that their parameters name.
CONTROLLERS: Mapping[str, str] = {
    f"{GROUP}/provisioning-request": "ProvisioningRequestConfig",
    f"{GROUP}/multikueue": "MultiKueueConfig",
}


def check_controller(item: Item, scene: Scene) -> Iterator[Found]:
    """AC02: a controller that nobody runs, parameters that it cannot use."""
    controller = word(item.spec, "controllerName")
    if not controller:
        return
    wanted = CONTROLLERS.get(controller)
    if wanted is None:
        if controller.startswith(f"{GROUP}/"):
            yield found("check-controller", "/spec/controllerName", controller=bare(controller, 80))
        return
    parameters = mapping(item.spec, "parameters")
    if not parameters:
        yield found("check-parameters", "/spec/parameters", problem="absent", wanted=wanted, name="")
        return
    group, kind, name = (word(parameters, field) for field in ("apiGroup", "kind", "name"))
    if (group, kind) != (GROUP, wanted):
        yield found("check-parameters", "/spec/parameters", problem="kind", wanted=wanted, name=bare(kind))
    elif scene.find(wanted, name) is None and any(True for _ in scene.all(wanted)):
        # No snapshot of a cluster holds these kinds: only files can say that one is missing.
        yield found(
            "check-parameters", "/spec/parameters/name", problem="missing", wanted=wanted, name=bare(name)
        )


def check_multi_kueue_cluster(item: Item, scene: Scene) -> Iterator[Found]:
    """A source is a kubeconfig or a profile."""
    if item.older:
        return
    source = mapping(item.spec, "clusterSource")
    given = [name for name in ("kubeConfig", "clusterProfileRef") if source.get(name) is not None]
    if "clusterSource" in item.spec and len(given) != 1:
        problem = "both" if given else "none"
        yield found("multikueue-source", "/spec/clusterSource", problem=problem)


def check_multi_kueue_config(item: Item, scene: Scene) -> Iterator[Found]:
    """Clusters that are not there, as far as the files tell."""
    if not any(True for _ in scene.all("MultiKueueCluster")):
        return
    for index, name in enumerate(sequence(item.spec, "clusters")):
        if isinstance(name, str) and scene.find("MultiKueueCluster", name) is None:
            yield found("multikueue-cluster-missing", f"/spec/clusters/{index}", cluster=bare(name))
