"""The body of a patch, from the command line or a file, YAML or JSON."""

from typing import Any

from kubectl_kueue.errors import ConfigError, InputError


def read_patch(text: str, source: str) -> Any:
    """The value of a patch; `source` names it in messages. Raises InputError."""
    from kubectl_kueue.cluster.yaml_text import read_yaml

    documents = [document.value for document in read_yaml(text, source) if document.value is not None]
    if len(documents) != 1:
        raise InputError(f"{source}: one patch is needed, there are {len(documents) or 'none'}")
    return documents[0]


def read_patch_file(path: str) -> Any:
    """The value of the patch in a file. Raises InputError, ConfigError."""
    if not path:
        raise ConfigError("--patch-file is empty: pass FILE")
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start})") from None
    return read_patch(text, path)
