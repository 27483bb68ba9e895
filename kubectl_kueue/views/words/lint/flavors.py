"""What `lint` says of ResourceFlavors and Topologies."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import SYNTAXES, RuleWords

WORDS: Mapping[str, RuleWords] = {
    "flavor-labels": RuleWords(
        "Node labels that cannot be",
        {
            "key": f"{{value}} is no key of a label: {SYNTAXES['label-key']}",
            "value": "{value} is no value of a label",
        },
        "",
        "The webhook refuses the ResourceFlavor.",
    ),
    "flavor-taints": RuleWords(
        "A taint that cannot be",
        {
            "key": f"{{value}} is no key of a taint: {SYNTAXES['label-key']}",
            "value": "{value} is no value of a taint",
            "effect": "{value} is no effect; NoSchedule, PreferNoSchedule and NoExecute are",
            "twice": "{value} stands there twice",
        },
        "",
        "The API server refuses the ResourceFlavor.",
    ),
    "flavor-tolerations": RuleWords(
        "A toleration that cannot be",
        {
            "key": f"{{value}} is no key of a taint: {SYNTAXES['label-key']}",
            "operator": "{value} is no operator; Equal and Exists are",
            "no-key": "without a key the operator must be Exists",
            "exists-value": "with operator Exists there is no value",
            "effect": "{value} is no effect; NoSchedule, PreferNoSchedule and NoExecute are",
            "seconds": "tolerationSeconds needs effect: NoExecute",
        },
        "",
        "The API server refuses the ResourceFlavor.",
    ),
    "flavor-topology-labels": RuleWords(
        "A topology without node labels",
        "topologyName needs at least one of nodeLabels",
        "name the label of the nodes that belong to the flavor",
        "The API server refuses the ResourceFlavor. Once the topology is set, nodeLabels, tolerations and "
        "topologyName cannot change any more.",
    ),
    "flavor-without-labels": RuleWords(
        "A flavor without node labels beside others",
        "flavor {flavor} has no nodeLabels, and is not the only one of its group: Kueue cannot steer pods to "
        "its nodes",
        "give it nodeLabels",
        "Pods that were admitted for it may start on nodes of the other flavors.",
    ),
    "flavors-overlap": RuleWords(
        "Two flavors for the same nodes",
        "flavors {other} and {flavor} have the same nodeLabels",
        "give them different labels",
        "Their quotas promise the same nodes twice.",
    ),
    "taint-void": RuleWords(
        "A flavor that tolerates its own taint",
        "the flavor tolerates its own nodeTaints {taint}, so the taint excludes no workload",
        "remove the toleration: then only pods that tolerate the taint get the flavor",
        "Tolerations of a flavor count for every workload that is considered for it.",
    ),
    "mixed-topology": RuleWords(
        "Flavors with and without topology in one group",
        "flavor {topology} has a topology and {plain} has none: no workload can use both",
        "nothing, if that is meant; else give both a topology, or each its own queue",
        "A workload that asks for a topology gets only flavors with one; one that does not ask gets only "
        "those without. A topology is implied only if every flavor of the queue has one.",
    ),
    "flavor-no-nodes": RuleWords(
        "A flavor that no node has",
        "none of the {count} nodes has {labels}",
        "label nodes, or change nodeLabels",
        "Workloads are admitted, and their pods stay pending. (With autoscaled nodes that may be meant.)",
    ),
    "topology-levels": RuleWords(
        "hostname above other levels",
        "kubernetes.io/hostname may only be the last level",
        "put it last",
        "The API server refuses the Topology.",
    ),
    "topology-no-hostname": RuleWords(
        "A topology that ends above the node",
        "the lowest level is {lowest}: Kueue counts free space of whole groups of nodes, not of a node",
        "add kubernetes.io/hostname as the last level",
        "A pod may be admitted to a group in which no single node has room for it.",
    ),
    "topology-label-missing": RuleWords(
        "Nodes without a label of the topology",
        "{count} of {of} nodes of its flavors have no label {level} ({example})",
        "label them",
        "Nodes that lack a level are left out: their capacity is not there for topology-aware scheduling.",
    ),
}
