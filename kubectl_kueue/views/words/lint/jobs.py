"""What `lint` says of jobs and pods."""

from collections.abc import Mapping

from kubectl_kueue.views.words.lint.rule import ELSEWHERE, RuleWords, absent

WORDS: Mapping[str, RuleWords] = {
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
            "{namespace} is known: the job runs outside of Kueue, unless jobs without a queue name are "
            "managed",
            "yes": "no label kueue.x-k8s.io/queue-name, and no LocalQueue named default in namespace "
            "{namespace}: Kueue holds the job (manageJobsWithoutQueueName), and no queue takes it",
        },
        "set the label kueue.x-k8s.io/queue-name",
        "It is not queued and counts against no quota. manageJobsWithoutQueueName only says that Kueue holds "
        "such jobs; it does not pick a queue.",
    ),
    "queue-missing": RuleWords(
        "A LocalQueue that does not exist",
        {
            "cluster": "LocalQueue {queue} does not exist in namespace {namespace}{elsewhere_tail}",
            "files": "LocalQueue {queue} of namespace {namespace} is not in these files{elsewhere_tail}",
        },
        {"cluster": "create LocalQueue {queue} in namespace {namespace}{here_tail}", "files": ELSEWHERE},
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
        absent("WorkloadPriorityClass", "name"),
        {"cluster": "create it, or name another", "files": ELSEWHERE},
        "No Workload is made: the job stays suspended with an error event.",
    ),
    "pod-priority-class": RuleWords(
        "A WorkloadPriorityClass named as the class of the pods",
        "{name} names a PriorityClass of pods, while it is a WorkloadPriorityClass: the label "
        "kueue.x-k8s.io/priority-class selects it",
        "set the label kueue.x-k8s.io/priority-class: {name}, and take priorityClassName out",
        "priorityClassName of a pod template names a PriorityClass of Kubernetes. Where there is none of "
        "this name, pods are refused.",
    ),
    "not-managed": RuleWords(
        "A kind that Kueue does not integrate",
        "Kueue does not integrate {kind} of {group}: the label kueue.x-k8s.io/queue-name has no effect on it "
        "(what it creates, a Deployment or pods, may be managed)",
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
        "add {framework} to integrations.frameworks of Kueue's Configuration",
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
}
