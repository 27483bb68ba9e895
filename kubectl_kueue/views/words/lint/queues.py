"""What `lint` says of ClusterQueues and cohorts."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import SYNTAXES, RuleWords

WORDS: Mapping[str, RuleWords] = {
    "selector": RuleWords(
        "A selector that cannot be",
        {
            "key": f"{{value}} is no key of a label: {SYNTAXES['label-key']}",
            "value": "{value} is no value of a label",
            "needs-values": "{value} needs values",
            "no-values": "{value} takes no values",
            "operator": "{value} is no operator; In, NotIn, Exists and DoesNotExist are",
        },
        "",
        "The webhook refuses the object.",
    ),
    "borrow-without-reclaim": RuleWords(
        "borrowWithinCohort without reclaimWithinCohort",
        "borrowWithinCohort {policy} needs a reclaimWithinCohort other than Never (it is {reclaim})",
        "set reclaimWithinCohort: LowerPriority or Any, or drop borrowWithinCohort",
        "The API server refuses the ClusterQueue.",
    ),
    "fungibility-preference": RuleWords(
        "A preference between flavors that are not compared",
        "preference needs whenCanBorrow and whenCanPreempt: TryNextFlavor (they are {borrow} and {preempt})",
        "set both to TryNextFlavor",
        "The API server refuses the ClusterQueue: with MayStopSearch the first flavor that fits is taken.",
    ),
    "on-flavors": RuleWords(
        "A check for a flavor that is not in the queue",
        "check {check} is for flavor {flavor}, which is not in this ClusterQueue",
        "name a flavor of the queue, or leave onFlavors out for all",
        "The webhook refuses the ClusterQueue when it is created; older ones may hold such names, and then "
        "the check never runs.",
    ),
    "concurrent-admission": RuleWords(
        "Concurrent admission that cannot be",
        {
            "groups": "concurrentAdmissionPolicy needs exactly one resource group",
            "flavors": "concurrentAdmissionPolicy allows at most 16 flavors",
            "strict": "concurrentAdmissionPolicy does not go with StrictFIFO",
            "mode": "constraints need mode TryPreferredFlavors",
            "last": "lastAcceptableFlavorName is no flavor of this ClusterQueue",
        },
        "",
        "With the gate ConcurrentAdmission (off by default) the webhook refuses the ClusterQueue; without it "
        "the policy has no effect.",
    ),
    "namespace-selector-absent": RuleWords(
        "No namespaceSelector",
        "namespaceSelector is absent: a missing selector selects no namespace, so nothing can be admitted",
        "write namespaceSelector: {{}} for all namespaces, or select some",
        "It is accepted. Workloads wait for ever; Kueue says that the namespace does not match.",
    ),
    "namespace-selector-empty-handed": RuleWords(
        "A namespaceSelector that selects nothing",
        "{selector} matches none of the namespaces (there are {count})",
        "label a namespace, or change the selector",
        "Nothing can be admitted.",
    ),
    "multikueue-mix": RuleWords(
        "MultiKueue with what it does not go with",
        {
            "several": "a second MultiKueue check",
            "flavors": "check {check} is MultiKueue's and limited to flavors",
            "provisioning": "a MultiKueue check together with a ProvisioningRequest check",
        },
        "use one MultiKueue check, for all flavors, alone",
        "The ClusterQueue is inactive and admits nothing.",
    ),
    "stopped": RuleWords(
        "A queue that is stopped by its manifest",
        "stopPolicy {policy} is written down: this {kind} admits nothing as long as it is applied so",
        "take stopPolicy out; `kubectl kueue stop` and `resume` set it",
        "After every apply the queue is stopped again; HoldAndDrain also evicts what runs.",
    ),
    "policy-without-cohort": RuleWords(
        "A policy that needs a cohort",
        "{setting} has no effect: there is no {field}",
        "set {field}, or drop it",
        "Who cannot borrow has nothing to reclaim, and nothing to weigh against borrowing.",
    ),
    "weight-without-fair-sharing": RuleWords(
        "A weight that nobody reads",
        "the weight {value} has no effect: fair sharing is not on in Kueue's Configuration",
        "set fairSharing in the Configuration, or drop the weight",
        "Without fair sharing queues are ordered by priority and time alone.",
    ),
    "weight-odd": RuleWords(
        "A weight that does something unexpected",
        {
            "unchecked": "the weight is {value}: nothing refuses it here, and Kueue cannot use it",
            "zero": "the weight is 0: as soon as it borrows, its share counts as endless, and it is "
            "preempted first",
            "huge": "the weight is {value}: beside it every other queue counts for nothing",
        },
        "use weights near 1",
        "A larger weight means a larger share.",
    ),
    "fields-both-given": RuleWords(
        "Two lists of checks",
        "admissionChecks and admissionChecksStrategy are both given: the second is lost",
        "keep one of them",
        "On the way to v1beta2 admissionChecks takes the place of admissionChecksStrategy.",
    ),
    "borrow-with-fair-sharing": RuleWords(
        "borrowWithinCohort under fair sharing",
        "borrowWithinCohort {policy} has no effect: fair sharing is on, and decides by shares",
        "drop borrowWithinCohort",
        "Under fair sharing preemption follows the strategies of the Configuration.",
    ),
    "strict-fifo-flavors": RuleWords(
        "StrictFIFO over several flavors",
        "StrictFIFO with {count} flavors: a workload that waits for one flavor holds up all that would fit "
        "another",
        "use BestEffortFIFO, or a ClusterQueue for each flavor in one cohort",
        "In a StrictFIFO queue only the head is looked at.",
    ),
    "cohort-cycle": RuleWords(
        "Cohorts in a circle",
        "the parents form a circle: {circle}",
        "take one parent out",
        "It is accepted, and every ClusterQueue in the tree stops being scheduled.",
    ),
    "cohort-implicit": RuleWords(
        "A cohort that no object defines",
        "no Cohort {cohort} is defined: queues that name it share, without quota or limits of its own",
        "nothing, if that is meant",
        "Legal; a misspelled name looks the same, and puts the queue into a cohort of its own.",
    ),
    "cohort-alone": RuleWords(
        "The only member of a cohort",
        "nobody else is in cohort {cohort}: there is nobody to borrow from",
        "is the name spelled as in the other queues?",
        "A misspelled cohort is accepted.",
    ),
    "nothing-to-lend": RuleWords(
        "A cohort without a lender",
        "nobody else in cohort {cohort} has quota that it lends",
        "give the cohort, or a member, quota to lend",
        "Borrowing can never happen.",
    ),
    "partial-guarantee": RuleWords(
        "Own devices without the cpu that goes with them",
        "flavor {flavor}: own quota of {own}, but none of {zero}; what needs both counts as borrowing, so "
        "reclaimWithinCohort {policy} does not take it back",
        "give nominal quota of {zero} too, or set borrowWithinCohort",
        "Reclaiming works only for workloads that fit into the own nominal quota in every resource.",
    ),
    "cohort-mixed-unit": RuleWords(
        "Quotas of one cohort in very different sizes",
        "{resource} is {value}, while {other} of the same cohort has {theirs}",
        "is a unit missing?",
        "It is accepted, and no workload fits.",
    ),
}
