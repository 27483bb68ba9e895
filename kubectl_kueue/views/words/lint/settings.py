"""What `lint` says of Kueue's Configuration."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import RuleWords

WORDS: Mapping[str, RuleWords] = {
    "config-field": RuleWords(
        "A field that the Configuration does not have",
        "Kueue v0.19 knows no field {field} in its Configuration{near_tail}",
        "",
        "Kueue reads its Configuration strictly: the manager does not start.",
    ),
    "config-framework": RuleWords(
        "An integration that Kueue does not have",
        "Kueue v0.19 knows no integration {name}{near_tail}",
        "",
        "The manager does not start.",
    ),
    "config-gate": RuleWords(
        "A feature gate that Kueue does not have",
        "Kueue v0.19 knows no feature gate {name}{near_tail}",
        "",
        "The manager does not start.",
    ),
}
