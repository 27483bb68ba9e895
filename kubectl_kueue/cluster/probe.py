"""What doctor asks of a live server: GETs only, each on its own, so that no refusal hides another answer."""

from collections.abc import Sequence
from typing import NamedTuple

from kubectl_kueue.cluster.errands import at_once
from kubectl_kueue.cluster.kinds import KUEUE, VISIBILITY, Kind
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError, KueueError

METADATA = (
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
)

CRD = Kind("apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", False)
MORE_KINDS: tuple[Kind, ...] = (
    CRD,
    Kind("apiregistration.k8s.io", "APIService", "apiservices", False),
    Kind(
        "admissionregistration.k8s.io",
        "MutatingWebhookConfiguration",
        "mutatingwebhookconfigurations",
        False,
    ),
    Kind(
        "admissionregistration.k8s.io",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        False,
    ),
    Kind("discovery.k8s.io", "EndpointSlice", "endpointslices", True),
    Kind("", "Service", "services", True),
    Kind("jobset.x-k8s.io", "JobSet", "jobsets", True, (), ("v1alpha2",)),
    Kind("kubeflow.org", "MPIJob", "mpijobs", True, (), ("v2beta1",)),
    *(
        Kind("kubeflow.org", name, f"{name.lower()}s", True)
        for name in ("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
    ),
    Kind("trainer.kubeflow.org", "TrainJob", "trainjobs", True, (), ("v1alpha1",)),
    *(Kind("ray.io", name, f"{name.lower()}s", True) for name in ("RayJob", "RayCluster", "RayService")),
    Kind("workload.codeflare.dev", "AppWrapper", "appwrappers", True, (), ("v1beta2",)),
    Kind("sparkoperator.k8s.io", "SparkApplication", "sparkapplications", True, (), ("v1beta2",)),
    Kind("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkersets", True),
)
"""Kinds that doctor looks at besides those of the table."""


class Question(NamedTuple):
    """A list of a kind: in one namespace, or in all and, where that is forbidden, in `home`.

    `names`: these objects one by one instead (an object that is not there is no failure).
    """

    kind: Kind
    namespace: str | None = None
    home: str | None = None
    labels: str = ""
    fields: str = ""
    names: Sequence[str] = ()


class Answer(NamedTuple):
    """Pages of lists, or objects; `refusal` says why there are none, with `partly` none outside of `home`."""

    kind: Kind
    pages: Sequence[bytes]
    refusal: str = ""
    partly: bool = False


def ask(server: Server, questions: Sequence[Question]) -> list[Answer]:
    """The answers in the order of the questions. Raises KueueError only if the server does not answer at all
    or does not know who asks."""
    return at_once(lambda question: _answer(server, question), questions)


def created(server: Server) -> list[bytes]:
    """Metadata of all CustomResourceDefinitions, page by page; none if they may not be read."""
    try:
        return list(server.list(CRD, None, accept=METADATA))
    except ApiError:
        return []


def converts(server: Server, plurals: Sequence[str], version: str) -> dict[str, str]:
    """For each plural of Kueue what the server says instead of one object in `version`; "" if it reads it,
    left out if it may not be read or is not served."""

    def one(plural: str) -> str | None:
        return _said(server, f"/apis/{KUEUE}/{version}/{plural}?limit=1")

    said = zip(plurals, at_once(one, plurals), strict=True)
    return {plural: words for plural, words in said if words is not None}


def serves_visibility(server: Server) -> str:
    """What the server says instead of serving the visibility API: "" if it does, "not served", or why."""
    try:
        server.raw(f"/apis/{VISIBILITY}/v1beta2")
    except ApiError as error:
        return "not served" if error.status == 404 else refusal_words(error)
    return ""


def metrics(server: Server, namespace: str) -> tuple[str, str]:
    """Kueue's own metrics, through the API server's proxy, and why there are none."""
    service = "https:kueue-controller-manager-metrics-service:8443"
    try:
        found = server.raw(f"/api/v1/namespaces/{namespace}/services/{service}/proxy/metrics")
    except ApiError as error:
        absent = f"no Service {service.split(':')[1]} in namespace {namespace}"
        return "", absent if error.status == 404 else refusal_words(error)
    return found.decode(errors="replace"), ""


def refusal_words(error: ApiError) -> str:
    """A refusal in short."""
    if error.status == 403:
        return "forbidden"
    if error.status == 404:
        return "not served"
    return " ".join(str(error).split())


def _answer(server: Server, question: Question) -> Answer:
    kind = question.kind
    try:
        return Answer(kind, _pages(server, question, question.namespace))
    except ApiError as error:
        if error.status in (0, 401):
            raise
        refused = error
    if refused.status == 403 and kind.namespaced and question.home and question.namespace is None:
        try:
            return Answer(kind, _pages(server, question, question.home), "forbidden", partly=True)
        except ApiError as error:
            refused = error
    return Answer(kind, (), refusal_words(refused))


def _pages(server: Server, question: Question, namespace: str | None) -> list[bytes]:
    kind = question.kind
    if not question.names:
        return list(server.list(kind, namespace, labels=question.labels, fields=question.fields))
    server.version_of(kind)
    found = []
    for name in question.names:
        try:
            found.append(server.get(kind, namespace, name))
        except ApiError as error:
            if error.status != 404:
                raise
    return found


def _said(server: Server, path: str) -> str | None:
    try:
        server.raw(path)
    except ApiError as error:
        return None if error.status in (403, 404) else refusal_words(error)
    except KueueError as error:
        return str(error)
    return ""
