"""Findings for tools that read code analyses (SARIF 2.1.0), and the JSON patches that mend them."""

import re
from collections.abc import Mapping
from typing import Any, TextIO

from kubectl_kueue import __version__
from kubectl_kueue.output.text import HOSTILE_BEYOND_ASCII, visible
from kubectl_kueue.views.page import Document, Remark, Report

_LEVELS: Mapping[str, str] = {"error": "error", "warning": "warning", "info": "note"}


def report_of(document: Document) -> Report:
    """The report of an answer that has findings about files."""
    assert document.report is not None
    return document.report


def write_sarif(document: Document, stream: TextIO) -> None:
    """One run with the rules that found something and every finding, for code scanning."""
    report = report_of(document)
    used = [name for name in report.rules if any(remark.rule == name for remark in report.remarks)]
    run = {
        "tool": {
            "driver": {
                "name": "kubectl-kueue",
                "semanticVersion": __version__,
                "rules": [_rule(name, report) for name in used],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(remark, used.index(remark.rule)) for remark in report.remarks],
    }
    _write(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        },
        stream,
    )


def write_patches(document: Document, stream: TextIO) -> None:
    """Object, place and JSON patch of everything that can be mended, as one list."""
    _write(list(report_of(document).patches), stream)


def _write(data: Any, stream: TextIO) -> None:
    import json

    text = json.dumps(data, indent=2, ensure_ascii=False)
    stream.write(re.sub(HOSTILE_BEYOND_ASCII, lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


def _rule(name: str, report: Report) -> dict[str, Any]:
    rule = report.rules[name]
    return {
        "id": name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": f"{rule.why or rule.title} See {rule.address}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(remark: Remark, index: int) -> dict[str, Any]:
    text = f"{remark.subject}: {remark.text}" + (f" ({remark.advice})" if remark.advice else "")
    return {
        "ruleId": remark.rule,
        "ruleIndex": index,
        "level": _LEVELS[remark.severity],
        "message": {"text": visible(text)},
        "locations": [_location(remark)],
    }


def _location(remark: Remark) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": visible(remark.subject), "kind": "resource"}]
    }
    if remark.file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": _address(remark.file)},
            "region": {"startLine": max(1, remark.line)},
        }
    return location


def _address(file: str) -> str:
    """A path as a URI: relative ones stay relative, to whatever the reader takes for the root."""
    from urllib.parse import quote

    plain = file.replace("\\", "/").removeprefix("./")
    return f"file://{quote(plain)}" if plain.startswith("/") else quote(plain)
