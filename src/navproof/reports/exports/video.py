"""Moving pictures through PyAV (the extra ``video``): H.264 in MP4, and GIF.

An MP4 is what browsers play: H.264 with 4:2:0 colours, even sides, its index in front. It is
encoded for quality, with a bound on the bytes a picture may take on average, so that 500 steps
stay below 5 MB whatever they show. Its bytes are the encoder's affair: the same pictures may give
others. A GIF has one palette for the whole animation.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, RunError
from navproof.core.files import TEMPORARY_SUFFIX

__all__ = ["BYTES_A_PICTURE", "beside", "needs_video", "write_gif", "write_mp4"]

Image = NDArray[np.uint8]
BYTES_A_PICTURE = 9_000
"""What a picture of an MP4 may take on average: 4.5 MB for 500."""
_QUALITY = "23"  # x264's constant rate factor: 18 is called transparent, 28 shows blocks
_BT601, _LIMITED = 6, 1  # what browsers take untagged video of this size for, said all the same


def needs_video(what: str) -> ModuleType:
    """PyAV; a ``MissingExtraError`` where it is not installed, which says what needs it."""
    try:
        import av
    except ImportError:
        raise MissingExtraError("PyAV", "video", what) from None
    module: ModuleType = av
    return module


def write_mp4(pictures: Iterable[Image], out: Path, rate: float) -> None:
    """Equally large RGB pictures, ``rate`` a second. A side that is odd is made even by repeating
    its last row or column."""
    av = needs_video(f"writing {out.name}")
    first, pictures = _peeked(pictures)
    height, width = (side + side % 2 for side in first.shape[:2])
    bits_a_second = round(8 * BYTES_A_PICTURE * rate)
    with (
        beside(out) as temporary,
        av.open(str(temporary), "w", format="mp4", options={"movflags": "+faststart"}) as container,
    ):
        stream = container.add_stream("libx264", rate=Fraction(rate).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {
            "crf": _QUALITY,
            "preset": "veryfast",
            "maxrate": str(bits_a_second),
            "bufsize": str(2 * bits_a_second),
        }
        context = stream.codec_context
        context.colorspace, context.color_range = _BT601, _LIMITED
        for picture in pictures:
            planes = cv2.cvtColor(_even(picture), cv2.COLOR_RGB2YUV_I420)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def write_gif(pictures: Iterable[Image], out: Path, rate: float) -> None:
    """An endless animation of equally large RGB pictures, ``rate`` a second."""
    av = needs_video(f"writing {out.name}")
    first, pictures = _peeked(pictures)
    height, width = first.shape[:2]
    pace = Fraction(rate).limit_denominator(1000)
    with beside(out) as temporary, av.open(str(temporary), "w", format="gif") as container:
        stream = container.add_stream("gif", rate=pace)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        graph = _palette_graph(av, width, height, pace)
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
            frame.pts, frame.time_base = number, 1 / pace
            graph.push(frame)
        graph.push(None)
        for shown in _pulled(av, graph):
            container.mux(stream.encode(shown))
        container.mux(stream.encode())


def _palette_graph(av: Any, width: int, height: int, pace: Fraction) -> Any:
    """All pictures, in colours of one palette that is made from them all."""
    graph = av.filter.Graph()
    source = graph.add_buffer(width=width, height=height, format="rgb24", time_base=1 / pace)
    split = graph.add("split")
    palette = graph.add("palettegen", "stats_mode=full")
    # Dithering would change with every frame: flat colours stay flat, and files small.
    use = graph.add("paletteuse", "dither=none:diff_mode=rectangle")
    sink = graph.add("buffersink")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(palette, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    return graph


def _pulled(av: Any, graph: Any) -> Iterator[Any]:
    with contextlib.suppress(av.error.EOFError, av.error.BlockingIOError):
        while True:
            yield graph.pull()


def _peeked(pictures: Iterable[Image]) -> tuple[Image, Iterator[Image]]:
    """The first picture, and all of them."""
    everything = iter(pictures)
    first = next(everything)
    return first, chain([first], everything)


def _even(picture: Image) -> Image:
    rows, columns = picture.shape[:2]
    if rows % 2 or columns % 2:
        picture = np.pad(picture, ((0, rows % 2), (0, columns % 2), (0, 0)), mode="edge")
    return np.ascontiguousarray(picture)


@contextlib.contextmanager
def beside(out: Path) -> Iterator[Path]:
    """Where to write: the file takes its name when it is complete. ``RunError`` where it cannot be
    written."""
    temporary = out.with_name(f".{out.name}.{os.getpid()}{TEMPORARY_SUFFIX}")
    try:
        yield temporary
        temporary.replace(out)
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
