"""Textures that are seen whole: screens, book spines, faces of clocks, pages, flames."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng as stream
from navproof.world.textures.canvas import Canvas
from navproof.world.textures.noise import SIZE, noise, ramp, rgba, smooth

__all__ = ["pictures"]


def _desktop() -> NDArray[np.uint8]:
    c = Canvas((40, 90, 160))
    c.sky((30, 70, 150), (120, 170, 220), 1.0)
    c.box(0.14, 0.10, 0.74, 0.78, (244, 245, 247))
    c.box(0.14, 0.10, 0.74, 0.17, (70, 76, 88))
    for i in range(8):
        c.box(0.20, 0.25 + 0.06 * i, 0.50 + 0.05 * ((i * 5) % 4), 0.27 + 0.06 * i, (120, 126, 136))
    c.box(0.58, 0.42, 0.92, 0.86, (252, 252, 252))
    c.box(0.58, 0.42, 0.92, 0.48, (196, 84, 60))
    for i, h in enumerate((0.10, 0.20, 0.15, 0.27)):
        c.box(0.63 + 0.065 * i, 0.82 - h, 0.67 + 0.065 * i, 0.82, (60, 140, 110))
    c.box(0, 0.93, 1, 1, (24, 28, 38))
    for i in range(6):
        c.box(
            0.03 + 0.06 * i,
            0.945,
            0.065 + 0.06 * i,
            0.985,
            ((220, 90, 60), (90, 180, 90), (240, 200, 80))[i % 3],
        )
    return c.done()


def _broadcast(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((60, 130, 70))
    c.sky((120, 170, 225), (200, 220, 235), 0.3)
    c.fill(c.v > 0.3, (58, 140, 62))
    c.fill((c.v > 0.3) & (np.floor((c.u - 0.5) / (0.35 + c.v) * 8) % 2 > 0), (68, 156, 72))
    c.fill((c.v > 0.22) & (c.v < 0.34) & (noise(r, 64, 64) > 0.5), (190, 80, 70))
    for x, y, colour in (
        (0.3, 0.55, (220, 40, 40)),
        (0.6, 0.62, (245, 245, 245)),
        (0.75, 0.5, (220, 40, 40)),
        (0.46, 0.78, (245, 245, 245)),
    ):
        c.disc(x, y, 0.03, 0.07, colour)
        c.disc(x, y - 0.09, 0.02, 0.028, (220, 170, 140))
    c.box(0.05, 0.06, 0.32, 0.14, (20, 40, 90))
    c.box(0.07, 0.085, 0.28, 0.115, (250, 250, 250))
    return c.done()


def _screen_off() -> NDArray[np.uint8]:
    u, v = ramp()
    sheen = smooth(np.clip(1.0 - np.abs(u + 0.6 * v - 0.7) * 4.0, 0, 1))
    return rgba((0.012 + 0.03 * sheen)[..., None] * np.array([1.0, 1.0, 1.15]))


def _clock_face() -> NDArray[np.uint8]:
    """White dial with black marks; hands at ten past ten. A = 1 marks nothing."""
    c = Canvas((248, 247, 243))
    x, y = c.u - 0.5, c.v - 0.5
    radius = np.sqrt(x * x + y * y)
    c.fill((radius > 0.475), (200, 200, 200))
    s3, h = 0.8660254037844386, 0.5
    for i, (dx, dy) in enumerate(
        (
            (0, -1),
            (h, -s3),
            (s3, -h),
            (1, 0),
            (s3, h),
            (h, s3),
            (0, 1),
            (-h, s3),
            (-s3, h),
            (-1, 0),
            (-s3, -h),
            (-h, -s3),
        )
    ):
        along, across = x * dx + y * dy, np.abs(x * dy - y * dx)
        inner = 0.33 if i % 3 == 0 else 0.38
        c.fill(
            (along > inner) & (along < 0.44) & (across < (0.022 if i % 3 == 0 else 0.012)),
            (20, 20, 22),
        )
    for dx, dy, length, width in ((-s3, -h, 0.25, 0.026), (s3, -h, 0.36, 0.018)):
        along, across = x * dx + y * dy, np.abs(x * dy - y * dx)
        c.fill((along > -0.04) & (along < length) & (across < width), (16, 16, 18))
    c.fill(radius < 0.035, (180, 30, 30))
    return c.done()


def _digits() -> NDArray[np.uint8]:
    """A seven-segment 10:25, glowing on black."""
    c = Canvas((10, 10, 12))
    segments = {1: "bc", 0: "abcdef", 2: "abged", 5: "afgcd"}
    for x, digit in ((0.06, 1), (0.28, 0), (0.56, 2), (0.78, 5)):
        w, top, h = 0.16, 0.24, 0.26
        spots = {
            "a": (x, top, x + w, top + 0.06),
            "g": (x, top + h, x + w, top + h + 0.06),
            "d": (x, top + 2 * h, x + w, top + 2 * h + 0.06),
            "f": (x, top, x + 0.045, top + h),
            "b": (x + w - 0.045, top, x + w, top + h),
            "e": (x, top + h, x + 0.045, top + 2 * h + 0.06),
            "c": (x + w - 0.045, top + h, x + w, top + 2 * h + 0.06),
        }
        for key in segments[digit]:
            c.box(*spots[key], (255, 60, 40))
    for y in (0.38, 0.60):
        c.box(0.485, y, 0.52, y + 0.06, (255, 60, 40))
    return c.done()


def _books(r: np.random.Generator) -> NDArray[np.uint8]:
    """A row of spines, standing; the top of the picture is the dark back of the shelf."""
    c = Canvas((30, 26, 22))
    colours = [
        (150, 40, 36),
        (36, 70, 120),
        (48, 96, 62),
        (208, 176, 96),
        (86, 54, 110),
        (226, 220, 204),
        (40, 40, 46),
        (190, 100, 44),
        (120, 140, 150),
        (112, 72, 44),
    ]
    x, i = 0.0, 0
    while x < 0.995:
        width = 0.035 + 0.05 * float(r.random())
        if 1.0 - (x + width) < 0.035:
            width = 1.0 - x
        top = 0.06 + 0.22 * float(r.random())
        colour = colours[int(r.integers(len(colours)))]
        c.box(x, top, x + width, 1.0, colour)
        dark = tuple(int(k * 0.6) for k in colour)
        c.box(x, top, x + 0.009, 1.0, (dark[0], dark[1], dark[2]))
        light = (236, 226, 190) if sum(colour) < 420 else (60, 50, 44)
        c.box(
            x + 0.3 * width,
            top + 0.12,
            x + 0.75 * width,
            top + 0.30 + 0.2 * float(r.random()),
            light,
        )
        if i % 3 == 0:
            c.box(x, 0.86, x + width, 0.89, light)
        x, i = x + width, i + 1
    return c.done()


def _keys() -> NDArray[np.uint8]:
    u, v = ramp()
    fu, fv = (u * 12 + 0.25 * np.floor(v * 5)) % 1.0, (v * 5) % 1.0
    cap = (fu > 0.12) & (fu < 0.90) & (fv > 0.12) & (fv < 0.88)
    space = (v > 0.8) & (u > 0.28) & (u < 0.72)
    bar = space & (fv > 0.12) & (fv < 0.88) & (u > 0.29) & (u < 0.71)
    return rgba(np.ones((SIZE, SIZE)), np.where(space, bar, cap).astype(np.float64))


def _page() -> NDArray[np.uint8]:
    c = Canvas((246, 243, 234))
    for i in range(13):
        c.box(0.12, 0.12 + 0.058 * i, 0.88 - 0.2 * (i % 5 == 4), 0.142 + 0.058 * i, (90, 88, 86))
    return c.done()


def _phone() -> NDArray[np.uint8]:
    c = Canvas((30, 60, 130))
    c.sky((60, 40, 140), (40, 150, 190), 1.0)
    for i in range(12):
        c.box(
            0.12 + 0.28 * (i % 3),
            0.30 + 0.16 * (i // 3),
            0.30 + 0.28 * (i % 3),
            0.41 + 0.16 * (i // 3),
            ((240, 90, 70), (250, 250, 250), (250, 200, 70), (90, 200, 120))[i % 4],
        )
    c.box(0.3, 0.10, 0.7, 0.18, (250, 250, 250))
    return c.done()


def _notes(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((250, 251, 251))
    for i in range(6):
        wob = 0.01 * (noise(r, 1, 24) - 0.5)
        line = (
            (np.abs(c.v - 0.18 - 0.09 * i - wob) < 0.008)
            & (c.u > 0.08)
            & (c.u < 0.34 + 0.04 * ((i * 3) % 4))
        )
        c.fill(line, (30, 60, 160) if i % 2 else (30, 30, 34))
    c.disc(0.70, 0.42, 0.17, 0.24, (190, 40, 40))
    c.disc(0.70, 0.42, 0.155, 0.225, (250, 251, 251))
    c.box(0.69, 0.42, 0.71, 0.75, (30, 60, 160))
    return c.done()


def _snacks(r: np.random.Generator) -> NDArray[np.uint8]:
    """Rows of packets and cans behind the glass of a vending machine or display."""
    c = Canvas((38, 38, 42))
    colours = [
        (214, 50, 44),
        (240, 190, 50),
        (50, 120, 190),
        (70, 150, 70),
        (240, 130, 40),
        (236, 236, 236),
        (130, 70, 150),
    ]
    for row in range(5):
        top = 0.02 + 0.195 * row
        for k in range(7):
            colour = colours[int(r.integers(7))]
            x = 0.03 + 0.137 * k
            c.box(x, top + 0.03, x + 0.105, top + 0.165, colour)
            c.box(x + 0.02, top + 0.07, x + 0.085, top + 0.11, (250, 248, 240))
        c.box(0, top + 0.168, 1, top + 0.19, (170, 172, 176))
    return c.done()


def _flame(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((14, 8, 6))
    lick = noise(r, 3, 7) * 0.4 + noise(r, 6, 12) * 0.25
    body = np.clip((c.v - 0.15 - lick) * 2.2, 0, 1) * np.clip(1.6 - np.abs(c.u - 0.5) * 3.4, 0, 1)
    c.fill(body, (224, 70, 14))
    c.fill(np.clip(body * 1.9 - 0.9, 0, 1), (255, 176, 40))
    c.fill(np.clip(body * 2.6 - 1.8, 0, 1), (255, 240, 170))
    for x in (0.3, 0.5, 0.7):
        c.disc(x, 0.95, 0.16, 0.06, (70, 40, 24))
    return c.done()


def _washer() -> NDArray[np.uint8]:
    """Control strip: a dial, a display and buttons."""
    c = Canvas((232, 233, 234))
    c.disc(0.5, 0.5, 0.07, 0.36, (90, 94, 100))
    c.disc(0.5, 0.5, 0.05, 0.26, (200, 202, 205))
    c.box(0.64, 0.25, 0.86, 0.75, (20, 40, 50))
    c.box(0.67, 0.4, 0.80, 0.6, (110, 220, 190))
    c.box(0.06, 0.2, 0.34, 0.8, (205, 207, 210))
    for i in range(3):
        c.disc(0.90 + 0.035 * i, 0.5, 0.012, 0.08, (60, 60, 64))
    return c.done()


def _mirror(r: np.random.Generator) -> NDArray[np.uint8]:
    """What a mirror shows: a pale, blurred room with a bright window and glancing streaks."""
    c = Canvas((176, 190, 200))
    c.sky((196, 208, 216), (150, 164, 174), 1.0)
    c.fill(np.where(c.v > 0.72, 0.6, 0.0), (128, 120, 112))
    c.disc(0.70, 0.36, 0.22, 0.26, (226, 236, 244))
    streak = np.clip(1.0 - np.abs(c.u + 0.7 * c.v - 0.62) * 9.0, 0, 1)
    c.fill(0.75 * smooth(streak), (246, 250, 252))
    thin = np.clip(1.0 - np.abs(c.u + 0.7 * c.v - 0.86) * 26.0, 0, 1)
    c.fill(0.7 * smooth(thin), (246, 250, 252))
    return c.done()


def pictures() -> dict[str, NDArray[np.uint8]]:
    """Whole-picture textures by name."""

    def r(name: str) -> np.random.Generator:
        return stream(0, "textures", name)

    return {
        "screen_desktop": _desktop(),
        "screen_tv": _broadcast(r("tv")),
        "screen_off": _screen_off(),
        "clock_face": _clock_face(),
        "digits": _digits(),
        "books": _books(r("books")),
        "keys": _keys(),
        "page": _page(),
        "phone": _phone(),
        "notes": _notes(r("notes")),
        "snacks": _snacks(r("snacks")),
        "flame": _flame(r("flame")),
        "controls": _washer(),
        "mirror": _mirror(r("mirror")),
    }
