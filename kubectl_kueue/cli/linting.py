"""Where linting meets files and clusters: reading manifests with their lines, looking around, writing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_kueue.errors import ApiError, InputError
from kubectl_kueue.lint.catalogue import RULES
from kubectl_kueue.lint.found import Operation, found
from kubectl_kueue.lint.items import Item, is_object, item_of
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.lint.run import Finding, lint
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import mapping, word
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.views.lint import Linted, Located, Place

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session

_ROUNDS = 10
"""How often files are looked at again after they were mended."""


class Manifest(NamedTuple):
    """One file: its name and text, the objects in it, or why it cannot be read."""

    source: str
    text: str
    objects: Sequence["Placed"] = ()
    problem: str = ""
    severity: str = "error"


class Placed(NamedTuple):
    """An object in a document; `base` is its JSON pointer there ("" if it is the document)."""

    value: dict[str, Any]
    document: int
    base: str
    within: str = ""  # of a Configuration in a ConfigMap: the text that it is written in


class Around(NamedTuple):
    """What a cluster or snapshot adds: its objects, what could not be read, Kueue's Configuration."""

    objects: Sequence[dict[str, Any]] = ()
    missing: Mapping[str, str] = {}
    settings: Mapping[str, Any] | None = None
    there: bool = False


def run_lint(
    session: "Session", paths: Sequence[str], *, live: bool, fix: bool, chosen: frozenset[str]
) -> Linted:
    """Read everything, find, and with `fix` write what can be mended. Raises InputError, ApiError."""
    snapshot = session.flags.snapshot
    around = _around(session, live=live) if live or (snapshot is not None and paths) else Around()
    home = session.flags.namespace or (session.source().namespace if live else None) or "default"
    if paths or snapshot is not None:
        manifests = [each for path in paths or [snapshot or ""] for each in _read(path)]
    else:
        manifests = [Manifest("", "", [Placed(each, 0, "") for each in around.objects])]
        around = around._replace(objects=())
    whole = around.there or not paths
    run = _Run(manifests, around, home, whole, chosen)
    written: list[str] = []
    before = len(run.findings)
    if fix:
        written = _fix(run)
    return run.linted(written, before - len(run.findings) if fix else 0)


# --- reading ------------------------------------------------------------------------------------------------


def _read(path: str) -> Iterator[Manifest]:
    import os

    from kubectl_kueue.cluster.files import read_contents

    folder = os.path.isdir(path)
    for source, data in read_contents(path):
        yield _manifest(source, data, folder=folder)


def _manifest(source: str, data: bytes, *, folder: bool) -> Manifest:
    """The objects of a file. What a folder holds besides manifests of Kueue is nobody's error."""
    from kubectl_kueue.cluster.files import documents_in

    text = data.decode(errors="replace")
    try:
        documents = documents_in(source, data)
    except InputError as error:
        ours = not folder or ("kueue.x-k8s.io" in text and "{{" not in text)
        return Manifest(source, text, problem=str(error), severity="error" if ours else "info")
    objects: list[Placed] = []
    for document in documents:
        objects += _objects(msgspec.json.decode(document.content), document.index, "")
    if not documents and not folder:
        return Manifest(source, text, problem=f"{source}: empty, there is no document in it")
    return Manifest(source, text, objects)


def _objects(value: Any, document: int, base: str) -> Iterator[Placed]:
    """The objects of a document: itself, or those of a list, a snapshot or an array."""
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _objects(each, document, f"{base}/{index}")
    elif isinstance(value, dict) and not word(value, "kind") and isinstance(value.get("objects"), list):
        yield from _objects(value["objects"], document, f"{base}/objects")
    elif is_object(value) and value["kind"].endswith("List") and isinstance(value.get("items"), list):
        head = {"apiVersion": value["apiVersion"], "kind": value["kind"].removesuffix("List")}
        for index, each in enumerate(value["items"]):
            whole = {**head, **each} if isinstance(each, dict) and head["kind"] else each
            yield from _objects(whole, document, f"{base}/items/{index}")
    elif is_object(value):
        yield Placed(value, document, base)
        yield from _configurations(value, document, base)


