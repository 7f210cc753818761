"""The runner's host, as far as a run tuple records it: no hostname, user or path (RUN-04)."""

from __future__ import annotations

import os
import platform
import sys

import trigpoint
from trigpoint.core.records import SetupField, Source


def host_fields() -> dict[str, SetupField]:
    """os, cpu, cores, python, trigpoint, each observed or unknown."""
    facts: dict[str, object] = {
        "os": f"{platform.system()} {platform.machine()}".strip(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "trigpoint": trigpoint.__version__,
    }
    return {
        name: SetupField(value=value, source=Source.OBSERVED if value else Source.UNKNOWN)
        for name, value in facts.items()
    }


def _cpu() -> str | None:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                name, _, value = line.partition(":")
                if name.strip() in ("model name", "Hardware"):
                    return " ".join(value.split())
    except OSError:
        pass
    return platform.processor() or None
