"""JSON patches on texts: what does not change stays as it is."""

import pytest

from kubectl_kueue.cluster.yaml_edit import patch_text
from kubectl_kueue.cluster.yaml_lines import nearest_line, pointer_lines
from kubectl_kueue.errors import KueueError

TEXT = """\
# about this file
apiVersion: v1  # the version
kind: A
---
# about the second
kind: "B"
spec:
    # why it is so
    cohort: all   # renamed one day
    list:
      - name: x  # first
        size: 010
      - {name: y, size: 2}
    # about the end
    end: yes
"""


def patched(*operations: dict[str, object], text: str = TEXT, number: int = 2) -> str:
    return patch_text(text, "file", {number: operations})


def test_a_renamed_field_keeps_its_place_and_comments() -> None:
    move = {"op": "move", "from": "/spec/cohort", "path": "/spec/cohortName"}
    assert patched(move) == TEXT.replace("cohort: all", "cohortName: all")


@pytest.mark.parametrize(
    ("before", "operation", "after"),
    [
        ("a: 1\nb: 2\n", {"op": "remove", "path": "/a"}, "b: 2\n"),
        ("a: {x: 1, y: 2}\n", {"op": "remove", "path": "/a/x"}, "a: {y: 2}\n"),
        ("a: {x: 1, y: 2}\n", {"op": "remove", "path": "/a/y"}, "a: {x: 1}\n"),
        ("a: {x: 1}\n", {"op": "add", "path": "/a/y", "value": [1]}, "a: {x: 1, y: [1]}\n"),
        ("a: {}\n", {"op": "add", "path": "/a/y", "value": "on"}, "a: {y: 'on'}\n"),
        (
            "a:\n  x: 1 # 1\nb: 2\n",
            {"op": "add", "path": "/a/y", "value": 2},
            "a:\n  x: 1 # 1\n  y: 2\nb: 2\n",
        ),
        ("a: 1", {"op": "add", "path": "/b", "value": {"c": [1]}}, "a: 1\nb:\n  c:\n  - 1\n"),
        ("a:\n- x: 1\n  y: 2\n", {"op": "remove", "path": "/a/0/y"}, "a:\n- x: 1\n"),
        ("a: 1 # one\n", {"op": "replace", "path": "/a", "value": "2"}, "a: '2' # one\n"),
        ("a: [2, 1]\nb: 1\n", {"op": "replace", "path": "/a", "value": [1, 2]}, "a:\n- 1\n- 2\nb: 1\n"),
        (
            "a:\n  x: 1\nb:\n  y: 2\n  z: 3\n",
            {"op": "move", "from": "/b/y", "path": "/a/y"},
            "a:\n  x: 1\n  y: 2\nb:\n  z: 3\n",
        ),
        ("a: |\n  text\nb: 1\n", {"op": "remove", "path": "/b"}, "a: |\n  text\n"),
    ],
)
def test_only_the_lines_that_change(before: str, operation: dict[str, object], after: str) -> None:
    assert patched(operation, text=before, number=1) == after


def test_the_round_trip_where_lines_cannot_be_cut() -> None:
    text = "a:\n  # why\n  x: 1  # one\nb: &b\n  - q: 'z'\nc: *b\n"
    remove = {"op": "remove", "path": "/a/x"}
    assert patched(remove, text=text, number=1).startswith("a: {}")
    rename = {"op": "move", "from": "/a/x", "path": "/a/y"}
    assert patched(rename, text=text, number=1) == text.replace("x: 1", "y: 1")


def test_other_documents_stay_as_they_are() -> None:
    changed = patched({"op": "replace", "path": "/kind", "value": "C"})
    assert changed.startswith(
        TEXT.partition("---")[0] + "---\n# about the second\nkind: C\nspec:\n    # why it is so\n"
    )


def test_comments_behind_a_removed_field_stay() -> None:
    changed = patched({"op": "remove", "path": "/spec/list"})
    assert "# about the end\n" in changed
    assert "first" not in changed


def test_words_of_yaml_1_1_come_in_quotes() -> None:
    changed = patched({"op": "add", "path": "/spec/word", "value": "on"})
    assert changed == TEXT + "    word: 'on'\n"


def test_json_keeps_its_indent() -> None:
    text = '{\n    "kind": "A",\n    "spec": {}\n}\n'
    add = {"op": "add", "path": "/spec/x", "value": 1}
    assert (
        patched(add, text=text, number=1) == '{\n    "kind": "A",\n    "spec": {\n        "x": 1\n    }\n}\n'
    )


def test_what_cannot_be_kept_is_refused() -> None:
    text = "a: &x {b: 1}\nc: *x\n"
    with pytest.raises(KueueError, match="cannot be rewritten"):
        patched({"op": "replace", "path": "/c/b", "value": 2}, text=text, number=1)


def test_lines() -> None:
    first, second = pointer_lines(TEXT)
    assert first == {"": 2, "/apiVersion": 2, "/kind": 3}
    assert second["/spec/cohort"] == 9
    assert second["/spec/list/0/size"] == 12
    assert second["/spec/list/1"] == second["/spec/list/1/size"] == 13
    assert nearest_line(second, "/spec/list/1/size/deeper") == 13
    assert nearest_line(second, "/nothing") == second[""]


def test_lines_of_what_is_no_yaml() -> None:
    assert pointer_lines("a: [") == [{"": 1, "/a": 1}]
