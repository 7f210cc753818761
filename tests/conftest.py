"""What holds for every test: its own home, loopback only, repeatable properties, no skipping in CI."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

IN_CI = bool(os.environ.get("CI"))

# No deadline: a slow machine is no failure. In CI the same examples each time: a red run can be repeated.
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("here"), derandomize=True, print_blob=True)
settings.load_profile("ci" if IN_CI else "here")

# Variables of the person at the keyboard that would change what a test sees.
_OF_THE_OPERATOR = ("TRIGPOINT_", "OPENAI_", "ANTHROPIC_", "GEMINI_", "GOOGLE_")


class OutsideTraffic(Exception):
    """A test tried to reach, resolve or listen on something that isn't this machine's loopback."""


def _is_loopback(host: object) -> bool:
    if host is None or isinstance(host, int):
        return True  # getaddrinfo(None): loopback, or an address to listen on, which bind looks at
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _loopback_only(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook. It sees this process alone: what a test starts as a child must be kept local by itself."""
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        address = arguments[1]
        if not isinstance(address, tuple):
            return  # a Unix socket, or none
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_loopback(host):
        raise OutsideTraffic(f"{event} {host!r}: tests stay on loopback")


def pytest_configure(config: pytest.Config) -> None:
    sys.addaudithook(_loopback_only)
    for name in list(os.environ):
        if name.startswith(_OF_THE_OPERATOR) and not name.startswith("TRIGPOINT_TEST_"):
            del os.environ[name]


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("homes")
    return ((folder / str(number)) for number in count(1))


@pytest.fixture(autouse=True)
def _home_of_its_own(_homes: Iterator[Path]) -> None:
    """TRIGPOINT_HOME is a folder of this test's own, not yet made, so nothing of the operator's is read."""
    os.environ["TRIGPOINT_HOME"] = str(next(_homes))


_skipped: list[str] = []


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """FND-40: nothing is skipped in CI; a missing part is a failure there."""
    if IN_CI and _skipped and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if IN_CI and _skipped:
        terminalreporter.section("skipped, which fails in CI")
        for name in _skipped:
            terminalreporter.line(name)
