"""A script that was written for kueuectl runs as it did, with this program under that name."""

import subprocess
import sys
from pathlib import Path

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import HERE, environment
from tests.cluster.loading import load, read_world

PROGRAM = """#!{python}
import sys
sys.path.insert(0, {repository!r})
from kubectl_kueue.__main__ import main
sys.exit(main())
"""


def test_a_script_for_kueuectl(server: ApiServer, tmp_path: Path) -> None:
    load(server, read_world(HERE / "cases" / "script-world.yaml"))
    program = tmp_path / "kueuectl"
    program.write_text(PROGRAM.format(python=sys.executable, repository=str(HERE.parents[1])))
    program.chmod(0o755)
    variables = environment(server, "admin")
    done = subprocess.run(
        ["/bin/bash", str(HERE / "cases" / "kueuectl.sh")],
        env={**variables, "PATH": f"{tmp_path}:{variables['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    assert done.stdout == (HERE / "cases" / "kueuectl.out").read_text()
    assert done.returncode == 0
