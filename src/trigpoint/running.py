"""A run from its arguments to its bundle: plan, collect, seal (RUN-05, RUN-40, RUN-43)."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trigpoint.clock import Clock, SystemClock, new_id
from trigpoint.core.canonical import canonical
from trigpoint.core.errors import OperatorError, shown
from trigpoint.core.harness import Harness
from trigpoint.core.records import SetupField, Source
from trigpoint.core.redact import MIN_LENGTH, Redactor
from trigpoint.core.setup import Setup, differences, setup_digest, setup_from, setup_json, tuple_digest
from trigpoint.core.suite import Suite, suite_digest
from trigpoint.core.verify.disk import FolderFiles
from trigpoint.host import host_fields
from trigpoint.methods.fair_run import FairRun
from trigpoint.pipeline import Budget, Live, Run, Stop
from trigpoint.respondents.base import Respondent, Target
from trigpoint.respondents.registry import make_respondent
from trigpoint.store.folder import PLAN, FolderRecorder, read_plan, remove_folder, write_plan
from trigpoint.store.journal import disk_error, locked
from trigpoint.store.seal import Finished, seal
from trigpoint.store.sinks import FolderSink

PLAN_FORMAT = "trigpoint-plan/1"


@dataclass(frozen=True, kw_only=True)
class Order:
    """What one `trigpoint run` is told to do."""

    suite: Suite
    target: Target
    harness: Harness
    out: Path | None  # None = a new numbered folder in `runs`
    runs: Path
    repeats: int = 1
    budget: Budget = field(default_factory=Budget)
    calls_per_second: float | None = None
    resume: bool = False
    as_zip: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a run ended: sealed with its result, or left unfinished to be resumed."""

    result: Mapping[str, Any] | None
    root: str | None
    place: Path  # the bundle, or the unfinished folder
    live: Live
    reason: str  # why it ended early; "" = it did not
    number: int | None = None  # which run of this tuple, where the folder was numbered


def setup_of(suite: Suite, harness: Harness, respondent: Respondent, target: Target) -> Setup:
    """The run tuple, each field with its source."""
    sent = {
        entry.name: _given(getattr(target.settings, entry.name), entry.default)
        for entry in dataclasses.fields(target.settings)
    }
    manifest, usual = harness.manifest(), Harness().manifest()
    return {
        "model": dict(respondent.model_fields()),
        "harness": {
            "digest": SetupField(value=harness.digest(), source=Source.OBSERVED),
            **{name: _given(value, usual[name]) for name, value in manifest.items()},
        },
        "suite": {
            name: SetupField(value=getattr(suite, name), source=Source.OBSERVED) for name in ("id", "version", "digest")
        },
        "inference": {**sent, **respondent.inference_fields()},
        "host": host_fields(),
    }


def _given(value: Any, default: Any) -> SetupField:
    return SetupField(value=value, source=Source.DEFAULT if value == default or value is default else Source.DECLARED)


