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
    assert patched(move, text=narrow(TEXT)) == narrow(TEXT).replace("cohort: all", "cohortName: all")


def narrow(text: str) -> str:
    return text.replace("    ", "  ").replace("010", "10")


def test_other_documents_stay_as_they_are() -> None:
    changed = patched({"op": "replace", "path": "/kind", "value": "C"})
    assert changed.startswith(TEXT.partition("---")[0] + "---\n# about the second\nkind: C\n")


def test_comments_behind_a_removed_field_stay() -> None:
    changed = patched({"op": "remove", "path": "/spec/list"})
    assert "# about the end\n" in changed
    assert "first" not in changed


def test_words_of_yaml_1_1_come_in_quotes() -> None:
    changed = patched({"op": "add", "path": "/spec/word", "value": "on"})
    assert 'word: "on"' in changed


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
