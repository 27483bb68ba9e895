"""What `lint` found: a page for people, a document and a report for programs. docs/lint.md describes them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.lint.catalogue import RULES, Rule
from kubectl_kueue.lint.found import Operation, Severity
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.run import Finding
from kubectl_kueue.lint.values import word
from kubectl_kueue.model.pointer import path_of
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.whole_number import is_digits
from kubectl_kueue.views.page import (
    Column,
    Document,
    Heading,
    Page,
    Remark,
    Report,
    RuleText,
    Span,
    Style,
    Table,
    Text,
)
from kubectl_kueue.views.words.lint.sentences import WORDS, advice, says

SCHEMA_VERSION = "v1"
DOCUMENTATION = "docs/lint.md"

_STYLES: Mapping[str, Style] = {"error": "bad", "warning": "warn", "info": "dim"}
_ORDER: tuple[Severity, ...] = ("error", "warning", "info")


class Place(NamedTuple):
    """Where an object stands: file ("" for a cluster), number of the document and line (0: unknown)."""

    file: str
    document: int = 0
    line: int = 0


class Located(NamedTuple):
    """A finding and where it is in a file."""

    finding: Finding
    place: Place


class Linted(NamedTuple):
    """One run: the findings, every object that was looked at with its place, what mends them (`patches`,
    together for each object), what could not be read, and what --fix did: files written, findings gone."""

    findings: Sequence[Located]
    items: Sequence[tuple[Item, Place]]
    patches: Sequence[tuple[Item, Place, Sequence[str], Sequence[Operation]]]
    missing: Mapping[str, str]
    whole: bool
    strict: bool = False
    written: Sequence[str] = ()
    mended: int = 0


def lint_page(linted: Linted) -> Page:
    """The count first, then the findings, file by file as they were read."""
    blocks: list[Any] = [Text([_verdict(linted)])]
    if linted.written:
        blocks.append(Text([_written(linted)], tight=True))
    file = None
    digits = max((len(str(each.place.line)) for each in linted.findings), default=0)
    for located in linted.findings:
        if located.place.file != file:
            file = located.place.file
            blocks.append(Heading(Span(file or "cluster", "strong")))
            tight = True
        blocks.append(Text(_line(located, digits), indent=0, tight=tight))
        if told := _advice(located.finding):
            blocks.append(Text([Span(f"-> {told}", "dim")], indent=9, tight=True))
        tight = True
    if footer := _footer(linted):
        blocks.append(Text([Span(footer, "dim")]))
    return Page(blocks)


def _verdict(linted: Linted) -> Span:
    counts = Counter(each.finding.severity for each in linted.findings)
    if not linted.items:
        return Span("Nothing to look at: there is no object of Kubernetes.", "warn")
    objects = _count(len(linted.items), "object")
    if not counts:
        return Span(f"Clean: nothing found in {objects}.", "good")
    told = ", ".join(_count(counts[each], each) for each in _ORDER if counts[each])
    style = _STYLES[next(each for each in _ORDER if counts[each])]
    return Span(f"{told} in {objects}.", style)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _written(linted: Linted) -> str:
    files = ", ".join(linted.written)
    return f"{_count(linted.mended, 'finding')} mended, written to {files}."


def _line(located: Located, digits: int) -> list[Span | str]:
    finding, place = located.finding, located.place
    where = f"{place.line:>{digits}}  " if place.line else ""
    return [
        Span(f"{finding.severity:<7}", _STYLES[finding.severity]),
        f"  {where}",
        Span(subject(finding.item), "strong"),
        f"  {_message(finding)}  ",
        Span(f"[{finding.found.rule}]", "dim"),
    ]


def _message(finding: Finding) -> str:
    """The sentence, after the field that it is about unless it begins with that."""
    text, field = says(finding.found), dotted(finding.found.pointer)
    if not field or text.startswith(field):
        return text
    name = field.rpartition(".")[2]
    return field + text.removeprefix(name) if text.startswith(f"{name} ") else f"{field}: {text}"


def _advice(finding: Finding) -> str:
    told = advice(finding.found)
    if finding.found.patch:
        return f"{told} (--fix does it)" if told else "--fix mends it"
    return told


def _footer(linted: Linted) -> str:
    parts = []
    if linted.missing:
        unread = "; ".join(f"{kind}: {why}" for kind, why in sorted(linted.missing.items()))
        parts.append(f"Not read: {unread}.")
    if not linted.whole and any("where" in each.finding.found.facts for each in linted.findings):
        parts.append(
            "References were looked up in these files only; --snapshot FILE or --live adds a cluster."
        )
    return " ".join(parts)


def subject(item: Item) -> str:
    """Kind/NAME, or Kind/NAMESPACE/NAME if the object says its namespace."""
    if item.kind == "File":
        return bare(item.name, 400)
    name = bare(item.name or word(item.value, "metadata", "generateName"), 253) or "(no name)"
    own = word(item.value, "metadata", "namespace")
    space = f"{bare(own, 63)}/" if own and item.namespace else ""
    return f"{bare(item.kind, 63)}/{space}{name}"


def dotted(pointer: str) -> str:
    """A JSON pointer as people write it: spec.podSets[0].count, metadata.labels["a.b/c"]."""
    text = ""
    for part in path_of(pointer):
        if is_digits(part):
            text += f"[{part}]"
        elif part.replace("_", "").replace("-", "").isalnum():
            text += f".{part}" if text else part
        else:
            text += f'["{bare(part, 120)}"]'
    return text


# --- for programs -----------------------------------------------------------------------------------------


def lint_document(linted: Linted) -> Document:
    """The document of -o json and yaml, with the report of -o junit, patch and sarif."""
    counts = Counter(each.finding.severity for each in linted.findings)
    data = {
        "schemaVersion": SCHEMA_VERSION,
        "summary": {
            "errors": counts["error"],
            "warnings": counts["warning"],
            "infos": counts["info"],
            "objects": len(linted.items),
            "files": len({place.file for _, place in linted.items}),
        },
        "findings": [_finding(each) for each in linted.findings],
        "written": list(linted.written),
        "mended": linted.mended,
        "missing": dict(sorted(linted.missing.items())),
    }
    names = list(dict.fromkeys(subject(each.finding.item) for each in linted.findings))
    return Document(data, names=names, report=_report(linted))


def _finding(located: Located) -> dict[str, Any]:
    (item, found, severity), place = located
    return {
        "severity": severity,
        "rule": found.rule,
        "object": _object(item),
        "pointer": found.pointer,
        "file": place.file,
        "document": place.document,
        "line": place.line,
        "message": _message(located.finding),
        "help": advice(found),
        "patch": list(found.patch),
    }


def _object(item: Item) -> dict[str, str]:
    if item.kind == "File":
        return {"apiVersion": "", "kind": "", "namespace": "", "name": ""}
    return {
        "apiVersion": item.api_version,
        "kind": item.kind,
        "namespace": item.namespace,
        "name": item.name,
    }


def _report(linted: Linted) -> Report:
    remarks = [
        Remark(
            each.finding.severity,
            each.finding.found.rule,
            subject(each.finding.item),
            each.place.file,
            each.place.line,
            _message(each.finding),
            advice(each.finding.found),
        )
        for each in linted.findings
    ]
    rules = {
        name: _rule_text(rule)._replace(address=f"kubectl kueue lint --explain {name}")
        for name, rule in RULES.items()
    }
    subjects = [(place.file, subject(item)) for item, place in linted.items]
    patches = [
        {
            "object": _object(item),
            "file": place.file,
            "document": place.document,
            "line": place.line,
            "rules": list(names),
            "patch": list(patch),
        }
        for item, place, names, patch in linted.patches
    ]
    return Report(remarks, rules, subjects, patches, linted.strict)


def _rule_text(rule: Rule) -> RuleText:
    words = WORDS[rule.id]
    why = words.why.replace("{{", "{").replace("}}", "}")
    return RuleText(words.title, rule.severity, why, f"{DOCUMENTATION}#{rule.id}")


# --- the rules --------------------------------------------------------------------------------------------


def rules_page() -> Page:
    """Every rule in a line, topic by topic."""
    topics: dict[str, list[Rule]] = {}
    for rule in RULES.values():
        topics.setdefault(rule.topic, []).append(rule)
    columns = [Column("RULE"), Column("SEVERITY"), Column("WHAT"), Column("SPEC", wide=True)]
    return Page(
        [
            Table(
                columns,
                [
                    [
                        rule.id,
                        Span(rule.severity, _STYLES[rule.severity]),
                        WORDS[rule.id].title,
                        ", ".join(rule.spec),
                    ]
                    for rule in rules
                ],
                title=topic,
            )
            for topic, rules in topics.items()
        ]
    )


def rules_document() -> Document:
    """Every rule for programs."""
    rules = [rule_data(rule) for rule in RULES.values()]
    return Document({"schemaVersion": SCHEMA_VERSION, "rules": rules}, names=list(RULES))


def rule_page(rule: Rule) -> Page:
    """What a rule is about, what it says, and what to do."""
    text = _rule_text(rule)
    words = WORDS[rule.id]
    blocks: list[Any] = [
        Text([Span(rule.id, "strong"), "  ", Span(rule.severity, _STYLES[rule.severity]), f"  {text.title}"]),
        Text([text.why]),
        Heading("It says"),
        *(Text([each], indent=2, tight=True) for each in sentences(words.says)),
    ]
    if todo := sentences(words.do):
        blocks += [Heading("What to do"), *(Text([each], indent=2, tight=True) for each in todo)]
    blocks.append(Text([Span(f"Spec: {', '.join(rule.spec)}. See {text.address}.", "dim")]))
    return Page(blocks)


def rule_document(rule: Rule) -> Document:
    """A rule for programs."""
    return Document({"schemaVersion": SCHEMA_VERSION, **rule_data(rule)}, names=[rule.id])


def rule_data(rule: Rule) -> dict[str, Any]:
    """A rule as a document holds it."""
    text = _rule_text(rule)
    return {
        "id": rule.id,
        "severity": rule.severity,
        "topic": rule.topic,
        "title": text.title,
        "why": text.why,
        "spec": list(rule.spec),
        "docs": text.address,
    }


def sentences(sentence: str | Mapping[str, str]) -> list[str]:
    """The sentences of a rule with their facts in capitals."""
    texts = [sentence] if isinstance(sentence, str) else list(dict.fromkeys(sentence.values()))
    return [text.format_map(_Capitals()) for text in texts if text]


class _Capitals(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "" if key.endswith("_tail") else key.upper()


def rules_markdown() -> str:
    """The part of docs/lint.md that lists the rules."""
    lines: list[str] = []
    topic = ""
    for rule in RULES.values():
        text, words = _rule_text(rule), WORDS[rule.id]
        if rule.topic != topic:
            topic = rule.topic
            lines += [f"## {topic}", ""]
        spec = ", ".join(rule.spec)
        lines += [f"### {rule.id}", "", f"**{text.title}** ({rule.severity}; spec {spec}). {text.why}", ""]
        lines += [f"- {each}" for each in sentences(words.says)]
        if todo := sentences(words.do):
            lines += ["", f"What to do: {'; or: '.join(todo)}."]
        lines.append("")
    return "\n".join(lines)