def _configurations(value: dict[str, Any], document: int, base: str) -> Iterator[Placed]:
    """Kueue's Configuration in a ConfigMap."""
    from kubectl_kueue.cluster.yaml_text import read_yaml

    if value["kind"] != "ConfigMap":
        return
    for key, text in mapping(value, "data").items():
        if not isinstance(text, str) or "config.kueue.x-k8s.io" not in text:
            continue
        try:
            inner = read_yaml(text, key)
        except InputError:
            continue
        for each in inner:
            if is_object(each.value) and each.value["kind"] == "Configuration":
                metadata = {"metadata": {"name": word(value, "metadata", "name")}}
                yield Placed({**metadata, **each.value}, document, base + pointer("data", key), text)


def _around(session: "Session", *, live: bool) -> Around:
    try:
        gathered = session.source().everything()
    except ApiError as error:
        if not live or error.status != 403:
            raise
        return _readable(session)
    config = msgspec.to_builtins(gathered.head.config) if gathered.head is not None else {}
    return Around(gathered.documents, gathered.missing, config or None, there=True)


def _readable(session: "Session") -> Around:
    """What somebody may see who may not see Workloads."""
    from kubectl_kueue.cli.contents import REFERRED, read_kinds

    missing = {"Workload": "forbidden"}
    objects = [msgspec.json.decode(raw) for raw in read_kinds(session, REFERRED, missing)]
    return Around(objects, missing, there=True)


# --- one run ------------------------------------------------------------------------------------------------


class _Run:
    """The findings about a set of files, as they are now."""

    def __init__(
        self, manifests: Sequence[Manifest], around: Around, home: str, whole: bool, chosen: frozenset[str]
    ) -> None:
        self.manifests = list(manifests)
        self.around = around
        self.home = home
        self.whole = whole
        self.chosen = chosen
        self.look()

    def look(self) -> None:
        """Find everything anew."""
        self.items: list[Item] = []
        self.places: list[tuple[Manifest, Placed]] = []
        for manifest in self.manifests:
            for placed in manifest.objects:
                self.items.append(item_of(placed.value, len(self.items), self.home))
                self.places.append((manifest, placed))
        outside = [item_of(each, -1, self.home) for each in self.around.objects if is_object(each)]
        recorded = any(item.is_kueue and word(item.value, "metadata", "uid") for item in self.items)
        scene = Scene(
            self.items,
            outside,
            whole=self.whole or recorded,
            unread=self.around.missing,
            settings=self._settings(outside),
        )
        self.scene = scene
        self.findings = [each for each in lint(scene) if each.found.rule in self.chosen]

    def _settings(self, outside: Sequence[Item]) -> Mapping[str, Any] | None:
        """Kueue's Configuration: that of the files, else of the cluster."""
        for item in self.items:
            if item.kind == "Configuration" and item.group == "config.kueue.x-k8s.io":
                return item.value
        for item in outside:
            for placed in _configurations(item.value, 0, ""):
                return placed.value
            if item.kind == "Configuration" and item.group == "config.kueue.x-k8s.io":
                return item.value
        return self.around.settings

    def fixes(self) -> list[tuple[int, list[str], list[Operation]]]:
        """Number of each object that can be mended, by which rules, and the whole patch."""
        patches: dict[int, list[Finding]] = {}
        for finding in self.findings:
            if finding.found.patch and not self._within(finding.item):
                patches.setdefault(finding.item.number, []).append(finding)
        fixes = []
        for number, findings in patches.items():
            _, made = mended(self.items[number].value, [each.found.patch for each in findings])
            if made:
                names = list(dict.fromkeys(each.found.rule for each in findings))
                fixes.append((number, names, made))
        return fixes

    def _within(self, item: Item) -> bool:
        return bool(self.places[item.number][1].within)

    def linted(self, written: Sequence[str], gone: int) -> Linted:
        """The answer."""
        lines = _Lines()
        unreadable = [each for each in map(_unreadable, self.manifests) if each is not None]
        kept = [each for each in unreadable if each.finding.found.rule in self.chosen]
        located = [Located(each, self._place(each, lines)) for each in self.findings]
        order = {manifest.source: index for index, manifest in enumerate(self.manifests)}
        findings = [self._named(each, lines) for each in (*kept, *located)]
        findings.sort(key=lambda each: (order[each.place.file], each.place.document, each.place.line))
        fixes = [
            (self.items[number], self._item_place(number, "", lines), names, patch)
            for number, names, patch in self.fixes()
        ]
        items = [(item, Place(self.places[item.number][0].source)) for item in self.items]
        return Linted(
            findings, items, fixes, self.around.missing, self.scene.whole, written=written, mended=gone
        )

    def _place(self, finding: Finding, lines: "_Lines") -> Place:
        return self._item_place(finding.item.number, finding.found.pointer, lines)

    def _item_place(self, number: int, where: str, lines: "_Lines") -> Place:
        manifest, placed = self.places[number]
        line = lines.of(manifest, placed, where)
        return Place(manifest.source, placed.document, line)

    def _named(self, located: Located, lines: "_Lines") -> Located:
        """Where the first definition of an object stands, in words."""
        finding = located.finding
        if finding.found.rule != "defined-twice":
            return located
        place = self._item_place(int(finding.found.facts["first"]), "", lines)
        text = f"{place.file}:{place.line}" if place.line else place.file
        facts = {**finding.found.facts, "first_place": text}
        return Located(finding._replace(found=finding.found._replace(facts=facts)), located.place)


