"""python -m tests.fuzzing TARGET [SECONDS]: look for inputs that crash a target, with atheris.

`all` is one target after the other. Ends with 1 if something crashed: the first input that did lies in the
folder that is named, as `crash`. Mend what was found, and move the input to tests/fuzzing/crashes/TARGET: the
tests run it from then on.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 60
SLOW = 20
"""Seconds after which an input is a crash, too."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("target")
    parser.add_argument("seconds", type=int, nargs="?", default=SECONDS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        return _fuzz(arguments.target, arguments.seconds)
    from tests.fuzzing.targets import TARGETS

    names = list(TARGETS) if arguments.target == "all" else [arguments.target]
    if unknown := set(names) - set(TARGETS):
        parser.error(f"no target {unknown.pop()}: all, {', '.join(TARGETS)}")
    # libFuzzer ends the process when its time is over: each target has one of its own.
    words = [sys.executable, "-m", "tests.fuzzing", "--here", "--", "NAME", str(arguments.seconds)]
    codes = [
        subprocess.run([name if word == "NAME" else word for word in words]).returncode for name in names
    ]
    crashed = [name for name, code in zip(names, codes, strict=True) if code]
    print(f"crashed: {', '.join(crashed)}" if crashed else "nothing crashed")
    return 1 if crashed else 0


def _fuzz(name: str, seconds: int) -> int:
    import atheris

    with atheris.instrument_imports(include=["kubectl_kueue"]):
        from tests.fuzzing.targets import TARGETS, tokens
    from tests.fuzzing.seeds import seeds

    folder = Path(tempfile.mkdtemp(prefix=f"fuzzing-{name}-"))
    corpus = folder / "corpus"
    corpus.mkdir()
    for index, data in enumerate(seeds(name)):
        (corpus / f"seed-{index}").write_bytes(data)
    words = folder / "tokens"
    words.write_text("".join(f'"{_escaped(token)}"\n' for token in tokens()))
    flags = [
        f"-max_total_time={seconds}",
        f"-timeout={SLOW}",
        "-rss_limit_mb=2000",
        "-max_len=20000",
        "-print_final_stats=1",
        f"-dict={words}",
        f"-artifact_prefix={folder}/",
        str(corpus),
    ]
    print(f"{name}: {folder}", flush=True)

    def kept(data: bytes) -> None:
        try:
            TARGETS[name](data)
        except BaseException:
            (folder / "crash").write_bytes(data)
            raise

    atheris.Setup([sys.argv[0], *flags], kept)
    atheris.Fuzz()
    return 0


def _escaped(token: str) -> str:
    return token.replace("\\", "\\\\").replace('"', '\\"')


if __name__ == "__main__":
    sys.exit(main())
