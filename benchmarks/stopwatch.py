"""A small process that starts commands and says what they took: a job a line in, an answer a line out, JSON.

It is a process of its own because the kernel counts the memory of whoever starts a command as the command's:
this one is smaller than any of them. It imports nothing that it can do without.
"""

import json
import os
import sys
import time


def measure(job: dict) -> dict:
    """Run job["argv"] in job["env"], output into the files job["stdout"] and job["stderr"].

    wall and cpu (user and system, children that were waited for included) are seconds, peak is the most
    memory that any one of the processes had, in KiB.
    """
    write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, job["stdout"], write, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, job["stderr"], write, 0o600),
    ]
    start = time.perf_counter()
    pid = os.posix_spawn(job["argv"][0], job["argv"], job["env"], file_actions=files)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss, "code": code}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), flush=True)
