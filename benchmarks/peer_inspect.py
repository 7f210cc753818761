"""The same samples through inspect-ai, for comparison: python -m benchmarks.peer_inspect URL SAMPLES"""

from __future__ import annotations

import os
import sys
import tempfile

from benchmarks.asking import CONCURRENCY, question


def main() -> None:
    base_url, samples = sys.argv[1], int(sys.argv[2])
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import GenerateConfig, get_model
    from inspect_ai.scorer import exact
    from inspect_ai.solver import generate

    data = MemoryDataset([Sample(input=prompt, target=answer) for prompt, answer in map(question, range(samples))])
    task = Task(dataset=data, solver=generate(), scorer=exact())
    model = get_model(
        "openai/m",
        base_url=base_url,
        api_key="sk-loopback-0123456789",
        responses_api=False,
        config=GenerateConfig(max_connections=CONCURRENCY),
    )
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INSPECT_LOG_DIR"] = folder
        (log,) = eval(task, model=model, display="none", log_dir=folder, max_samples=CONCURRENCY)
        assert log.status == "success", log.error


if __name__ == "__main__":
    main()
