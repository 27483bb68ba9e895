"""The sentences of `lint`: what a finding says, what to do about it, and what each rule is for.

`{name}` stands for a fact of the finding. Where a rule has several sentences, its fact `problem`, `hint` or
`where` chooses one, "*" being for all others.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_kueue.lint.found import Found

Sentence = str | Mapping[str, str]


class RuleWords(NamedTuple):
    """`title` is the rule as a heading; `says` the finding; `do` what to do; `why` what happens otherwise."""

    title: str
    says: Sentence
    do: Sentence
    why: str


def says(found: Found) -> str:
    """What is wrong, in one sentence."""
    return _filled(WORDS[found.rule].says, found)


def advice(found: Found) -> str:
    """What to do about it; empty if that goes without saying."""
    return _filled(WORDS[found.rule].do, found)


def _filled(sentence: Sentence, found: Found) -> str:
    if not isinstance(sentence, str):
        chosen = [sentence[found.facts[name]] for name in _CHOOSERS if found.facts.get(name) in sentence]
        sentence = chosen[0] if chosen else sentence["*"]
    return sentence.format_map({**found.facts, **_derived(found)})


_CHOOSERS = ("problem", "hint", "where", "why", "when", "what", "known", "pods", "managed", "type", "syntax")


def _derived(found: Found) -> dict[str, str]:
    """Parts of sentences that are there or not."""
    facts = found.facts
    more: dict[str, str] = {}
    if changes := facts.get("changes"):
        more["changes_tail"] = f"; v1beta2: {changes}"
    else:
        more["changes_tail"] = ""
    more["near_tail"] = f"; did you mean {facts['near']}?" if facts.get("near") else ""
    more["elsewhere_tail"] = (
        f"; one of this name is in {facts['elsewhere']}" if facts.get("elsewhere") else ""
    )
    more["here_tail"] = f", or use one of {facts['namespace']}: {facts['here']}" if facts.get("here") else ""
    more["source_tail"] = f" (it comes from LimitRange {facts['source']})" if facts.get("source") else ""
    return more


_ELSEWHERE = "pass --snapshot FILE or --live to look at the cluster, or create it"
_TYPES = {
    "object": "an object",
    "map": "an object of names and values",
    "list": "a list",
    "text": "a text",
    "int": "a whole number",
    "bool": "true or false",
    "time": "a time such as 2026-01-31T12:00:00Z",
    "any": "a value",
}
_SYNTAXES = {
    "subdomain": "lower-case letters, digits, '-' and '.', beginning and ending with a letter or digit",
    "dns-label": "lower-case letters, digits and '-', beginning and ending with a letter or digit",
    "label-key": "NAME or PREFIX/NAME, a name of at most 63 letters, digits, '-', '_' and '.'",
    "kind": "letters, digits and '-', beginning with a letter",
}
_MISSING = "{what} {name} does not exist"


def _absent(what: str, fact: str) -> Mapping[str, str]:
    return {
        "cluster": f"{what} {{{fact}}} does not exist",
        "files": f"{what} {{{fact}}} is not in these files",
    }


WORDS: Mapping[str, RuleWords] = {
    # --- files and fields ------------------------------------------------------------------------------
    "unreadable": RuleWords(
        "The file cannot be read",
        "{error}",
        "mend the file; nothing in it was looked at",
        "kubectl would not read it either. A template (`{{{{ … }}}}`) in a folder is passed over with a "
        "note.",
    ),
    "api-kind": RuleWords(
        "A kind that Kueue does not have",
        "kueue.x-k8s.io has no kind {kind}",
        "write kind: {meant}",
        "The API server answers that it does not know the kind, and creates nothing.",
    ),
    "api-version-unserved": RuleWords(
        "A version that is not served",
        "kueue.x-k8s.io/{version} is not served any more{changes_tail}",
        "use kueue.x-k8s.io/v1beta2",
        "Kueue v0.19 serves v1beta1 and v1beta2. From v1alpha1 there is no conversion: objects have to be "
        "written "
        "anew, and a CRD whose status.storedVersions still names v1alpha1 cannot be upgraded.",
    ),
    "api-version-deprecated": RuleWords(
        "A version that will go away",
        "kueue.x-k8s.io/{version} is deprecated{changes_tail}",
        "write it in v1beta2",
        "v1beta1 is still served, with a warning at every request; Kueue stores v1beta2.",
    ),
    "api-field": RuleWords(
        "An unknown or misplaced field",
        {
            "renamed": "{field} is no field of {kind}; it is called {right}",
            "older": "{field} is v1beta1's; v1beta2 has {right}",
            "older-cohort": "{field} is v1beta1's; v1beta2 has {right}: the API server drops the unknown "
            "field, "
            "and the queue would be in no cohort",
            "newer": "{field} is v1beta2's; v1beta1 has {right}",
            "older-checks": "{field} is v1beta1's; v1beta2 has "
            "admissionChecksStrategy.admissionChecks[].name",
            "older-priority": "{field} is v1beta1's; v1beta2 has priorityClassRef with group, kind and name",
            "newer-priority": "{field} is v1beta2's; v1beta1 has priorityClassName and priorityClassSource",
            "newer-source": "{field} is v1beta2's; v1beta1 has spec.kubeConfig and spec.clusterProfileRef",
            "other-version": "{field} is {other}'s; {version} has no such field",
            "elsewhere": "{field} is no field of {kind}; {right} is one",
            "into-spec": "{field} stands outside of spec; it is {right}",
            "flavor-clusterqueue": "{field} is no field: a ClusterQueue names its flavors, not the reverse",
            "flavor-quota": "{field} is no field: quota of a flavor stands in the ClusterQueue that names it",
            "flavor-object": "{field} is no field here: nodeLabels belong to the ResourceFlavor of this name",
            "weight": "{field} is no field: the share under fair sharing is spec.fairSharing.weight, and a "
            "larger "
            "weight means a larger share",
            "own-weight": "{field} is no field: each queue carries its own spec.fairSharing.weight",
            "minimum": "{field} is no field: nominalQuota of a resource in spec.resourceGroups is the "
            "guaranteed "
            "amount",
            "maximum": "{field} is no field: the ceiling is nominalQuota + borrowingLimit of a resource in "
            "spec.resourceGroups",
            "localqueues": "{field} is no field: a LocalQueue points at its ClusterQueue, not the reverse",
            "namespaces": "{field} is no field: spec.namespaceSelector chooses the namespaces",
            "groups": "{field} is no field: quota stands in spec.resourceGroups[].flavors[].resources[]",
            "cohort": "{field} is no field: a ClusterQueue names its cohort in cohortName (v1beta1: cohort)",
            "priority": "{field} is no field: queues have no priority; jobs have one, by the label "
            "kueue.x-k8s.io/priority-class",
            "job-priority": "{field} is no field: priority comes from the job's label "
            "kueue.x-k8s.io/priority-class",
            "per-resource": "{field} is no field: it stands at each resource, in "
            "spec.resourceGroups[].flavors[].resources[]",
            "preemption": "{field} is no field: spec.preemption has withinClusterQueue, reclaimWithinCohort "
            "and "
            "borrowWithinCohort",
            "members": "{field} is no field: members name their cohort (cohortName, parentName), not the "
            "reverse",
            "own-namespace": "{field} is no field: a LocalQueue serves the namespace that it is in",
            "local-quota": "{field} is no field: a LocalQueue has no quota; its ClusterQueue has",
            "active": "{field} is no field: spec.active: false stops a Workload",
            "template": "{field} is no field: pods stand in template.spec",
            "class-preemption": "{field} is no field: a WorkloadPriorityClass has value and description "
            "only; who "
            "may preempt is the ClusterQueue's spec.preemption",
            "class-default": "{field} is no field: a WorkloadPriorityClass has value and description only, "
            "and none "
            "is the default",
            "class-top-level": "{field} is no field: value and description of a WorkloadPriorityClass stand "
            "at the "
            "top of the object",
            "check-strategy": "{field} is no field: how a check is used is set on the ClusterQueue "
            "(admissionChecksStrategy)",
            "retry-delay": "{field} is v1beta1's, where it had no effect any more; v1beta2 has no such field",
            "none": "{field} is no field of {kind} in {version}",
        },
        {
            "renamed": "write {right}",
            "older": "write {right}",
            "older-cohort": "write {right}",
            "newer": "write {right}",
            "elsewhere": "move it to {right}",
            "into-spec": "move it to {right}",
            "older-checks": "write admissionChecksStrategy",
            "older-priority": "write priorityClassRef",
            "newer-priority": "write apiVersion: kueue.x-k8s.io/v1beta2",
            "newer-source": "write apiVersion: kueue.x-k8s.io/v1beta2",
            "other-version": "drop it, or write it in {other}",
            "*": "take it out",
        },
        "The API server drops unknown fields without a word unless strict validation is on: everything "
        "applies, "
        "and the setting is not there. A ClusterQueue that lost its cohort can borrow from nobody.",
    ),
    "api-type": RuleWords(
        "A value of another type",
        {name: f"{{field}} is {{value}}, and must be {words}" for name, words in _TYPES.items()},
        "",
        "The API server refuses the object.",
    ),
    "api-required": RuleWords(
        "A field that must be there",
        "{field} is missing",
        "",
        "The API server refuses the object.",
    ),
    "api-enum": RuleWords(
        "A word that is not among the allowed ones",
        "{field} is {value}, and must be one of: {options}",
        "",
        "The API server refuses the object.",
    ),
    "api-range": RuleWords(
        "Too small, too large, too many",
        {
            "number": "{field} is {size}, and must be {limits}",
            "size": "{field} has {size} entries, and must have {limits}",
            "length": "{field} has {size} characters, and must have {limits}",
        },
        "",
        "The API server refuses the object.",
    ),
    "api-name": RuleWords(
        "A name that cannot be",
        {name: f"{{field}} is {{value}}, and must be {words}" for name, words in _SYNTAXES.items()},
        "",
        "The API server refuses the object.",
    ),
    "api-quantity": RuleWords(
        "No quantity",
        "{field} is {value}, and must be a quantity: a whole number, or a text such as 500m, 1.5 (in "
        "quotes) or 64Gi",
        "",
        "The API server refuses the object. A number with a fraction needs quotes.",
    ),
    "api-duplicate": RuleWords(
        "The same entry twice",
        "{field} has {value} twice; the first is {first}",
        "leave one of them out",
        "The API server refuses the object.",
    ),
    "metadata-name": RuleWords(
        "A name that an object cannot have",
        {
            "absent": "metadata.name is missing",
            "long": "metadata.name has more than 253 characters",
            "syntax": f"metadata.name is {{name}}, and must be {_SYNTAXES['subdomain']}",
        },
        "",
        "The API server refuses the object.",
    ),
    "metadata-labels": RuleWords(
        "A label or annotation that cannot be",
        {
            "key": f"{{value}} is no key of a label: {_SYNTAXES['label-key']}",
            "value": "{value} is no value of a label: at most 63 letters, digits, '-', '_' and '.'",
        },
        "",
        "The API server, or Kueue's webhook for the templates of a Workload, refuses the object.",
    ),
    "namespace-useless": RuleWords(
        "A namespace where there is none",
        "a {kind} is in no namespace",
        "take metadata.namespace out",
        "It belongs to the whole cluster; kubectl refuses it when --namespace says something else.",
    ),
    "long-name": RuleWords(
        "A name that is too long to be used",
        {
            "label": "the name has {size} characters; jobs name it in the label {label}, whose value has at "
            "most 63",
            "queue-label": "the name has {size} characters; above 63 pods do not carry it as a label, and "
            "metrics and "
            "selectors by cluster-queue-name leave it out",
            "pods": "the name has {size} characters; pods and their labels take it up and have 63",
        },
        "use at most 63 characters",
        "A LocalQueue or WorkloadPriorityClass with a longer name can be created, and no job can ever refer "
        "to it.",
    ),
    "unknown-key": RuleWords(
        "A key that Kueue does not read",
        {
            "namespace-queue": "Kueue reads no {key}: a namespace is joined to a ClusterQueue by a "
            "LocalQueue in it, "
            "and by the ClusterQueue's namespaceSelector",
            "default-queue": "Kueue reads no {key}: the default LocalQueue of a namespace is the one named "
            "default",
            "queue-name": "Kueue reads no {key}: the label kueue.x-k8s.io/queue-name names the LocalQueue",
            "priority": "Kueue reads no {key}: the label kueue.x-k8s.io/priority-class names the class",
            "near": "Kueue reads no {key}; did you mean {near}?",
            "none": "Kueue reads no {key}",
        },
        "take it out of {place}",
        "It has no effect, whatever it was meant to do.",
    ),
    "key-misplaced": RuleWords(
        "A label among the annotations, or the reverse",
        "{key} stands among the {place}; Kueue reads it among the {right}",
        "move it to metadata.{right}",
        "Where it stands it has no effect.",
    ),
    "defined-twice": RuleWords(
        "One object, two definitions",
        "this object is defined before, with other content ({first_place})",
        "keep one of them",
        "The one that is applied last wins, and which that is depends on the order of the files.",
    ),
    # --- quota -----------------------------------------------------------------------------------------
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
        "(resources.excludeResourcePrefixes, or "
        "quotaCheckStrategy: IgnoreUndeclared, in Kueue's Configuration)",
        "With the default quotaCheckStrategy a workload that asks for a resource which its ClusterQueue "
        "does not "
        "cover is never admitted.",
    ),
    # --- ClusterQueues and cohorts ---------------------------------------------------------------------
    "selector": RuleWords(
        "A selector that cannot be",
        {
            "key": f"{{value}} is no key of a label: {_SYNTAXES['label-key']}",
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
        "the check "
        "never runs.",
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
        "With the gate ConcurrentAdmission (off by default) the webhook refuses the ClusterQueue; without "
        "it the "
        "policy has no effect.",
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
    # --- flavors ---------------------------------------------------------------------------------------
    "flavor-labels": RuleWords(
        "Node labels that cannot be",
        {
            "key": f"{{value}} is no key of a label: {_SYNTAXES['label-key']}",
            "value": "{value} is no value of a label",
        },
        "",
        "The webhook refuses the ResourceFlavor.",
    ),
    "flavor-taints": RuleWords(
        "A taint that cannot be",
        {
            "key": f"{{value}} is no key of a taint: {_SYNTAXES['label-key']}",
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
            "key": f"{{value}} is no key of a taint: {_SYNTAXES['label-key']}",
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
        "flavor {flavor} has no nodeLabels, and is not the only one of its group: Kueue cannot steer pods "
        "to its nodes",
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
        "those "
        "without. A topology is implied only if every flavor of the queue has one.",
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
    # --- references ------------------------------------------------------------------------------------
    "flavor-missing": RuleWords(
        "A flavor that does not exist",
        _absent("ResourceFlavor", "flavor"),
        {"cluster": "create it, or take it out of the queue", "files": _ELSEWHERE},
        "The ClusterQueue is inactive: it admits nothing, not even by its other flavors.",
    ),
    "check-missing": RuleWords(
        "An admission check that does not exist",
        _absent("AdmissionCheck", "check"),
        {"cluster": "create it, or take it out of the queue", "files": _ELSEWHERE},
        "The ClusterQueue is inactive.",
    ),
    "topology-missing": RuleWords(
        "A topology that does not exist",
        _absent("Topology", "topology"),
        {"cluster": "create it", "files": _ELSEWHERE},
        "ClusterQueues that use the flavor are inactive.",
    ),
    "clusterqueue-missing": RuleWords(
        "A LocalQueue that points nowhere",
        _absent("ClusterQueue", "queue"),
        {
            "cluster": "create it, or name another (clusterQueue cannot be changed: create the LocalQueue "
            "anew)",
            "files": _ELSEWHERE,
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
        "controller of "
        "their own",
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
    # --- Workloads -------------------------------------------------------------------------------------
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
    # --- jobs ------------------------------------------------------------------------------------------
    "queue-name": RuleWords(
        "A queue name that cannot be",
        "the label kueue.x-k8s.io/queue-name is {value}, which can be no name of a LocalQueue",
        "name a LocalQueue, or take the label out",
        "The webhook refuses the job; the empty text is refused too.",
    ),
    "prebuilt-name": RuleWords(
        "A prebuilt Workload that cannot be",
        {
            "syntax": "{value} can be no name of a Workload",
            "kind": "a {value} takes no prebuilt Workload",
        },
        "",
        "The webhook refuses the job.",
    ),
    "max-exec-time": RuleWords(
        "A time limit that is no number",
        "the label kueue.x-k8s.io/max-exec-time-seconds is {value}, and must be a whole number above 0",
        "",
        "The webhook refuses the job.",
    ),
    "elastic-kind": RuleWords(
        "A kind that cannot be elastic",
        "a {kind} cannot be elastic; Job, RayCluster, RayJob and RayService can",
        "take the annotation out",
        "The webhook refuses the job.",
    ),
    "admission-gates": RuleWords(
        "Admission gates that cannot be",
        {
            "empty": '"{value}" has an empty name between commas',
            "twice": '"{value}" names a gate twice',
            "syntax": '"{value}": a gate is called DOMAIN/NAME',
            "long": '"{value}" has a name of more than 63 characters',
        },
        "",
        "The webhook refuses the object.",
    ),
    "no-queue": RuleWords(
        "A job without a queue",
        {
            "no": "no label kueue.x-k8s.io/queue-name, and no LocalQueue named default in namespace "
            "{namespace} is "
            "known: the job runs outside of Kueue, unless jobs without a queue name are managed",
            "yes": "no label kueue.x-k8s.io/queue-name, and no LocalQueue named default in namespace "
            "{namespace}: "
            "Kueue holds the job (manageJobsWithoutQueueName), and no queue takes it",
        },
        "set the label kueue.x-k8s.io/queue-name",
        "It is not queued and counts against no quota. manageJobsWithoutQueueName only says that Kueue "
        "holds such "
        "jobs; it does not pick a queue.",
    ),
    "queue-missing": RuleWords(
        "A LocalQueue that does not exist",
        {
            "cluster": "LocalQueue {queue} does not exist in namespace {namespace}{elsewhere_tail}",
            "files": "LocalQueue {queue} of namespace {namespace} is not in these files{elsewhere_tail}",
        },
        {"cluster": "create it{here_tail}", "files": _ELSEWHERE},
        "LocalQueues are namespaced. The Workload is made, and waits for ever.",
    ),
    "queue-stopped": RuleWords(
        "A queue that is stopped",
        "{queue} is stopped ({policy})",
        "resume it: kubectl kueue resume",
        "The workload waits; behind a stopped LocalQueue no list and no counter shows it.",
    ),
    "priority-class-missing": RuleWords(
        "A WorkloadPriorityClass that does not exist",
        _absent("WorkloadPriorityClass", "name"),
        {"cluster": "create it, or name another", "files": _ELSEWHERE},
        "No Workload is made: the job stays suspended with an error event.",
    ),
    "pod-priority-class": RuleWords(
        "A WorkloadPriorityClass named as the class of the pods",
        "{name} names a PriorityClass of pods, while it is a WorkloadPriorityClass: the label "
        "kueue.x-k8s.io/priority-class selects it",
        "set the label kueue.x-k8s.io/priority-class: {name}, and take priorityClassName out",
        "priorityClassName of a pod template names a PriorityClass of Kubernetes. Where there is none of "
        "this name, "
        "pods are refused.",
    ),
    "not-managed": RuleWords(
        "A kind that Kueue does not integrate",
        "Kueue does not integrate {kind} of {group}: the label kueue.x-k8s.io/queue-name has no effect on "
        "it (what it "
        "creates, a Deployment or pods, may be managed)",
        "label what it creates, or configure an external framework",
        "It runs outside of Kueue.",
    ),
    "integration-off": RuleWords(
        "An integration that is not on",
        {
            "yes": "the integration {framework} is not on in Kueue's Configuration: Kueue does not see this "
            "{kind}",
            "no": "the integration {framework} is not on by default: is it on in Kueue's Configuration?",
        },
        "add {framework} to integrations.frameworks",
        "The job runs outside of Kueue, or stays suspended if it was created so.",
    ),
    "queue-label-on-template": RuleWords(
        "The queue label on the pods",
        "the label kueue.x-k8s.io/queue-name stands on the pod template; for a {kind} Kueue reads that of "
        "the object",
        "move it to metadata.labels",
        "The job itself is not managed. Its pods may be, one by one, outside of any gang.",
    ),
    "cronjob-label": RuleWords(
        "The queue label on a CronJob",
        "Kueue does not read labels of a CronJob: the jobs that it creates need it",
        "move it to spec.jobTemplate.metadata.labels",
        "The jobs run outside of Kueue.",
    ),
    "partial-admission": RuleWords(
        "Partial admission that cannot be",
        {
            "number": "job-min-parallelism is {value}, and must be a whole number",
            "range": "job-min-parallelism is {value}, and must be above 0 and below the number of pods, "
            "{count}",
            "elastic": "job-min-parallelism does not go with elastic-job",
            "boolean": "job-completions-equal-parallelism is {value}, and must be true or false",
            "indexed": "job-completions-equal-parallelism needs completionMode: Indexed and completions = "
            "parallelism",
        },
        "",
        "The webhook refuses the Job.",
    ),
    "ray": RuleWords(
        "A Ray object that cannot be queued",
        {
            "autoscaling": "enableInTreeAutoscaling needs the annotation kueue.x-k8s.io/elastic-job: true",
            "groups": "more than 17 worker groups",
            "head": "a worker group cannot be called head",
            "both": "clusterSelector and rayClusterSpec exclude each other",
            "neither": "rayClusterSpec is missing",
            "shutdown": "shutdownAfterJobFinishes must be true",
        },
        "",
        "The webhook refuses the object.",
    ),
    "ray-too-many": RuleWords(
        "A RayJob with too many groups",
        "17 worker groups, the head and the submitter are 19 pod sets; a Workload has at most 18",
        "use at most 16 worker groups",
        "The RayJob is accepted, and its Workload is refused.",
    ),
    "spark": RuleWords(
        "A SparkApplication that cannot be queued",
        {"mode": "mode must be cluster", "dynamic": "dynamicAllocation cannot be used"},
        "",
        "The webhook refuses the object.",
    ),
    "pod-group": RuleWords(
        "A pod group that cannot be",
        {
            "name": "pod-group-total-count without pod-group-name",
            "count": "pod-group-name without the annotation pod-group-total-count",
            "syntax": "{value} can be no name of a group",
            "number": "pod-group-total-count is {value}, and must be a whole number above 0",
            "counts": "pod {value} of the same group has another pod-group-total-count",
            "queues": "pod {value} of the same group has another queue",
        },
        "",
        "The webhook refuses the pod; where pods of a group disagree, no Workload is made.",
    ),
    "managed-label": RuleWords(
        "The label managed",
        "the label kueue.x-k8s.io/managed is {value}; it may only be true, and Kueue sets it",
        "take it out",
        "The webhook refuses the pod.",
    ),
    "lws-replicas": RuleWords(
        "Replicas of a LeaderWorkerSet",
        "replicas is {value}, and must be 0 to 1,000,000",
        "",
        "The webhook refuses the object.",
    ),
    "suspend-false": RuleWords(
        "suspend: false in a managed job",
        "{field} is false; Kueue sets it to true when the job is created",
        "write true, or leave it out",
        "A tool that applies it again and again (GitOps) fights with Kueue over it.",
    ),
    "no-requests": RuleWords(
        "Pods that ask for nothing",
        "no container of {pods} requests anything: it is admitted for free and counts against no quota",
        "set resources.requests",
        "Only pods is counted, where it is covered.",
    ),
    "limits-only": RuleWords(
        "Limits without requests",
        "container {container} has limits of {resources} and no requests: the limits are charged",
        "set requests, if it needs less",
        "Kubernetes takes the limit for the request where there is none.",
    ),
    "requests-above-limits": RuleWords(
        "Requests above limits",
        "{resource} requests {asked}, above its limit {limit}",
        "",
        "The pods are refused; Kueue never admits the workload.",
    ),
    "limit-range": RuleWords(
        "Outside of the LimitRange",
        "{resource} is {asked}; LimitRange {range} allows {limit} for a container",
        "change the request, or the LimitRange",
        "Kueue never admits the workload.",
    ),
    "uncovered": RuleWords(
        "A resource that the ClusterQueue does not cover",
        "{pods} asks for {resource}{source_tail}, which ClusterQueue {queue} does not cover",
        "add {resource} to coveredResources with quota, or exclude it in Kueue's Configuration",
        "With the default quotaCheckStrategy the workload waits for ever.",
    ),
    "never-fits": RuleWords(
        "More than there can ever be",
        "{pods} asks for {asked} {resource}; ClusterQueue {queue} can have at most {most} in flavor {flavor}",
        "ask for less, or raise the quota",
        "Nominal quota and what may be borrowed together do not suffice: the workload waits for ever.",
    ),
    "no-flavor-fits": RuleWords(
        "No flavor for these pods",
        "no flavor of ClusterQueue {queue} takes the pods of {pods} ({why})",
        "change nodeSelector or tolerations, or the flavors",
        "The workload waits for ever.",
    ),
    "flavor-order": RuleWords(
        "The first pod set takes what the second needs",
        "{first} takes flavor {flavor}, the only one for {second}, though {other} would do for it",
        "list {other} before {flavor} in ClusterQueue {queue}, or pin {first} with a nodeSelector",
        "Pod sets are assigned one by one, in order. It may take another cycle, or never fit.",
    ),
    # --- topology --------------------------------------------------------------------------------------
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
    # --- changes ---------------------------------------------------------------------------------------
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
            "running": "{key} cannot change while the job is not suspended: {before} in the cluster, "
            "{after} here",
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
    # --- Configuration ---------------------------------------------------------------------------------
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
