"""Findings as test results (JUnit's XML): a suite a file, a case an object."""

import re
from collections.abc import Iterable
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr  # nosec B406

from kubectl_kueue.output.sarif import report_of
from kubectl_kueue.output.text import visible
from kubectl_kueue.views.page import Document, Remark, Report

# Characters that XML 1.0 cannot hold, not even as references.
_NOT_XML = re.compile("[\ufffe\uffff\ud800-\udfff]")


def write_junit(document: Document, stream: TextIO) -> None:
    """Errors (with `strict` warnings, too) are failures; the rest is told as output of the case."""
    report = report_of(document)
    remarks: dict[tuple[str, str], list[Remark]] = {}
    for remark in report.remarks:
        remarks.setdefault((remark.file, remark.subject), []).append(remark)
    cases = {**{subject: [] for subject in report.subjects}, **remarks}
    suites: dict[str, list[tuple[str, list[Remark]]]] = {}
    for (file, subject), found in cases.items():
        suites.setdefault(file, []).append((subject, found))
    failures = sum(_fails(report, remark) for remark in report.remarks)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(f'<testsuites name="kubectl kueue lint" tests="{len(cases)}" failures="{failures}">\n')
    for file, members in suites.items():
        _suite(report, file, members, stream)
    stream.write("</testsuites>\n")


def _suite(report: Report, file: str, members: list[tuple[str, list[Remark]]], stream: TextIO) -> None:
    failures = sum(_fails(report, remark) for _, found in members for remark in found)
    name = _attribute(file or "cluster")
    stream.write(f'  <testsuite name={name} tests="{len(members)}" failures="{failures}">\n')
    for subject, found in members:
        stream.write(f"    <testcase classname={name} name={_attribute(subject)}")
        if not found:
            stream.write("/>\n")
            continue
        stream.write(">\n")
        for remark in found:
            if _fails(report, remark):
                stream.write(
                    f"      <failure type={_attribute(remark.rule)} message={_attribute(remark.text)}>"
                )
                stream.write(f"{_text(_line(remark))}</failure>\n")
        rest = [_line(remark) for remark in found if not _fails(report, remark)]
        if rest:
            stream.write(f"      <system-out>{_lines(rest)}</system-out>\n")
        stream.write("    </testcase>\n")
    stream.write("  </testsuite>\n")


def _fails(report: Report, remark: Remark) -> bool:
    return remark.severity == "error" or (report.strict and remark.severity == "warning")


def _line(remark: Remark) -> str:
    place = f"{remark.file}:{remark.line}: " if remark.line else ""
    advice = f"; {remark.advice}" if remark.advice else ""
    return f"{place}{remark.severity}: {remark.text}{advice} [{remark.rule}]"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(_text(line) for line in lines)


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", visible(text)))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", visible(text)))
