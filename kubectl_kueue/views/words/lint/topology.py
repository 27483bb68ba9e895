"""What `lint` says of topology requests."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import RuleWords

WORDS: Mapping[str, RuleWords] = {
    "topology-one-of": RuleWords(
        "Several topology requests at once",
        {"several": "only one of these may stand there: {keys}", "elastic": "an elastic Job takes no {keys}"},
        "keep one of them",
        "The webhook refuses the object.",
    ),
    "topology-key": RuleWords(
        "A topology that is no label key",
        "{value} is no key of a node label",
        "",
        "The webhook refuses the object.",
    ),
    "topology-boolean": RuleWords(
        "podset-unconstrained-topology is no boolean",
        "{value} must be true or false",
        "",
        "The webhook refuses the object.",
    ),
    "topology-slice": RuleWords(
        "A slice that cannot be",
        {
            "pair": "podset-slice-required-topology and podset-slice-size go together; this one is missing",
            "number": "podset-slice-size is {value}, and must be a whole number above 0",
            "above": "podset-slice-size is {value}, above the number of pods, {count}",
        },
        "",
        "The webhook refuses the object.",
    ),
    "topology-constraints": RuleWords(
        "Slices over several levels that cannot be",
        {
            "json": "it must be a JSON array of objects with topology and size",
            "list": "it must be a list of 1 to 3 objects",
            "topology": "each topology must be a label key, and no two the same",
            "size": "each size must be above 0 and divide the one before it",
            "above": "the first size is above the number of pods, {count}",
            "excludes": "it does not go with podset-slice-required-topology-constraints",
        },
        "",
        "The webhook refuses the object.",
    ),
    "topology-group": RuleWords(
        "podset-group-name that cannot be",
        {
            "number": "{value} is a number, and must be a name",
            "needs": "podset-group-name needs podset-required-topology or podset-preferred-topology",
            "slice": "slices do not go with podset-group-name",
        },
        "",
        "The webhook refuses the object.",
    ),
    "topology-group-pair": RuleWords(
        "A group that is no pair",
        {
            "two": "group {group} has {count} pod sets, and must have two",
            "leader": "one pod set of group {group} must have exactly one pod",
            "differ": "the pod sets of group {group} ask for different topologies",
        },
        "",
        "The webhook refuses the object.",
    ),
    "topology-level": RuleWords(
        "A level that the topology does not have",
        "{level} is no level of the topologies of ClusterQueue {queue}: {levels}",
        "name one of these levels",
        "The workload waits for ever.",
    ),
    "topology-unsupported": RuleWords(
        "A topology request without a topology",
        "no flavor of ClusterQueue {queue} has a topologyName",
        "take the request out, or use a queue with topology",
        "The workload waits for ever.",
    ),
}
