"""What `lint` says of amounts in resource groups."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import RuleWords

WORDS: Mapping[str, RuleWords] = {
    "resource-name": RuleWords(
        "A resource that cannot be",
        "{resource} is no name of a resource",
        "",
        "The webhook refuses the object.",
    ),
    "resource-twice": RuleWords(
        "A resource in two groups",
        "{resource} is covered already ({first})",
        "a resource belongs to one resource group",
        "The webhook refuses the object: it would not be known which flavors count.",
    ),
    "flavor-twice": RuleWords(
        "A flavor in two groups",
        "flavor {flavor} stands in another resource group already ({first})",
        "put its resources into one group",
        "The webhook refuses the object.",
    ),
    "flavor-resources": RuleWords(
        "A flavor that does not list what its group covers",
        {
            "order": "flavor {flavor} lists {listed}, and must list them in the order of coveredResources: "
            "{covered}",
            "names": "flavor {flavor} lists {listed}, and must list exactly coveredResources: {covered}",
        },
        {"order": "put them into the same order", "names": "list every covered resource once, in that order"},
        "The webhook refuses the object. Even the order must be the same.",
    ),
    "negative-quota": RuleWords(
        "Negative quota", "{field} is {value}", "it must be 0 or more", "The webhook refuses the object."
    ),
    "cohort-limit": RuleWords(
        "A limit without a cohort",
        "{field} must be left out: the {kind} has no {parent}, so there is nobody to borrow from or lend to; "
        "the API server refuses it ({version})",
        "set {parent}, or drop {field}",
        "The API server refuses the object, in v1beta1 and v1beta2, even if the limit is 0. For a Cohort "
        "its message "
        'says "must be nil when cohort is empty", and means parentName.',
    ),
    "lending-above-nominal": RuleWords(
        "More to lend than there is",
        "lendingLimit {lending} is above nominalQuota {nominal}",
        "lend at most {nominal}, or leave it out to lend everything",
        "The webhook refuses the ClusterQueue. (A Cohort may have such a limit.)",
    ),
    "too-many": RuleWords(
        "Too many flavors or resources",
        "{size} {what}, at most {most}",
        "",
        "The webhook refuses the object.",
    ),
    "fair-weight": RuleWords(
        "A weight that cannot be",
        "the weight is {value}; it must be 0, or above 0.000000001",
        "",
        "The webhook refuses the object.",
    ),
    "unit": RuleWords(
        "A quota that lacks its unit",
        {
            "bytes": "{field} of {resource} is {value}: that is {value} bytes; is {value}Gi meant?",
            "milli": "{field} of {resource} is {value}: m means thousandths of a byte; is {value} with Mi "
            "meant?",
            "fraction": "{field} of {resource} is {value}: devices are counted whole",
        },
        "write the unit (Mi, Gi, Ti for bytes; none for devices)",
        "It is accepted, and no workload fits.",
    ),
    "huge-quota": RuleWords(
        "A quota near the end of 64 bits",
        "{field} is {value}: sums of such quotas overflow in older versions of Kueue",
        "to say “no limit” use a number that sums of queues cannot overflow, such as 1P (bytes: 1Ei is too "
        "much)",
        "Before their arithmetic was made safe, releases counted the overflow as a negative quota.",
    ),
    "no-quota": RuleWords(
        "A ClusterQueue that can admit nothing",
        {
            "absent": "there are no resourceGroups: this ClusterQueue can admit nothing that asks for "
            "anything",
            "zero": "every nominalQuota is 0 and there is no cohort to borrow from: this ClusterQueue can "
            "admit nothing",
        },
        {"absent": "add resourceGroups with flavors and quota", "zero": "give it quota, or a cohort"},
        "It is accepted; workloads wait for ever.",
    ),
    "uncovered-usual": RuleWords(
        "cpu or memory without quota",
        "{missing} not covered: pods that ask for it wait for ever in this queue",
        "add it to coveredResources with quota, or take it out of the count "
        "(resources.excludeResourcePrefixes, or quotaCheckStrategy: IgnoreUndeclared, in Kueue's "
        "Configuration)",
        "With the default quotaCheckStrategy a workload that asks for a resource which its ClusterQueue does "
        "not cover is never admitted.",
    ),
}
