"""An extension API server with the places in the queues, as Kueue's manager has one: started by `cluster.py`.

    python -m benchmarks.visibility PORT CERTIFICATE KEY QUEUES EACH

Its answers about the world of that size are made before the first question comes, so that its own time counts
for little.
"""

import asyncio
import json
import ssl
import sys

from benchmarks.world import VISIBILITY, Object, Size, namespace_of, queued

ROOT = f"/apis/{VISIBILITY}"


def answers(size: Size) -> dict[str, bytes]:
    """Bodies by path: discovery, and a summary for each ClusterQueue."""
    names = {"name": "clusterqueues/pendingworkloads", "kind": "PendingWorkloadsSummary", "verbs": ["get"]}
    resources: Object = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": VISIBILITY}
    resources["resources"] = [
        {
            "name": "clusterqueues",
            "singularName": "",
            "namespaced": False,
            "kind": "ClusterQueue",
            "verbs": [],
        },
        {**names, "singularName": "", "namespaced": False},
    ]
    found = {ROOT: json.dumps(resources).encode()}
    for queue in range(size.queues):
        items = [
            {
                "metadata": {"name": name, "namespace": namespace_of(queue)},
                "priority": priority,
                "localQueueName": f"lq-{queue}",
                "positionInClusterQueue": place,
                "positionInLocalQueue": place,
            }
            for place, (name, priority) in enumerate(queued(queue, size))
        ]
        summary = {
            "kind": "PendingWorkloadsSummary",
            "apiVersion": VISIBILITY,
            "metadata": {},
            "items": items,
        }
        found[f"{ROOT}/clusterqueues/cq-{queue}/pendingworkloads"] = json.dumps(summary).encode()
    return found


async def serve(port: int, certificate: str, key: str, size: Size) -> None:
    known = answers(size)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1].decode().partition("?")[0]
                body = known.get(path)
                status = b"404 Not Found" if body is None else b"200 OK"
                body = body or b"{}"
                writer.write(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\n" % status)
                writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port, ssl=tls)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), sys.argv[2], sys.argv[3], Size(int(sys.argv[4]), int(sys.argv[5]))))
