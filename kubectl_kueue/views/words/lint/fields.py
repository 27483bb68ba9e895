"""What `lint` says of files, versions, fields, names and labels."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import SYNTAXES, RuleWords

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

WORDS: Mapping[str, RuleWords] = {
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
        "written anew, and a CRD whose status.storedVersions still names v1alpha1 cannot be upgraded.",
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
            "field, and the queue would be in no cohort",
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
            "larger weight means a larger share",
            "own-weight": "{field} is no field: each queue carries its own spec.fairSharing.weight",
            "minimum": "{field} is no field: nominalQuota of a resource in spec.resourceGroups is the "
            "guaranteed amount",
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
            "and borrowWithinCohort",
            "members": "{field} is no field: members name their cohort (cohortName, parentName), not the "
            "reverse",
            "own-namespace": "{field} is no field: a LocalQueue serves the namespace that it is in",
            "local-quota": "{field} is no field: a LocalQueue has no quota; its ClusterQueue has",
            "active": "{field} is no field: spec.active: false stops a Workload",
            "template": "{field} is no field: pods stand in template.spec",
            "class-preemption": "{field} is no field: a WorkloadPriorityClass has value and description "
            "only; who may preempt is the ClusterQueue's spec.preemption",
            "class-default": "{field} is no field: a WorkloadPriorityClass has value and description only, "
            "and none is the default",
            "class-top-level": "{field} is no field: value and description of a WorkloadPriorityClass stand "
            "at the top of the object",
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
        "applies, and the setting is not there. A ClusterQueue that lost its cohort can borrow from nobody.",
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
        {name: f"{{field}} is {{value}}, and must be {words}" for name, words in SYNTAXES.items()},
        "",
        "The API server refuses the object.",
    ),
    "api-quantity": RuleWords(
        "No quantity",
        "{field} is {value}, and must be a quantity: a whole number, or a text such as 500m, 1.5 (in quotes) "
        "or 64Gi",
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
            "syntax": f"metadata.name is {{name}}, and must be {SYNTAXES['subdomain']}",
        },
        "",
        "The API server refuses the object.",
    ),
    "metadata-labels": RuleWords(
        "A label or annotation that cannot be",
        {
            "key": f"{{value}} is no key of a label: {SYNTAXES['label-key']}",
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
            "metrics and selectors by cluster-queue-name leave it out",
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
            "LocalQueue in it, and by the ClusterQueue's namespaceSelector",
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
}
