"""`snapshot`: what is carried, what is not, and that the answers stay the same."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.cli import snapshot as command
from kubectl_kueue.cli.filed import FileSource
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.source import Gathered
from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.topology.forest import TOPOLOGY_ANNOTATIONS
from kubectl_kueue.errors import KueueError
from kubectl_kueue.model import trim as snapshot_trim
from kubectl_kueue.model.carried import ANNOTATIONS
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.redact import redact
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.model.trim import Trimmed, trim
from kubectl_kueue.model.world import World
from kubectl_kueue.views import replay
from tests.api.fake import FakeServer
from tests.conftest import REPOSITORY, Kueue

HERE = Path(__file__).parent.parent
ACME = HERE / "cases" / "snapshot" / "acme.yaml"
OBJECTS = [each for each in yaml.safe_load_all(ACME.read_text()) if each]
TRIM_CASES = yaml.safe_load((ACME.parent / "trim.yaml").read_text())
REPORTS = sorted((HERE / "data" / "reports").glob("*.yaml"))
SCENARIOS = sorted((HERE / "data" / "conformance").glob("*/*.scenario.json"))[3::7]
DUMPS = [path for path in sorted(REPOSITORY.parent.glob("shared/dumps/*/json")) if path.is_dir()]
NOW = parse_time("2026-08-20T10:00:00Z")
SECRETS = ("hush", "aHVzaA")


def taken_from(path: Path) -> tuple[Trimmed, World]:
    session = Session()
    session.flags.snapshot = str(path)
    return command._taken(session)


# --- trim ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TRIM_CASES, ids=lambda case: case["name"])
def test_trim(case: dict[str, Any]) -> None:
    assert trim(case["object"]) == case["kept"]


def test_every_kind_is_carried_that_answers_need() -> None:
    carried = {each["kind"] for each in map(trim, OBJECTS) if each is not None}
    assert {each["kind"] for each in OBJECTS} - carried == {"Secret", "ConfigMap"}


def test_every_annotation_that_the_engine_reads_is_carried() -> None:
    engine = REPOSITORY / "kubectl_kueue" / "engine"
    text = "\n".join(path.read_text() for path in sorted(engine.rglob("*.py")))
    constants = re.findall(r'^([A-Z_]+) = "(kueue\.x-k8s\.io/[a-z-]+)"', text, re.MULTILINE)
    read = {
        value
        for name, value in constants
        if re.search(rf"\b{name}\b.*annotations|annotations.*\b{name}\b", text)
    }
    assert len(read) >= 6
    assert read | TOPOLOGY_ANNOTATIONS <= ANNOTATIONS


def test_no_secret_is_carried() -> None:
    trimmed, _ = taken_from(ACME)
    text = command.encoded(trimmed.document).decode()
    assert [secret for secret in SECRETS if secret in text] == []


def test_what_explains_is_carried() -> None:
    trimmed, _ = taken_from(ACME)
    document = trimmed.document
    assert document["features"] == {"PriorityBoost": True}
    assert document["config"]["fairSharing"] == {"preemptionStrategies": ["LessThanInitialShare"]}
    assert document["config"]["integrations"] == {"frameworks": ["batch/job"]}
    assert document["kueue"]["version"] == "v0.19.2"
    assert document["kueue"]["configuration"] == {
        "kind": "ConfigMap",
        "namespace": "acme-system",
        "name": "kueue-manager-config",
    }
    by_kind = {each["kind"]: each for each in document["objects"]}
    assert by_kind["Pod"]["status"]["conditions"][0]["reason"] == "Unschedulable"
    assert by_kind["Job"]["spec"] == {"suspend": True, "parallelism": 2}
    assert trimmed.left_out == {"Secret": 1, "ConfigMap": 2}


def test_events_of_the_last_hour_about_what_is_carried() -> None:
    trimmed, _ = taken_from(ACME)
    names = [each["metadata"]["name"] for each in trimmed.document["objects"] if each["kind"] == "Event"]
    assert names == ["acme-train.1"]
    assert trimmed.events_left_out == 1


def test_defaults_of_manifests_are_written_down(tmp_path: Path) -> None:
    manifest = tmp_path / "queue.yaml"
    manifest.write_text(
        "kind: LocalQueue\napiVersion: kueue.x-k8s.io/v1beta2\n"
        "metadata: {name: q}\nspec: {clusterQueue: cq, fairSharing: {}}\n"
    )
    trimmed, world = taken_from(manifest)
    written = trimmed.document["objects"][0]
    assert list(world.local_queues) == ["default/q"]
    assert written["metadata"]["namespace"] == "default"
    assert written["metadata"]["uid"] == world.local_queues["default/q"].metadata.uid
    assert written["spec"]["fairSharing"] == {"weight": "1"}


# --- a live cluster -----------------------------------------------------------------------------


class FakeSource:
    """A cluster that holds the objects of the case, and may not read Nodes."""

    namespace = "default"
    now = NOW

    def everything(self) -> Gathered:
        return Gathered(OBJECTS, {"Node": "forbidden"}, NOW, ("a remark",))


def live_session() -> Session:
    session = Session()
    session._source = FakeSource()  # type: ignore[assignment]
    return session


def test_a_live_cluster() -> None:
    trimmed, world = command._taken(live_session())
    document = trimmed.document
    assert document["origin"] == "live"
    assert document["now"] == "2026-08-20T10:00:00Z"
    assert document["missing"] == {"Node": "forbidden"}
    assert document["notes"] == ["a remark"]
    assert world.gates["PriorityBoost"]
    assert world.config.fair_sharing_enabled
    assert not world.steady


# --- the same answers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", [ACME, *REPORTS, *DUMPS, *SCENARIOS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_answers_stay_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "EXPLAINED", 5)
    trimmed, world = taken_from(path)
    original = FileSource(str(path), None, None).world()
    keys = replay.pending(original, command.EXPLAINED)
    before, after = replay.ask(original, keys), replay.ask(world, keys)
    assert replay.first_difference(before, after, str.__eq__) is None
    redacted, told = command._redacted(trimmed.document, world)
    assert told["proved"] == len(keys)
    assert "name" not in redacted.document


def test_a_changed_answer_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kueue: Kueue) -> None:
    def spoilt(document: dict[str, Any]) -> Any:
        found = redact(document)
        queue = next(each for each in found.document["objects"] if each["kind"] == "LocalQueue")
        queue["spec"]["stopPolicy"] = "Hold"
        return found

    monkeypatch.setattr("kubectl_kueue.model.redact.redact", spoilt)
    path = tmp_path / "kueue.json"
    path.write_text("the old one")
    finished = kueue("snapshot", "--snapshot", str(ACME), "--redact", "--file", str(path))
    assert finished.code == 1
    assert finished.stderr.startswith(
        "Error: --redact: under the new names the answer would differ (explain workload "
    )
    assert finished.stdout == ""
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def spoil(spec: dict[str, Any]) -> Any:
    def spoilt(value: dict[str, Any], world: World) -> dict[str, Any]:
        return {**value, "spec": spec} if value["kind"] == "LocalQueue" else completed(value, world)

    completed = snapshot_trim._completed
    return spoilt


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            {"clusterQueue": "other"},
            r"not be read to what it was made of \(LocalQueue acme-research/acme\)",
        ),
        ({"clusterQueue": 1}, r"could not be read back \(.*/spec/clusterQueue"),
    ],
)
def test_a_snapshot_that_is_read_otherwise_is_not_written(
    spec: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kubectl_kueue.model.trim._completed", spoil(spec))
    with pytest.raises(KueueError, match=message):
        taken_from(ACME)


# --- redaction ----------------------------------------------------------------------------------


def redacted_acme() -> Any:
    trimmed, _ = taken_from(ACME)
    return redact(trimmed.document)


def test_no_name_is_left() -> None:
    text = command.encoded(redacted_acme().document).decode().lower()
    assert [
        word for word in ("acme", "jane", "example/approver", "registry", "room", *SECRETS) if word in text
    ] == []


def test_what_is_the_same_stays_the_same() -> None:
    found = redacted_acme()
    by_kind = {each["kind"]: each for each in found.document["objects"]}
    workload, node, flavor = by_kind["Workload"], by_kind["Node"], by_kind["ResourceFlavor"]
    queue = by_kind["LocalQueue"]
    held = workload["status"]["admission"]["podSetAssignments"][0]
    level = held["topologyAssignment"]["slices"][0]["valuesPerLevel"]
    assert workload["spec"]["queueName"] == queue["metadata"]["name"]
    assert held["flavors"] == {"cpu": flavor["metadata"]["name"]}
    assert level[1] == {"individual": {"roots": [node["metadata"]["name"]]}}
    assert level[0] == {"universal": node["metadata"]["labels"]["example.com/rack"]}
    assert flavor["spec"]["nodeLabels"]["pool"] == node["metadata"]["labels"]["pool"]
    assert flavor["spec"]["nodeTaints"][0]["value"] == node["spec"]["taints"][0]["value"]
    assert (
        by_kind["Pod"]["metadata"]["annotations"]["kueue.x-k8s.io/workload"] == workload["metadata"]["name"]
    )
    assert by_kind["Job"]["metadata"]["uid"] == workload["metadata"]["ownerReferences"][0]["uid"]


def test_what_names_nobody_stays() -> None:
    found = redacted_acme()
    by_kind = {each["kind"]: each for each in found.document["objects"]}
    assert by_kind["Node"]["metadata"]["labels"]["kubernetes.io/arch"] == "amd64"
    assert by_kind["Deployment"]["spec"]["template"]["spec"]["containers"][0]["image"] == "kueue:v0.19.2"
    assert found.document["features"] == {"PriorityBoost": True}
    assert found.document["config"]["resources"] == {"excludeResourcePrefixes": ["example.com/ignored"]}
    first = next(each for each in found.document["objects"] if each["kind"] == "Workload")
    message = first["status"]["conditions"][0]["message"]
    flavor, pod_set = found.names["acme-spot"], found.names["acme-workers"]
    assert message == (
        f"couldn't assign flavors to pod set {pod_set}: "
        f"insufficient unused quota for cpu in flavor {flavor}, 1 more needed"
    )
    assert first["status"]["conditions"][1]["message"].startswith("(redacted ")


# --- files --------------------------------------------------------------------------------------


def test_a_file_and_what_is_told_about_it(tmp_path: Path, kueue: Kueue) -> None:
    path = tmp_path / "kueue.json"
    finished = kueue("snapshot", "--snapshot", str(ACME), "--file", str(path))
    assert finished.code == 0
    assert finished.stdout.startswith(f"Wrote {path} (")
    assert f"--snapshot {path}" in finished.stdout
    assert path.stat().st_mode & 0o777 == 0o600
    assert decode_world(read_source(str(path))).name == ""


def test_redacted_with_its_map(tmp_path: Path, kueue: Kueue) -> None:
    path = tmp_path / "kueue.json.gz"
    finished = kueue("snapshot", "--snapshot", str(ACME), "--file", str(path), "--redact", "-o", "json")
    assert finished.code == 0
    told = json.loads(finished.stdout)
    names = json.loads((tmp_path / "kueue.json.gz.map").read_text())
    assert (tmp_path / "kueue.json.gz.map").stat().st_mode & 0o777 == 0o600
    text = gzip.decompress(path.read_bytes()).decode()
    assert names["acme-gpu"] in text
    assert told["bytes"] == path.stat().st_size
    assert told["compared"] == {"explained": 1, "pending": 1}
    key = f"{names['acme-research']}/{names['job-acme-train-1f2e3']}"
    before = kueue("explain", "acme-research/job-acme-train-1f2e3", "--snapshot", str(ACME), "-o", "json")
    after = kueue("explain", key, "--snapshot", str(path), "-o", "json")
    assert json.loads(before.stdout)["verdict"] == json.loads(after.stdout)["verdict"]


def test_without_a_file_it_is_printed(kueue: Kueue) -> None:
    finished = kueue("snapshot", "--snapshot", str(ACME))
    assert finished.code == 0
    assert json.loads(finished.stdout)["origin"] == "manifests"


def test_a_snapshot_of_a_snapshot_is_the_same(tmp_path: Path, kueue: Kueue) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    kueue("snapshot", "--snapshot", str(SCENARIOS[0]), "--file", str(first))
    kueue("snapshot", "--snapshot", str(first), "--file", str(second))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--redact"], "--redact needs --file FILE"),
        (["--file", ""], "--file is empty"),
        (["-o", "table"], "a snapshot is -o json or -o yaml, not table"),
        (["--file", "/nowhere/kueue.json"], "cannot write /nowhere/kueue.json: No such file or directory"),
    ],
)
def test_refusals(arguments: list[str], message: str, kueue: Kueue) -> None:
    finished = kueue("snapshot", "--snapshot", str(ACME), *arguments)
    assert finished.code == 1
    assert message in finished.stderr
    assert finished.stdout == ""


# --- from an API server -------------------------------------------------------------------------


def test_from_an_api_server(tmp_path: Path, kueue: Kueue) -> None:
    path = tmp_path / "kueue.json"
    with FakeServer() as server:
        config = str(server.kubeconfig(tmp_path / "config"))
        finished = kueue("snapshot", "--kubeconfig", config, "--file", str(path), "--redact")
    assert (finished.stderr, finished.code) == ("", 0)
    document = json.loads(path.read_text())
    assert document["origin"] == "live"
    assert {"Workload", "ClusterQueue", "LocalQueue"} <= {each["kind"] for each in document["objects"]}
