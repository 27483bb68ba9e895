"""What `lint` says of Workloads."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import RuleWords

WORDS: Mapping[str, RuleWords] = {
    "pods-resource": RuleWords(
        "The resource pods",
        "pods is reserved: Kueue counts pods by itself",
        "take it out",
        "The webhook refuses the Workload.",
    ),
    "negative-request": RuleWords(
        "A negative request", "{resource} is {value}", "", "The webhook refuses the Workload."
    ),
    "min-count": RuleWords(
        "Partial admission that cannot be",
        {
            "above": "minCount {value} is above count {count}",
            "elastic": "an elastic Workload takes no minCount",
            "several": "only one pod set may have minCount",
        },
        "",
        "The API server refuses the Workload.",
    ),
    "slice-pair": RuleWords(
        "Half a slice",
        {
            "size": "podSetSliceRequiredTopology needs podSetSliceSize",
            "topology": "podSetSliceSize needs podSetSliceRequiredTopology",
            "zero": "podSetSliceSize must be above 0",
        },
        "",
        "The webhook refuses the Workload.",
    ),
    "sub-group-count": RuleWords(
        "A negative subGroupCount",
        "subGroupCount is {value}",
        "it must be 0 or more",
        "It is accepted with a warning.",
    ),
    "priority-ref": RuleWords(
        "A priority class without its number, or of another group",
        {
            "number": "priorityClassRef needs spec.priority: the number that the class stands for",
            "kind": "group {group} has kind {kind}",
        },
        "",
        "The API server refuses the Workload.",
    ),
    "reserved-without-admission": RuleWords(
        "A reservation that says not where",
        {
            "absent": "QuotaReserved is True, and there is no status.admission",
            "unknown": "there is no pod set {name}",
        },
        "",
        "The webhook refuses the status.",
    ),
    "reclaimable": RuleWords(
        "More pods to give back than there are",
        {"unknown": "there is no pod set {name}", "above": "pod set {name} has {count} pods"},
        "",
        "The webhook refuses the status.",
    ),
    "pod-set-updates": RuleWords(
        "An update of a pod set that cannot be",
        {
            "unknown": "there is no pod set {name}",
            **dict.fromkeys(
                ("key", "operator", "no-key", "exists-value", "effect", "seconds"),
                "a toleration for pod set {name} cannot be",
            ),
        },
        "",
        "The webhook refuses the status.",
    ),
    "priority-boost": RuleWords(
        "A boost that is no number",
        "the boost is {value}, and must be a whole number",
        "",
        "With the gate PriorityBoost (off by default) the webhook refuses the Workload.",
    ),
}
