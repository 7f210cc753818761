"""`trigpoint run`: ask a suite, seal the result as a bundle (RUN-40, RUN-50 … 53)."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from trigpoint.cli.options import FiniteRange, Sha256, base_url_in_force
from trigpoint.cli.progress import Progress
from trigpoint.core.errors import OperatorError

if TYPE_CHECKING:
    from trigpoint.running import Ended, Order

INTERRUPTED = 130
NOT_ALL_ANSWERED = 3


@click.command()
@click.argument("suite", default="core-v1")
@click.option("--model", metavar="PROVIDER/MODEL", help="Who is asked, e.g. openai/gpt-5, anthropic/…, local. [local]")
@click.option("--base-url", metavar="URL", help="The endpoint, with its version path: http://127.0.0.1:8000/v1")
@click.option("--command", metavar="'PROGRAM ARGS'", help="With --model command/NAME: prompt on its standard input.")
@click.option("--revision", help="Declared: revision of the model.")
@click.option("--artifact-sha256", type=Sha256(), help="Declared: SHA-256 of the weights.")
@click.option("--quantization", help="Declared: e.g. Q4_K_M.")
@click.option(
    "--system", "system_file", type=click.Path(exists=True, dir_okay=False), help="File with a system prompt."
)
@click.option("--temperature", type=FiniteRange(0, 10), help="How freely tokens are sampled.")
@click.option("--top-p", type=FiniteRange(0, 1), help="Sampling from the likeliest tokens of this share.")
@click.option("--seed", type=click.IntRange(0, 2**53 - 1), help="The sampling seed, where the endpoint takes one.")
@click.option("--max-output-tokens", type=click.IntRange(1, 10**7), help="Where the endpoint cuts a reply off.")
@click.option("--effort", help="Reasoning effort, in the provider's own word.")
@click.option("--stream", is_flag=True, help="Ask for the reply as a stream.")
@click.option("--timeout", type=FiniteRange(0, 86_400, min_open=True), default=300.0, help="Seconds for one attempt.")
@click.option("--max-attempts", type=click.IntRange(1, 100), help="Attempts at one message in all. [4]")
@click.option("--repeats", type=click.IntRange(1, 1000), default=1, help="Ask everything so many times.")
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Calls under way at once. [local: 2, else 8]")
@click.option("--rate", type=FiniteRange(0, 10_000, min_open=True), help="At most so many calls a second.")
@click.option("--budget-calls", type=click.IntRange(1), help="Begin no call beyond so many.")
@click.option("--budget-tokens", type=click.IntRange(1), help="Begin no call once so many tokens were used.")
@click.option("--budget-seconds", type=FiniteRange(0, min_open=True), help="Begin no call after so long.")
@click.option("--out", type=click.Path(path_type=Path), help="The new bundle. [a numbered folder in the home's runs/]")
@click.option("--zip", "as_zip", is_flag=True, help="Seal the bundle as one zip file.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished run at --out.")
@click.option("--dry-run", is_flag=True, help="Ask nothing: print calls, tokens, and what the run could show.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def run(**given: Any) -> int:
    """Ask every item of SUITE, grade the replies by fixed code and seal a bundle.

    SUITE is a shipped suite (core-v1) or a folder. Exit code: 0 finished, whatever the model answered;
    3 finished, but with endpoint errors, time-outs or items not attempted; 2 usage; 130 interrupted.
    """
    order = order_from(given)
    if given["dry_run"]:
        from trigpoint.cli.dry_run import dry_run

        return dry_run(order, as_json=given["as_json"])
    ended = run_loop(lambda: _execute(order, quiet=given["quiet"]))
    return report(ended, order, as_json=given["as_json"])


def order_from(given: dict[str, Any]) -> Order:
    """The order that the command line's options describe."""
    from trigpoint.core.harness import Harness, RetryPolicy
    from trigpoint.core.suite import load_suite
    from trigpoint.core.verify.disk import FolderFiles
    from trigpoint.home import home
    from trigpoint.pipeline import Budget
    from trigpoint.running import Order
    from trigpoint.suites import suite_path

    suite = load_suite(FolderFiles(str(suite_path(given["suite"]))))
    if suite.method != "fair-run":
        raise OperatorError(
            "not a suite for `run`", where=given["suite"], expected="method fair-run", found=suite.method
        )
    system = Path(given["system_file"]).read_text(encoding="utf-8") if given["system_file"] else suite.system
    retry = RetryPolicy(max_attempts=given["max_attempts"]) if given["max_attempts"] else RetryPolicy()
    return Order(
        suite=suite,
        target=_target(given),
        harness=Harness(system=system, retry=retry),
        out=given["out"],
        runs=home().value / "runs",
        repeats=given["repeats"],
        budget=Budget(calls=given["budget_calls"], tokens=given["budget_tokens"], seconds=given["budget_seconds"]),
        calls_per_second=given["rate"],
        resume=given["resume"],
        as_zip=given["as_zip"],
    )


def _target(given: dict[str, Any]) -> Any:
    from trigpoint.core.records import RequestSettings
    from trigpoint.home import in_force, text, whole_number
    from trigpoint.respondents.base import Target

    model = text(in_force("model", given["model"]), "model") or ""
    concurrency = whole_number(in_force("concurrency", given["concurrency"]), "concurrency")
    declared = {name: given[name] for name in ("revision", "artifact_sha256", "quantization") if given[name]}
    return Target(
        model=model,
        base_url=text(base_url_in_force(model, given["base_url"]), "base_url"),
        command=given["command"],
        settings=RequestSettings(
            temperature=given["temperature"],
            top_p=given["top_p"],
            seed=given["seed"],
            max_output_tokens=given["max_output_tokens"],
            effort=given["effort"],
            stream=given["stream"],
            timeout_seconds=given["timeout"],
        ),
        declared=declared,
        concurrency=concurrency or (2 if model.partition("/")[0] == "local" else 8),
    )


async def _execute(order: Order, *, quiet: bool) -> Ended:
    from trigpoint.pipeline import Stop
    from trigpoint.running import execute

    stop, progress = Stop(), Progress(quiet=quiet)
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        stop.ask("interrupted")
        again = "; once more drops them" if stop.asked == 1 else ""
        print(f"\nStopping: waiting for the calls in flight{again}.", file=sys.stderr, flush=True)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupt)
    try:
        return await execute(order, stop=stop, watch=progress.watch, warn=lambda text: print(text, file=sys.stderr))
    finally:
        await progress.close()


def run_loop(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine on the quickest event loop there is.

    What is loaded by now stays for good, and asking makes next to no cycles: looking for them less often saves a
    tenth of the processor's time and no memory that grows.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    if sys.platform == "win32":
        return asyncio.run(main())
    import uvloop

    return uvloop.run(main())


def report(ended: Ended, order: Order, *, as_json: bool) -> int:
    """Print how the run ended; returns the exit code."""
    from trigpoint.cli.main import print_json
    from trigpoint.cli.summary import summary
    from trigpoint.publish.numbers import result_numbers
    from trigpoint.publish.words import unsettled

    if ended.result is None:
        live = ended.live
        print(
            f"Interrupted: {live.done:,} of {live.total:,} recorded in {ended.place}.\n"
            "Go on with the same command and --resume.",
            file=sys.stderr,
        )
        return INTERRUPTED
    code = NOT_ALL_ANSWERED if unsettled(ended.result["outcomes"]) else 0
    if as_json:
        print_json({**result_numbers(ended.result), "root": ended.root, "bundle": str(ended.place), "exit_code": code})
    else:
        click.echo(summary(ended, order.target.model))
    return code
