"""Fills in krew/kueue.yaml: `python krew/manifest.py --url URL --homepage URL FOLDER > kueue.yaml`.

FOLDER holds the archives of the release, one for each platform; --partial takes what is there. URL is where
the archives will be fetched from, without the file names.
"""

import argparse
import hashlib
import re
import sys
from pathlib import Path
from string import Template

sys.path.insert(0, str(Path(__file__).resolve().parent))

from names import PLATFORMS, REPOSITORY, krew_version, source_version

TEMPLATE = Path(__file__).resolve().parent / "kueue.yaml"
_FIRST_ENTRY = "  platforms:\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", required=True, help="where the archives will lie")
    parser.add_argument("--homepage", required=True)
    parser.add_argument("--partial", action="store_true", help="leave out platforms without an archive")
    options = parser.parse_args()
    try:
        text = manifest(options.folder, options.url, options.homepage, partial=options.partial)
    except FileNotFoundError as error:
        sys.exit(f"Error: {error}")
    sys.stdout.write(text)


def manifest(folder: Path, url: str, homepage: str, *, partial: bool = False) -> str:
    """The manifest of the archives in `folder`. Raises FileNotFoundError for what is missing."""
    version = krew_version(source_version())
    lines = TEMPLATE.read_text(encoding="utf-8").splitlines(keepends=True)
    template = "".join(line for line in lines if not line.startswith("#"))
    head, _, entry = template.partition(_FIRST_ENTRY)
    entries = []
    for platform in PLATFORMS:
        archive = folder / platform.archive(version)
        if archive.exists():
            words = {"archive": archive.name, "url": url.rstrip("/"), "sha256": sha256(archive)}
            words |= {"os": platform.os, "arch": platform.arch, "binary": platform.binary}
            entries.append(Template(entry).substitute(words))
        elif not partial:
            raise FileNotFoundError(f"{archive} is missing; --partial leaves its platform out")
    if not entries:
        raise FileNotFoundError(f"there is no archive of {version} in {folder}")
    filled = Template(head).substitute(version=version, homepage=homepage, simulated=simulated_release())
    return filled + _FIRST_ENTRY + "".join(entries)


def simulated_release() -> str:
    """The Kueue release that the sources say is simulated."""
    text = (REPOSITORY / "kubectl_kueue" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^SIMULATED_KUEUE = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
