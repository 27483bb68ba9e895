"""Label and field selectors of the command line, as an API server reads them."""

from pathlib import Path

import pytest
import yaml

from kubectl_kueue.errors import ApiError
from kubectl_kueue.model.selectors import match_fields, match_labels

CASES = yaml.safe_load((Path(__file__).parents[1] / "cases" / "listing" / "selectors.yaml").read_text())
SUPPORTED = ("metadata.name", "metadata.namespace")


@pytest.mark.parametrize("selector", CASES["selectors"])
def test_labels(selector: str) -> None:
    matches = match_labels(selector)
    found = [name for name, labels in CASES["labels"].items() if matches(labels)]
    assert found == CASES["selectors"][selector]


@pytest.mark.parametrize("selector", CASES["refused"])
def test_refused_labels(selector: str) -> None:
    with pytest.raises(ApiError) as refusal:
        match_labels(selector)
    assert str(refusal.value) == CASES["refused"][selector]
    assert refusal.value.status == 400


@pytest.mark.parametrize("selector", CASES["fields"])
def test_fields(selector: str) -> None:
    matches = match_fields(selector, SUPPORTED)
    found = [name for name, fields in CASES["objects"].items() if matches(fields.__getitem__)]
    assert found == CASES["fields"][selector]


@pytest.mark.parametrize("selector", CASES["refused fields"])
def test_refused_fields(selector: str) -> None:
    with pytest.raises(ApiError) as refusal:
        match_fields(selector, SUPPORTED)
    assert str(refusal.value) == CASES["refused fields"][selector]
