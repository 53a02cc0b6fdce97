"""Serves an agent to navproof over WebSocket, from any Python >= 3.8: this one file is all of it.

    pip install numpy msgpack websockets
    python navproof_client.py serve my_agent.py:MyAgent --port 9000

and where navproof is:

    navproof run --agent ws://localhost:9000 --suite mini -o runs/served

``MyAgent`` is a class with ``reset(brief)`` and ``act(obs)``, whose attributes are those of
navproof's ``TaskBrief`` and ``Observation``. ``act`` returns the name of a move ("forward", "left",
"right", "stop", "found"; ``Move`` has them), a ``Velocity``, ``Waypoints``, an ``Answer``, or a
``Decision``, which has beliefs too. Class attributes ``sensors``, ``tasks``, ``feels``, ``files``
and ``version`` say more of it, all optional. Options go as in ``my_agent.py:MyAgent@beam=5``.

Each connection has an agent of its own; their calls take turns, each with global random generators
(``random``, NumPy, PyTorch) of its own, so that results do not depend on who else is served. A
class with ``act_batch(observations)`` and ``--batch N`` (or ``batch = N`` in it) is made once for
all connections: ``obs.slot`` and ``brief.slot`` tell their episodes apart.

``--as habitat-pointnav | habitat-objectnav | habitat-vlnce`` serves a ``habitat.Agent``: it has
``reset()`` and ``act(observations)``, in Habitat's names, frames, units and action ids.
"""

import argparse
import contextlib
import ctypes
import os
import re
import ssl
import sys
from typing import List, Optional, Tuple

from navproof.agents.client.habitat import (
    KINDS,
    HabitatOptions,
    Kind,
    Vocabulary,
    categories_from,
)
from navproof.agents.client.loading import load
from navproof.agents.client.records import ServeError, read_plain
from navproof.agents.client.serving import Address, Served, serve

__all__ = ["main"]

TOKEN_VARIABLE = "NAVPROOF_TOKEN"
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def main(words: Optional[List[str]] = None) -> None:
    """The command line."""
    options = _parser().parse_args(words)
    if words is None and "PYTHONHASHSEED" not in os.environ and os.name == "posix":
        # what an agent iterates over (a set, say) is then in the same order everywhere
        settings = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.argv], settings)
    if words is None:
        _keep_memory()
    try:
        served, address = _served(options), _address(options)

        def ready(port: int) -> None:
            scheme = "ws" if address.tls is None else "wss"
            who = f"{served.name}{f' in batches of {served.batch}' if served.batch > 1 else ''}"
            print(f"serving {who} at {scheme}://{address.host}:{port}", flush=True)

        serve(served, address, ready)
    except ServeError as error:
        sys.exit(f"navproof_client: {error}")
    except ImportError as error:
        sys.exit(f"navproof_client: {error}; pip install numpy msgpack websockets")
    except OSError as error:
        where = f"{options.host}:{options.port}"
        sys.exit(f"navproof_client: cannot serve at {where}: {error.strerror or error}")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr, flush=True)
        os._exit(130)  # calls that hang must not keep it


def _keep_memory() -> None:
    """Pictures come and go at every step: to give their memory back to the system and ask for it
    anew costs as much as all else that is done with them."""
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError, OSError):  # another C library than GNU's
            library = ctypes.CDLL(None)
            library.mallopt(_MMAP_THRESHOLD, 1 << 26)
            library.mallopt(_TRIM_THRESHOLD, 1 << 29)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    command = parser.add_subparsers(dest="command", metavar="serve", required=True)
    one = command.add_parser("serve", help="serve an agent until interrupted")
    add = one.add_argument
    add("agent", help="my_agent.py:MyAgent or package.module:Class, with options (@beam=5)")
    add("--host", default="localhost", help="where to listen (localhost); others need a token")
    add("--port", type=_port, default=9000, help="0 takes a free one (9000)")
    add("--token-file", help=f"a file with the token to be shown (or {TOKEN_VARIABLE})")
    add("--cert", help="a certificate (PEM), for wss://")
    add("--key", help="its private key")
    add("--name", type=_name, help="what the agent is called in results (the class)")
    add("--batch", type=int, help="how many observations act_batch is given at most")
    add("--wait-ms", type=_amount, default=5.0, help="how long a batch is waited for (5)")
    add("--max-mb", type=_amount, default=64.0, help="the longest message (64)")
    add("--as", dest="kind", choices=sorted(KINDS), help="the class is a habitat.Agent")
    add("--depth-range", help="Habitat: the policy's min_depth,max_depth in metres")
    add("--categories", help='Habitat: a JSON file {"chair": 0, …} (the six of HM3D)')
    add("--vocabulary", help="Habitat: the data set's words, for instruction.tokens")
    add(
        "--token-count",
        type=int,
        default=200,
        help="Habitat: their number, 0 as many as words (200)",
    )
    add("--no-tokens", action="store_true", help="Habitat: the policy reads instruction.text")
    add("--looks", choices=("refuse", "skip"), default="refuse", help="Habitat: ids 4 and 5")
    add("--holes", choices=("refuse", "far", "near"), default="refuse", help="Habitat: depth of 0")
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError("ports are numbers from 0 to 65535")
    return number


def _amount(text: str) -> float:
    value = float(text)
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError("it must be a number greater than 0")
    return value


def _name(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError("it must be a word")
    return text


def _served(options: argparse.Namespace) -> Served:
    name = options.name or re.split(r"@(?=[A-Za-z_]\w*=)", options.agent)[0]
    return Served(
        load(options.agent),
        name if options.name else name.replace("\\", "/").rpartition("/")[2],
        habitat=_habitat(options),
        batch=options.batch,
        wait_s=options.wait_ms / 1e3,
    )


def _habitat(options: argparse.Namespace) -> Optional[Tuple[Kind, HabitatOptions]]:
    if options.kind is None:
        return None
    if options.kind == "habitat-vlnce" and not options.vocabulary and not options.no_tokens:
        raise ServeError(
            "instruction.tokens are made of the words as they are heard, which needs the data set's"
            " vocabulary (--vocabulary FILE); a policy that reads the text needs none (--no-tokens)"
        )
    words = Vocabulary(options.vocabulary, options.token_count) if options.vocabulary else None
    depth = None
    if options.depth_range:
        try:
            low, high = (float(part) for part in options.depth_range.split(","))
            depth = (low, high)
        except ValueError:
            depth = (0.0, 0.0)
        if not 0.0 <= depth[0] < depth[1]:
            raise ServeError(f"--depth-range must read 0.5,5.0, not {options.depth_range}")
    return KINDS[options.kind], HabitatOptions(
        depth, categories_from(options.categories), words, options.looks, options.holes
    )


def _address(options: argparse.Namespace) -> Address:
    token: Optional[str] = os.environ.get(TOKEN_VARIABLE, "").strip() or None
    if options.token_file:
        try:
            token = read_plain(options.token_file, 1 << 13).decode().strip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is not text"
            raise ServeError(f"{options.token_file} cannot be read: {why}") from None
        if not token:
            raise ServeError(f"{options.token_file} is empty: it holds the token")
    if token is None and options.host not in _LOOPBACK:
        raise ServeError(
            f"--host {options.host} lets others in: give --token-file FILE, or {TOKEN_VARIABLE}"
        )
    tls = None
    if options.cert or options.key:
        try:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(options.cert or options.key, options.key)
        except OSError as error:
            raise ServeError(f"--cert and --key cannot be used: {error}") from None
    return Address(options.host, options.port, token, tls, int(options.max_mb * 2**20))
