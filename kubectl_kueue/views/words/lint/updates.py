"""What `lint` says of changes to objects that are there."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import RuleWords

WORDS: Mapping[str, RuleWords] = {
    "immutable": RuleWords(
        "A field that cannot change",
        {
            "always": "{field} cannot change: it is {before} in the cluster, and {after} here",
            "topology": "{field} cannot change once topologyName is set: it is {before} in the cluster, "
            "{after} here",
            "reserved": "{field} cannot change while quota is reserved: it is {before} in the cluster, "
            "{after} here",
            "grow": "{field} cannot grow while quota is reserved: it is {before} in the cluster, {after} "
            "here",
        },
        "create the object anew, under another name or after deleting it",
        "The API server refuses the apply.",
    ),
    "job-immutable": RuleWords(
        "A setting that a running job cannot change",
        {
            "running": "{key} cannot change while the job is not suspended: {before} in the cluster, {after} "
            "here",
            "prebuilt": "{key} cannot change while the job is not suspended: {before} in the cluster, "
            "{after} here",
            "never": "{key} cannot change: {before} in the cluster, {after} here",
            "never-removed": "{key} can never be taken out: {before} in the cluster",
            "default-queue": "{key} cannot be taken out in a namespace with a LocalQueue named default",
            "gates": "gates can only be removed after creation; new here: {after}",
        },
        "",
        "The webhook refuses the apply.",
    ),
}
