"""Graphs for Graphviz: boxes with lines of text, the hierarchy as plain arrows, loans as dashed ones."""

from collections.abc import Iterable, Mapping
from typing import TextIO

from kubectl_kueue.output.text import visible
from kubectl_kueue.views.page import Document

_COLOURS: Mapping[str, str] = {"bad": "red", "warn": "orange", "dim": "gray"}


def write_dot(document: Document, stream: TextIO) -> None:
    """The graph of an answer in the language of Graphviz."""
    assert document.graph is not None
    stream.write('digraph kueue {\n  rankdir="LR"\n  node [shape="box"]\n')
    for name, (lines, style) in document.graph.nodes.items():
        colour = f', color="{_COLOURS[style]}"' if style in _COLOURS else ""
        stream.write(f"  {_quoted([name])} [label={_quoted(lines)}{colour}]\n")
    for edge in document.graph.edges:
        told = [f"label={_quoted([edge.label])}"] if edge.label else []
        if edge.loan:
            told += ['style="dashed"', "constraint=false"]
        attributes = f" [{', '.join(told)}]" if told else ""
        stream.write(f"  {_quoted([edge.start])} -> {_quoted([edge.end])}{attributes}\n")
    stream.write("}\n")


def _quoted(lines: Iterable[str]) -> str:
    r"""Lines as one string of Graphviz, in which \n parts them."""
    told = (visible(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(told) + '"'
