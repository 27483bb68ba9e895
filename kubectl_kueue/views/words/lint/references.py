"""What `lint` says of objects that name others."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import ELSEWHERE, RuleWords, absent

WORDS: Mapping[str, RuleWords] = {
    "flavor-missing": RuleWords(
        "A flavor that does not exist",
        absent("ResourceFlavor", "flavor"),
        {"cluster": "create it, or take it out of the queue", "files": ELSEWHERE},
        "The ClusterQueue is inactive: it admits nothing, not even by its other flavors.",
    ),
    "check-missing": RuleWords(
        "An admission check that does not exist",
        absent("AdmissionCheck", "check"),
        {"cluster": "create it, or take it out of the queue", "files": ELSEWHERE},
        "The ClusterQueue is inactive.",
    ),
    "topology-missing": RuleWords(
        "A topology that does not exist",
        absent("Topology", "topology"),
        {"cluster": "create it", "files": ELSEWHERE},
        "ClusterQueues that use the flavor are inactive.",
    ),
    "clusterqueue-missing": RuleWords(
        "A LocalQueue that points nowhere",
        absent("ClusterQueue", "queue"),
        {
            "cluster": "create it, or name another (clusterQueue cannot be changed: create the LocalQueue "
            "anew)",
            "files": ELSEWHERE,
        },
        "The LocalQueue is inactive; its workloads wait.",
    ),
    "clusterqueue-unset": RuleWords(
        "A LocalQueue without a ClusterQueue",
        "spec.clusterQueue is missing",
        "name a ClusterQueue",
        "It is accepted, and admits nothing.",
    ),
    "namespace-not-selected": RuleWords(
        "A namespace that the ClusterQueue does not select",
        "ClusterQueue {queue} selects {selector}; namespace {namespace} is not selected",
        "label the namespace, or change the selector",
        "It is accepted; workloads of this LocalQueue wait for ever.",
    ),
    "default-queue": RuleWords(
        "A LocalQueue named default",
        "every new job of namespace {namespace} that names no queue gets this one",
        "nothing, if that is meant",
        "Kueue labels unlabelled jobs with queue-name: default where such a LocalQueue exists.",
    ),
    "check-controller": RuleWords(
        "A check that nobody answers",
        "Kueue has no controller {controller}",
        "kueue.x-k8s.io/provisioning-request and kueue.x-k8s.io/multikueue are Kueue's; others need a "
        "controller of their own",
        "The check stays inactive, and with it every ClusterQueue that names it.",
    ),
    "check-parameters": RuleWords(
        "Parameters that the check cannot use",
        {
            "absent": "this controller needs parameters: a {wanted}",
            "kind": "this controller needs a {wanted} of group kueue.x-k8s.io, not {name}",
            "missing": "{wanted} {name} is not in these files",
        },
        "",
        "The check is inactive (BadParametersRef, BadConfig), and with it every ClusterQueue that names it.",
    ),
    "multikueue-source": RuleWords(
        "A worker cluster with none or two sources",
        {
            "both": "clusterSource has kubeConfig and clusterProfileRef, and must have one of them",
            "none": "clusterSource needs kubeConfig or clusterProfileRef",
        },
        "",
        "The API server refuses the object.",
    ),
    "multikueue-cluster-missing": RuleWords(
        "A worker cluster that does not exist",
        "MultiKueueCluster {cluster} is not in these files",
        "create it, or take it out",
        "The check has fewer clusters than it names; with none it is inactive.",
    ),
}
