"""A kube-apiserver to measure against, and how a world gets into it.

Namespaces and definitions go the usual way. The rest is written into etcd as the server itself would store
it, a hundred objects a request: ten thousand Workloads take seconds instead of minutes, and have the times
and uids that the world gives them.
"""

import base64
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from benchmarks.timing import ROOT
from benchmarks.world import KUEUE, VISIBILITY, Object, Size
from tests.cluster.apiserver import ApiServer, Refused, find_binaries, running_apiserver, running_etcd
from tests.cluster.crds import own_crds
from tests.cluster.loading import install

AT_ONCE = 100
"""Changes in one transaction, as etcd has it."""
PREFIX = "measured"
PLURALS = {
    "ResourceFlavor": "resourceflavors",
    "ClusterQueue": "clusterqueues",
    "LocalQueue": "localqueues",
    "Workload": "workloads",
}


class Cluster(NamedTuple):
    server: ApiServer
    etcd: str
    folder: Path

    def put(self, objects: Iterable[Object]) -> None:
        """Store objects; those that are there already are replaced. Namespaces must not be changed."""
        waiting = iter(objects)
        with closing(http.client.HTTPConnection(urlsplit(self.etcd).netloc, timeout=60)) as etcd:
            while batch := list(islice(waiting, AT_ONCE)):
                for item in batch:
                    if item["kind"] == "Namespace":
                        self._create_namespace(item["metadata"]["name"])
                puts = [{"requestPut": _put(item)} for item in batch if item["kind"] != "Namespace"]
                etcd.request("POST", "/v3/kv/txn", json.dumps({"success": puts}))
                response = etcd.getresponse()
                answer = response.read()
                if response.status != 200:
                    raise Refused(response.status, answer.decode())

    @contextmanager
    def showing_places(self, size: Size) -> Iterator[None]:
        """Serves the visibility API of a world through the server, as Kueue's manager does."""
        with closing(socket.create_server(("127.0.0.1", 0))) as listener:
            port = listener.getsockname()[1]
        certs = self.folder / "certs"
        words = [port, certs / "apiserver.crt", certs / "apiserver.key", *size]
        command = [sys.executable, "-m", "benchmarks.visibility", *map(str, words)]
        with subprocess.Popen(command, cwd=ROOT) as process:
            try:
                self._aggregate(port)
                yield
            finally:
                process.terminate()

    def _aggregate(self, port: int) -> None:
        """Tell the server who answers for the group, and wait until it believes it."""
        group, _, version = VISIBILITY.partition("/")
        service = {"name": "visibility", "namespace": "default"}
        body: Object = {"apiVersion": "v1", "kind": "Service", "metadata": service}
        body["spec"] = {"type": "ExternalName", "externalName": "localhost"}
        self.server.call("POST", "/api/v1/namespaces/default/services", body)
        body = {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService"}
        body["metadata"] = {"name": f"{version}.{group}"}
        body["spec"] = {
            "group": group,
            "version": version,
            "groupPriorityMinimum": 100,
            "versionPriority": 100,
            "insecureSkipTLSVerify": True,
            "service": {**service, "port": port},
        }
        self.server.call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", body)
        deadline = time.monotonic() + 60
        while self.server.find(f"/apis/{group}") is None or not self._answers():
            if time.monotonic() > deadline:
                raise RuntimeError("the visibility API does not come up")
            time.sleep(0.2)

    def _answers(self) -> bool:
        try:
            return bool(self.server.call("GET", f"/apis/{VISIBILITY}/clusterqueues/cq-0/pendingworkloads"))
        except Refused:
            return False

    def _create_namespace(self, name: str) -> None:
        if self.server.find(f"/api/v1/namespaces/{name}") is None:
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            self.server.call("POST", "/api/v1/namespaces", body)


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """An API server that knows Kueue's kinds and has none of their objects. Raises FileNotFoundError without
    the binaries."""
    binaries = find_binaries()
    if binaries is None:
        raise FileNotFoundError("no kube-apiserver and etcd: run tests/cluster/build.sh once")
    with (
        running_etcd(binaries, folder) as etcd,
        running_apiserver(binaries, folder / PREFIX, etcd) as server,
    ):
        install(server, own_crds(("v1beta2",)))
        yield Cluster(server, etcd, folder / PREFIX)


def _put(item: Object) -> dict[str, str]:
    metadata = item["metadata"]
    place = [
        PREFIX,
        KUEUE.partition("/")[0],
        PLURALS[item["kind"]],
        metadata.get("namespace"),
        metadata["name"],
    ]
    key = "/" + "/".join(filter(None, place))
    return {"key": _base64(key), "value": _base64(json.dumps(item, separators=(",", ":")))}


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
