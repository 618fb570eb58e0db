#!/usr/bin/env python3
"""Runs a command with a stream that nobody reads, and prints its exit code.

usage: unread.py terminal|error COMMAND...

terminal: standard output is a terminal; "no terminal" where the system gives none, as a container without
/dev/pts does. error: standard error is a pipe that is full already.
"""
import os
import subprocess
import sys

kind, command = sys.argv[1], sys.argv[2:]
if kind == "terminal":
    try:
        _, stream = os.openpty()
    except OSError:
        sys.exit(print("no terminal"))
    ended = subprocess.run(command, stdout=stream, stderr=subprocess.DEVNULL)
else:
    _, stream = os.pipe()
    os.set_blocking(stream, False)
    try:
        while True:
            os.write(stream, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(stream, True)
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=stream)
print(ended.returncode)
