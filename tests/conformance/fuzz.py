"""Compare the engine with the reference on fresh random worlds.

    python -m tests.conformance.fuzz TOOLS SEED COUNT [--keep DIR]

TOOLS is the folder with alter.py, topology_worlds.py and reference.pyz. Half of the worlds are altered
recorded ones, half random topologies. Last line `equal N/M`; exit status 0 only if N = M. Worlds that
differ are kept in DIR, with the reference's verdict beside them, for `python -m tests.conformance DIR`.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conformance.__main__ import run_cases


def main() -> int:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        worlds = Path(scratch)
        _make(Path(arguments.tools), arguments.seed, arguments.count, worlds)
        cases = sorted(worlds.glob("*.scenario.json"))
        results = run_cases(cases, arguments.jobs)
        for case, found in zip(cases, results, strict=True):
            if found:
                print(f"{case.name.removesuffix('.scenario.json')}: {found[0]}")
                _keep(case, arguments.keep)
        equal = sum(not found for found in results)
    print(f"equal {equal}/{len(cases)}")
    return 0 if cases and equal == len(cases) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.fuzz", description=__doc__)
    parser.add_argument("tools")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", help="folder for worlds that differ")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


def _make(tools: Path, seed: int, count: int, worlds: Path) -> None:
    """Scenarios of both makers, and the reference's verdict on each, side by side."""
    made = worlds / "made"
    for maker, share in (("alter.py", count - count // 2), ("topology_worlds.py", count // 2)):
        if share:
            _python(tools / maker, str(seed), str(share), str(made / maker.removesuffix(".py")))
    for folder in sorted(made.iterdir()):
        for scenario in folder.rglob("*.scenario.json"):
            scenario.rename(worlds / f"{folder.name}-{scenario.name}")
    reference = tools / "reference.pyz"
    if not _python(reference, "--dir", str(worlds), str(worlds), check=False):
        for scenario in worlds.glob("*.scenario.json"):
            _answer(reference, scenario)


def _answer(reference: Path, scenario: Path) -> None:
    """One verdict; a world on which the reference fails (as the real program does) is dropped."""
    verdict = scenario.with_name(scenario.name.replace(".scenario.", ".verdict."))
    if verdict.exists():
        return
    answer = subprocess.run([sys.executable, str(reference), str(scenario)], capture_output=True)
    if answer.returncode == 0:
        verdict.write_bytes(answer.stdout)
    else:
        print(f"{scenario.name.removesuffix('.scenario.json')}: the reference has no answer")
        scenario.unlink()


def _python(program: Path, *arguments: str, check: bool = True) -> bool:
    done = subprocess.run([sys.executable, str(program), *arguments], check=check, capture_output=True)
    return done.returncode == 0


def _keep(case: Path, folder: str | None) -> None:
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path in (case, case.with_name(case.name.replace(".scenario.", ".verdict."))):
        shutil.copy(path, folder)


if __name__ == "__main__":
    sys.exit(main())
