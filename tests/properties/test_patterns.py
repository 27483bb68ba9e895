"""Every regular expression of the program, as it is used: no text makes it go back and forth for long."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import kubectl_kueue

METHODS = ("match", "fullmatch", "search", "sub", "split", "finditer", "findall")
SIZE = 4_000
SECONDS = 0.1
"""What squares takes minutes for SIZE characters, what is linear milliseconds."""


def uses() -> Iterator[tuple[str, re.Pattern[Any], str]]:
    """Where, pattern and method: of names of a module and of texts that are given to re itself."""
    for found in pkgutil.walk_packages(kubectl_kueue.__path__, "kubectl_kueue."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        assert module.__file__
        with open(module.__file__) as file:
            tree = ast.parse(file.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from _use(node.func, node.args, module)


def _use(function: ast.Attribute, arguments: list[ast.expr], module: Any) -> Iterator[Any]:
    holder, method = function.value, function.attr
    if method not in METHODS or not isinstance(holder, ast.Name):
        return
    where = f"{module.__name__.removeprefix('kubectl_kueue.')}:{function.lineno}"
    if holder.id == "re" and isinstance(arguments[0], ast.Constant):
        yield where, re.compile(arguments[0].value), method
    elif isinstance(pattern := getattr(module, holder.id, None), re.Pattern):
        yield where, pattern, method


USES = list(uses())


def hostile(pattern: str) -> Iterator[str]:
    """One or two characters that the pattern may know, over and over, after a beginning and before an end."""
    known = [each for each in dict.fromkeys(pattern) if not each.isalnum() and each not in "^$|*+?"][:6]
    letters = list(dict.fromkeys(["a", "0", " ", ".", "-", *known]))
    units = dict.fromkeys([*letters, *(a + b for a, b in product(letters, repeat=2) if a != b)])
    for unit in units:
        for begin, end in (("", ""), ("", "\0"), ("a=", "!"), ('"', "\n"), ("a{", "x y z")):
            yield begin + unit * (SIZE // len(unit)) + end


@pytest.mark.parametrize(("where", "pattern", "method"), USES, ids=lambda value: str(value)[:40])
def test_no_text_takes_long(where: str, pattern: re.Pattern[Any], method: str) -> None:
    for text in hostile(str(pattern.pattern)):
        # A busy machine may hold one try up, not three.
        assert any(_seconds(pattern, method, text) < SECONDS for _ in range(3)), (where, text[:20], text[-5:])


def _seconds(pattern: re.Pattern[Any], method: str, text: str) -> float:
    subject: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
    call = getattr(pattern, method)
    started = time.process_time()
    if method == "sub":
        call(subject[:0], subject)
    elif method == "finditer":
        list(call(subject))
    else:
        call(subject)
    return time.process_time() - started


def test_the_patterns_are_found() -> None:
    assert len(USES) > 80
