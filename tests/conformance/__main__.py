"""Compare the engine with recorded verdicts of the real scheduler.

    python -m tests.conformance DIR [--family NAME]… [--jobs N] [--show CASE]

Every X.scenario.json under DIR is run and compared with X.verdict.json. One line per family and per
difference, last line `equal N/M`; exit status 0 only if N = M.
"""

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.conformance.compare import Difference, differences


def main() -> int:
    arguments = _arguments()
    root = Path(arguments.dir)
    cases = sorted(root.rglob("*.scenario.json"))
    if arguments.family:
        wanted = set(arguments.family)
        cases = [c for c in cases if wanted & _families(root, c)]
    if arguments.show:
        cases = [c for c in cases if arguments.show in c.name]
    total: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for case, found in zip(cases, run_cases(cases, arguments.jobs), strict=True):
        family = str(case.parent.relative_to(root))
        total[family] += 1
        equal[family] += not found
        for difference in found if arguments.show else found[:1]:
            print(f"{case.name.removesuffix('.scenario.json')}: {difference}")
    for family in sorted(total):
        print(f"{family}: {equal[family]}/{total[family]}")
    print(f"equal {equal.total()}/{total.total()}")
    return 0 if cases and equal == total else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("dir")
    parser.add_argument("--family", action="append", help="only this folder (may be repeated)")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--show", help="only cases whose name contains this, with every difference")
    return parser.parse_args()


def _families(root: Path, case: Path) -> set[str]:
    """A case belongs to its folder and to every folder above, below the root."""
    parents = case.parent.relative_to(root).parts
    return {"/".join(parents[: i + 1]) for i in range(len(parents))}


def run_cases(cases: list[Path], jobs: int) -> list[list[Difference]]:
    """Differences of every case, in order."""
    if jobs <= 1:
        return [differences(case) for case in cases]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(differences, cases, chunksize=8))


if __name__ == "__main__":
    sys.exit(main())
