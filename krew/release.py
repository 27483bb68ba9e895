"""Everything of a release but the upload: `python krew/release.py [--out dist] [--platforms this|all]`.

Makes wheel, sdist, the archive of this platform, krew's manifest, a bill of materials (CycloneDX) and
SHA256SUMS. With --platforms all the archives of all platforms have to lie in the folder already, and none is
built. It runs in an environment with the dependency group `release`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from manifest import manifest, sha256
from names import REPOSITORY, krew_version, source_version

NOWHERE = "https://example.invalid/kubectl-kueue"
SUMS = "SHA256SUMS"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=REPOSITORY / "dist")
    parser.add_argument("--platforms", choices=["this", "all"], default="this")
    parser.add_argument("--homepage", default=NOWHERE)
    parser.add_argument("--url", default=f"{NOWHERE}/releases", help="where the archives will lie")
    parser.add_argument("--tag", help="the tag of the release: it has to be the version of the sources")
    options = parser.parse_args()
    out, version = options.out.resolve(), krew_version(source_version())
    if options.tag not in (None, version):
        sys.exit(f"Error: the tag is {options.tag}, and the sources are {version}")

    alone = options.platforms == "this"
    if alone:
        shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(REPOSITORY))
    wheel = next(out.glob("*.whl"))
    if alone:
        run(sys.executable, str(Path(__file__).with_name("build")), "--out", str(out), "--wheel", str(wheel))
    text = manifest(out, options.url, options.homepage, partial=alone)
    (out / "kueue.yaml").write_text(text, encoding="utf-8", newline="\n")
    write_bill(wheel, out / f"kubectl-kueue-{version}.cdx.json")
    names = sorted(path.name for path in out.iterdir() if path.name not in (SUMS, ".gitignore"))
    sums = "".join(f"{sha256(out / name)}  {name}\n" for name in names)
    (out / SUMS).write_text(sums, encoding="utf-8", newline="\n")
    sys.stdout.write(sums)


def write_bill(wheel: Path, path: Path) -> None:
    """What an installation of the wheel consists of, in the versions that are locked."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "env"
        venv.create(folder, with_pip=False)
        python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
        installer = (sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--quiet")
        run(*installer, "--require-hashes", "--requirement", str(REPOSITORY / "requirements" / "wheel.txt"))
        run(*installer, str(wheel))
        bill = ["environment", "--pyproject", str(REPOSITORY / "pyproject.toml"), "--output-reproducible"]
        run(sys.executable, "-m", "cyclonedx_py", *bill, "--output-file", str(path), python)


def run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=REPOSITORY, stdout=sys.stderr)


if __name__ == "__main__":
    main()