async def execute(
    order: Order,
    *,
    stop: Stop,
    watch: Callable[[Live], Any] = lambda live: None,
    warn: Callable[[str], Any] = lambda text: None,
    clock: Clock | None = None,
) -> Ended:
    """Run `order` to its bundle, or until it is stopped.

    `watch` gets the live counts once, before the first call. Raises OperatorError for what the operator
    must mend; what was recorded by then stays and can be resumed.
    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        respondent = await stack.enter_async_context(make_respondent(order.target))
        redactor = Redactor(respondent.keys())
        if redactor.too_short:
            warn(f"A key of fewer than {MIN_LENGTH} characters can't be redacted from replies.")
        setup = setup_of(order.suite, order.harness, respondent, order.target)
        refuse_keys(redactor, order, setup)
        target, unfinished, number = _places(order, setup)
        stack.callback(os.close, _lock(order, unfinished))
        run_id = _begin_or_resume(order, setup, unfinished, clock)
        suite = kept_suite(order.suite, unfinished)
        slots = suite.count * order.repeats
        recorder = FolderRecorder(unfinished, slots, opened_ms=clock.now_ms())
        stack.callback(recorder.close)
        if target.exists():  # sealed, and killed before the folder was taken away
            remove_folder(unfinished)
            raise OperatorError("this run is finished already", where=str(target), next=f"trigpoint verify {target}")
        spent = recorder.spent
        live = Live(
            total=slots,
            resumed=sum(recorder.progress(slot).final for slot in range(slots)),
            calls=spent.calls,
            tokens=spent.tokens,
            ms_before=spent.ms,
        )
        watch(live)
        method = FairRun()
        await Run(
            method=method,
            suite=suite,
            harness=order.harness,
            respondent=respondent,
            recorder=recorder,
            redactor=redactor,
            clock=clock,
            live=live,
            stop=stop,
            repeats=order.repeats,
            concurrency=order.target.concurrency,
            budget=order.budget,
            calls_per_second=order.calls_per_second,
        ).collect()
        if stop.asked:
            return Ended(result=None, root=None, place=unfinished, live=live, reason=stop.reason)
        finished = Finished(
            run_id=run_id,
            method=method,
            suite=suite,
            harness=order.harness,
            setup=setup,
            repeats=order.repeats,
            recorder=recorder,
        )
        result, root = seal(finished, unfinished, target, as_zip=order.as_zip)
        return Ended(result=result, root=root, place=target, live=live, reason=stop.reason, number=number)


def refuse_keys(redactor: Redactor, order: Order, setup: Setup) -> None:
    """Raises OperatorError where a configured key stands in what the operator gives: it would be kept (FND-32)."""
    given = {
        "--out": str(order.out or ""),
        **{
            f"{section}.{name}": canonical(part.value).decode()
            for section, parts in setup.items()
            for name, part in parts.items()
        },
    }
    for name, text in given.items():
        if redactor.text(text) != text:
            raise OperatorError("a configured key stands in what would be kept", where=name, next="Take it out.")
    if path := redactor.found_in(order.suite.files):
        raise OperatorError("a configured key stands in the suite", where=path, next="Take it out.")


def kept_suite(suite: Suite, unfinished: Path) -> Suite:
    """The suite as copied into the unfinished folder: what is edited elsewhere meanwhile changes no run.

    Raises OperatorError when the files are no longer those that were loaded.
    """
    folder = unfinished / "suite"
    if not folder.exists():
        draft = unfinished / "suite.part"
        shutil.rmtree(draft, ignore_errors=True)
        sink = FolderSink(draft)
        for path in suite.files.paths():
            with suite.files.open(path) as source, sink.create(path) as target:
                shutil.copyfileobj(source, target)
        sink.sync()
        draft.rename(folder)
    files = FolderFiles(str(folder))
    if suite_digest(files) != suite.digest:
        raise OperatorError("the suite changed while the run was begun", where=str(folder), expected=suite.digest)
    return dataclasses.replace(suite, files=files)


def _places(order: Order, setup: Setup) -> tuple[Path, Path, int | None]:
    """(bundle, unfinished folder, number of the run). Refuses what exists already (RUN-05)."""
    if order.out is None:
        return _numbered(order, setup)
    target = order.out
    if not target.name or target.name == "..":
        raise OperatorError(
            "not a place for a new bundle", where=f"--out {shown(str(target))}", next="Name a new folder."
        )
    if order.as_zip and target.suffix != ".zip":
        target = target.with_name(target.name + ".zip")
    unfinished = target.with_name(target.name + ".unfinished")
    if target.exists() and not (order.resume and unfinished.exists()):
        found = "a file" if target.is_file() else "a folder"
        raise OperatorError(
            "there is something already",
            where=str(target),
            expected="a place for a new bundle",
            found=found,
            next="Nothing is ever overwritten: name another --out.",
        )
    return target, unfinished, None


def _numbered(order: Order, setup: Setup) -> tuple[Path, Path, int | None]:
    """The same tuple again is a new run with the next number; --resume takes the newest unfinished one."""
    stem = f"{order.suite.id}-{setup_digest(setup)[:8]}"
    ending = ".zip" if order.as_zip else ""
    number = 1
    while True:
        target = order.runs / f"{stem}-{number}{ending}"
        unfinished = target.with_name(target.name + ".unfinished")
        taken = any(order.runs.glob(f"{stem}-{number}.zip")) or (order.runs / f"{stem}-{number}").exists()
        if order.resume and (unfinished / PLAN).exists():
            return target, unfinished, number
        if not taken and not unfinished.exists():
            if order.resume:
                raise OperatorError(
                    "no unfinished run of this tuple", where=str(order.runs / stem) + "-*", next="Run without --resume."
                )
            return target, unfinished, number
        number += 1


def _lock(order: Order, unfinished: Path) -> int:
    """The lock of the run's folder, which is made for a new run; two processes must not begin one run."""
    if order.resume:
        read_plan(unfinished)  # says when there is none
    try:
        unfinished.mkdir(parents=True, exist_ok=True)
        return locked(unfinished / "lock")
    except OSError as error:
        raise disk_error(error, unfinished) from None


def _begin_or_resume(order: Order, setup: Setup, unfinished: Path, clock: Clock) -> str:
    """The run's id, after its plan is on disk, or was found there and is the same."""
    started = (unfinished / PLAN).exists()
    if started and not order.resume:
        raise OperatorError(
            "an unfinished run stands there",
            where=str(unfinished),
            next="Add --resume to go on with it, or remove the folder.",
        )
    if not started:
        run_id = new_id(clock)
        plan = {
            "format": PLAN_FORMAT,
            "run": run_id,
            "repeats": order.repeats,
            "setup_digest": setup_digest(setup),
            "tuple_digest": tuple_digest(setup),
            "setup": setup_json(setup, {}),
        }
        write_plan(unfinished, plan)
        return run_id
    plan = read_plan(unfinished)
    if plan.get("format") != PLAN_FORMAT:
        raise OperatorError("another format", where=str(unfinished / PLAN), found=shown(str(plan.get("format"))))
    _same_tuple(plan, setup, order.repeats, unfinished)
    return str(plan["run"])


def _same_tuple(plan: Mapping[str, Any], setup: Setup, repeats: int, where: Path) -> None:
    if plan["repeats"] != repeats:
        raise OperatorError(
            "not the run that was begun", where=str(where), expected=f"--repeats {plan['repeats']}", found=f"{repeats}"
        )
    if plan["setup_digest"] != setup_digest(setup):
        begun, _ = setup_from(plan["setup"], str(where / PLAN))
        found = [part for part in differences(begun, setup) if not part.field.startswith("host.")]
        named = "; ".join(
            f"{part.field}: {shown(str(part.first and part.first.value))} then,"
            f" {shown(str(part.second and part.second.value))} now"
            for part in found[:4]
        )
        raise OperatorError(
            "not the run that was begun",
            where=str(where),
            expected="the same tuple",
            found=named,
            next="Any change to the tuple is a new run: name another --out.",
        )
