#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dns.py ADDRESS [silent|rubbish]: a DNS server of a few names of .test on UDP port 53; it says "ready"."""
import os
import socket
import struct
import sys

A, CNAME, AAAA = 1, 5, 28
NAMES = {
    "both.test": [(A, "127.0.0.7"), (AAAA, "::1")],
    "six.test": [(AAAA, "::1")],
    "alias.test": [(CNAME, "four.test")],
    "four.test": [(A, "127.0.0.4")],
    "nothing.test": [],
    "short.rack.test": [(A, "127.0.0.9")],
    "two.test": [(A, "127.0.0.7"), (A, "127.0.0.8")],
    "hosts.test": [(A, "127.0.0.99")],
    "same.test": [(A, "127.0.0.4"), (A, "127.0.0.4")],
    "many.test": [(A, f"127.0.1.{i}") for i in range(1, 16)],
}


def wire(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def record(name, kind, value):
    if kind == CNAME:
        data = wire(value)
    else:
        data = socket.inet_pton(socket.AF_INET if kind == A else socket.AF_INET6, value)
    return wire(name) + struct.pack(">HHIH", kind, 1, 60, len(data)) + data


def answer(query):
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode())
        at += 1 + query[at]
    question, name = query[12 : at + 5], ".".join(labels).lower()
    (kind,) = struct.unpack(">H", query[at + 1 : at + 3])
    records, here = [], name
    for other, value in NAMES.get(name, []):
        if other == CNAME:
            records.append(record(here, CNAME, value))
            here = value
    records += [record(here, k, v) for k, v in NAMES.get(here, []) if k == kind]
    flags = 0x8180 if name in NAMES else 0x8183
    return query[:2] + struct.pack(">HHHHH", flags, 1, len(records), 0, 0) + question + b"".join(records)


server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind((sys.argv[1], 53))
how = sys.argv[2] if len(sys.argv) > 2 else ""
print("ready", flush=True)
while True:
    asked, client = server.recvfrom(4096)
    if how == "rubbish":
        server.sendto(asked[:2] + b"\x81\x80\0\1\0\xff" + os.urandom(60), client)
    elif how != "silent":
        server.sendto(answer(asked), client)
