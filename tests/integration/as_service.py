#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
"""Runs a program as systemd runs a service: what it says goes into a UNIX stream socket, JOURNAL_STREAM names that socket by device and
inode, INVOCATION_ID is set, standard input is /dev/null. A second process copies what comes out of the socket to standard output.

usage: as_service.py COMMAND ARGUMENTS...   the process that was started becomes the command: its exit code and signals are the command's
"""
import os
import socket
import sys
import uuid


def copy(source):
    while True:
        octets = source.recv(65536)
        if not octets:
            os._exit(0)
        os.write(1, octets)


def main():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    if os.fork() == 0:
        theirs.close()
        copy(ours)
    ours.close()
    info = os.fstat(theirs.fileno())
    os.environ["JOURNAL_STREAM"] = f"{info.st_dev}:{info.st_ino}"
    os.environ["INVOCATION_ID"] = uuid.uuid4().hex
    null = os.open("/dev/null", os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(theirs.fileno(), 1)
    os.dup2(theirs.fileno(), 2)
    os.execvp(sys.argv[1], sys.argv[1:])


main()
