"""More objects than fit on a page: asked for page by page, and again when the server forgets the place."""

import base64
import http.server
import json
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.cluster.apiserver import ApiServer, Request
from tests.cluster.conftest import Answer, Kueue, Start
from tests.cluster.loading import load

PATH = "/apis/kueue.x-k8s.io/v1beta2/namespaces/many/workloads"
PLACE = "kueue.x-k8s.io/workloads/many"
NAMES = [f"w-{number:04}" for number in range(1200)]
FIRST = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "Workload",
    "metadata": {"name": NAMES[0], "namespace": "many"},
    "spec": {
        "queueName": "main",
        "podSets": [{"template": {"spec": {"containers": [{"name": "c", "image": "example.com/c"}]}}}],
    },
}
HUNDRED = {"KUEUECTL_LIST_REQUEST_LIMIT": "100"}


@pytest.fixture(scope="module", autouse=True)
def _many(start: Start) -> Iterator[None]:
    """A namespace with 1200 workloads, for as long as these tests run."""
    server = start("v1beta2")
    load(server, [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "many"}}, FIRST])
    server.multiply(PLACE, NAMES[0], NAMES[1:])
    yield
    server.clear(PLACE)


@pytest.mark.parametrize(("limit", "pages"), [("100", 12), ("500", 3), ("0", 1)])
def test_a_long_list_is_one_list(kueue: Kueue, limit: str, pages: int) -> None:
    answer = kueue("list", "workload", "-n", "many", "-o", "json", env={"KUEUECTL_LIST_REQUEST_LIMIT": limit})
    assert answer.code == 0, answer.stderr
    assert _names(answer) == NAMES
    asked = _pages(answer.requests)
    assert len(asked) == pages
    assert all(f"limit={limit}" in request.uri for request in asked) == (pages > 1)


def test_a_table_has_one_header(kueue: Kueue) -> None:
    answer = kueue("list", "workload", "-n", "many", env=HUNDRED)
    lines = answer.stdout.splitlines()
    assert (len(lines), lines[0].split()[0], lines[-1].split()[0]) == (1201, "NAME", NAMES[-1])
    assert sum(line.startswith("NAME") for line in lines) == 1


def test_an_expired_place_starts_the_list_again(server: ApiServer, kueue: Kueue) -> None:
    server.compact()
    with _forgetful(server, page=4) as url:
        arguments = ("--server", url, "--token", "admin", "list", "workload", "-n", "many", "-o", "json")
        answer = kueue(*arguments, env=HUNDRED)
    assert answer.code == 0, answer.stderr
    assert _names(answer) == NAMES
    assert [request.status for request in _pages(answer.requests)].count(410) == 1


def _names(answer: Answer) -> list[str]:
    return [item["metadata"]["name"] for item in json.loads(answer.stdout)["items"]]


def _pages(requests: list[Request]) -> list[Request]:
    return [request for request in requests if request.uri.startswith(PATH)]


@contextmanager
def _forgetful(server: ApiServer, page: int) -> Iterator[str]:
    """The URL of a proxy that sends one continue token as it was long ago, so that the server knows it no
    more."""
    seen = 0

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            nonlocal seen
            head, mark, token = self.path.partition("continue=")
            seen += bool(mark)
            if mark and seen == page:
                token, *rest = token.split("&", 1)
                self.path = "&".join([head + mark + _of_old(token), *rest])
            status, body = server.forward(self.path, dict(self.headers))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{proxy.server_port}"
        finally:
            proxy.shutdown()
            thread.join()


def _of_old(token: str) -> str:
    """The same place in the list, at the beginning of time."""
    text = urllib.parse.unquote(token)
    place = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return base64.urlsafe_b64encode(json.dumps({**place, "rv": 2}).encode()).decode().rstrip("=")