def _unreadable(manifest: Manifest) -> Located | None:
    if not manifest.problem:
        return None
    item = Item({}, "", "", "File", "", manifest.source)
    text = manifest.problem.removeprefix(manifest.source).lstrip(", :")
    line = re.match(r"(?:document [0-9]+ \()?line ([0-9]{1,18})\)?: ", text)
    fact = found("unreadable", "", error=text[line.end() :] if line else text)
    severity = "info" if manifest.severity == "info" else RULES["unreadable"].severity
    return Located(Finding(item, fact, severity), Place(manifest.source, 0, int(line[1]) if line else 0))


class _Lines:
    """Lines of values, each file walked through once and only if something was found in it."""

    def __init__(self) -> None:
        self._files: dict[str, list[dict[str, int]]] = {}

    def of(self, manifest: Manifest, placed: Placed, where: str) -> int:
        from kubectl_kueue.cluster.yaml_lines import nearest_line, pointer_lines

        if not manifest.source:
            return 0
        if manifest.source not in self._files:
            self._files[manifest.source] = pointer_lines(manifest.text)
        documents = self._files[manifest.source]
        if placed.document > len(documents):
            return 0
        lines = documents[placed.document - 1]
        if placed.within:
            inner = pointer_lines(placed.within)
            return nearest_line(lines, placed.base) + (nearest_line(inner[0], where) if inner else 0)
        return nearest_line(lines, placed.base + where)


# --- writing ------------------------------------------------------------------------------------------------


def _fix(run: _Run) -> list[str]:
    """Mend the files until nothing is left to mend, and write those that changed."""
    from kubectl_kueue.cluster.write_file import write_files

    before = {manifest.source: manifest.text for manifest in run.manifests}
    for _ in range(_ROUNDS):
        patches = _by_file(run)
        if not patches:
            break
        run.manifests = [_patched(each, patches.get(each.source)) for each in run.manifests]
        run.look()
    changed = {each.source: each.text.encode() for each in run.manifests if each.text != before[each.source]}
    write_files(changed, private=False)
    return list(changed)


def _by_file(run: _Run) -> dict[str, dict[int, list[Operation]]]:
    """File -> document -> patch of the document."""
    patches: dict[str, dict[int, list[Operation]]] = {}
    for number, _, operations in run.fixes():
        manifest, placed = run.places[number]
        document = patches.setdefault(manifest.source, {}).setdefault(placed.document, [])
        document += [_based(each, placed.base) for each in operations]
    return patches


def _based(operation: Operation, base: str) -> Operation:
    """An operation on an object as one on the document that holds it."""
    return {key: base + value if key in ("path", "from") else value for key, value in operation.items()}


def _patched(manifest: Manifest, patches: Mapping[int, Sequence[Operation]] | None) -> Manifest:
    from kubectl_kueue.cluster.yaml_edit import patch_text

    if not patches:
        return manifest
    text = patch_text(manifest.text, manifest.source, patches)
    return _manifest(manifest.source, text.encode(), folder=True)
