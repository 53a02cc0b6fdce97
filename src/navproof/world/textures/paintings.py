"""Paintings for walls, and what windows look out on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng as stream
from navproof.world.textures.canvas import Canvas
from navproof.world.textures.noise import noise, smooth

__all__ = ["paintings"]


def _landscape(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((180, 210, 235))
    c.sky((90, 150, 215), (235, 225, 200), 0.6)
    c.disc(0.72, 0.22, 0.08, 0.08, (255, 240, 170))
    far = 0.50 - 0.22 * smooth(noise(r, 1, 5))
    c.fill(c.v > far, (110, 125, 160))
    c.fill(c.v > 0.58 - 0.14 * noise(r, 1, 4), (84, 128, 76))
    c.fill(c.v > 0.74 - 0.10 * noise(r, 1, 3), (58, 100, 50))
    c.fill(
        np.abs(c.u - 0.5 - 0.25 * (c.v - 0.7)) < 0.14 * np.clip(c.v - 0.68, 0, 1), (200, 170, 120)
    )
    for x, y, s in ((0.18, 0.66, 0.07), (0.32, 0.70, 0.05), (0.84, 0.70, 0.08)):
        c.box(x - 0.01, y, x + 0.01, y + 1.6 * s, (80, 55, 35))
        c.disc(x, y - 0.3 * s, s, 1.2 * s, (36, 82, 40))
    return c.done()


def _seascape(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((150, 190, 220))
    c.sky((244, 160, 96), (250, 222, 170), 0.5)
    c.disc(0.5, 0.46, 0.12, 0.12, (255, 236, 150))
    c.fill(c.v > 0.5, (30, 96, 140))
    c.fill((c.v > 0.5) & (noise(r, 40, 6) > 0.62), (110, 170, 196))
    c.fill((c.v > 0.5) & (np.abs(c.u - 0.5) < 0.1) & (noise(r, 48, 10) > 0.5), (250, 210, 140))
    sail = (c.v > 0.34) & (c.v < 0.55) & (c.u > 0.24) & (c.u < 0.24 + (c.v - 0.34) * 0.5)
    c.fill(sail, (250, 248, 240))
    c.box(0.2, 0.55, 0.38, 0.58, (110, 50, 40))
    return c.done()


def _abstract(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((236, 226, 206))
    colours = [(196, 60, 44), (36, 86, 146), (238, 182, 58), (40, 40, 44), (72, 138, 118)]
    for i in range(9):
        cu, cv, ru = r.random(), r.random(), 0.08 + 0.18 * r.random()
        c.disc(float(cu), float(cv), float(ru), float(ru * (0.6 + r.random())), colours[i % 5])
    c.fill(np.abs(c.u - c.v * 0.8 - 0.1) < 0.018, (30, 30, 32))
    return c.done()


def _geometric() -> NDArray[np.uint8]:
    c = Canvas((244, 242, 234))
    c.box(0.0, 0.0, 0.38, 0.45, (200, 36, 34))
    c.box(0.68, 0.62, 1.0, 1.0, (34, 70, 156))
    c.box(0.38, 0.78, 0.68, 1.0, (240, 200, 50))
    c.box(0.68, 0.0, 1.0, 0.2, (240, 200, 50))
    for t in (0.38, 0.68):
        c.box(t - 0.02, 0, t + 0.02, 1, (24, 24, 26))
    for t in (0.20, 0.45, 0.62, 0.78):
        c.box(0, t - 0.02, 1, t + 0.02, (24, 24, 26))
    return c.done()


def _portrait() -> NDArray[np.uint8]:
    c = Canvas((84, 70, 56))
    c.sky((100, 84, 66), (58, 48, 40), 1.0)
    c.disc(0.5, 1.02, 0.40, 0.36, (46, 52, 84))
    c.fill((np.abs(c.u - 0.5) < 0.10 - 0.16 * (c.v - 0.66)) & (c.v > 0.66), (240, 236, 226))
    c.disc(0.5, 0.36, 0.21, 0.25, (60, 38, 24))
    c.box(0.44, 0.54, 0.56, 0.70, (206, 152, 120))
    c.disc(0.5, 0.42, 0.165, 0.22, (224, 172, 140))
    for x in (0.435, 0.565):
        c.disc(x, 0.40, 0.026, 0.018, (40, 30, 26))
    c.disc(0.5, 0.47, 0.02, 0.035, (204, 146, 116))
    c.disc(0.5, 0.54, 0.055, 0.016, (168, 76, 70))
    return c.done()


def _flowers(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((222, 214, 196))
    c.box(0, 0.78, 1, 1, (140, 98, 62))
    c.disc(0.5, 0.78, 0.15, 0.18, (56, 96, 150))
    c.box(0.42, 0.56, 0.58, 0.66, (56, 96, 150))
    colours = [(214, 54, 60), (240, 190, 60), (226, 120, 160), (250, 246, 240), (150, 80, 170)]
    for i in range(14):
        x, y = 0.5 + 0.62 * (float(r.random()) - 0.5), 0.14 + 0.40 * float(r.random())
        c.fill(
            np.abs(c.u - x - (0.5 - x) * np.clip((c.v - y) / (0.6 - y), 0, 1))
            < 0.008 * ((c.v > y) & (c.v < 0.6)),
            (50, 104, 48),
        )
        c.disc(x, y, 0.075, 0.07, colours[i % 5])
        c.disc(x, y, 0.025, 0.025, (90, 60, 20))
    return c.done()


def _city(r: np.random.Generator) -> NDArray[np.uint8]:
    """A skyline at dusk with lit windows, mirrored in water."""
    c = Canvas((60, 60, 110))
    c.sky((38, 44, 96), (240, 150, 110), 0.72)
    x = 0.0
    while x < 1.0:
        width, top = 0.07 + 0.08 * float(r.random()), 0.22 + 0.36 * float(r.random())
        tone = 26 + int(26 * r.random())
        c.box(x, top, x + width, 0.74, (tone, tone, tone + 18))
        inside = (c.u > x) & (c.u < x + width) & (c.v > top) & (c.v < 0.72)
        lit = ((c.u * 40) % 1.0 > 0.45) & ((c.v * 28) % 1.0 > 0.5) & (noise(r, 28, 40) > 0.52)
        c.fill(inside & lit, (252, 214, 120))
        x += width
    c.fill(c.v > 0.74, (52, 62, 112))
    c.fill((c.v > 0.74) & (noise(r, 60, 8) > 0.6), (200, 134, 118))
    return c.done()


def _cat() -> NDArray[np.uint8]:
    """A ginger cat, sitting, on a pale green ground."""
    c = Canvas((188, 206, 178))
    c.box(0, 0.84, 1, 1, (142, 160, 132))
    fur, dark = (218, 132, 56), (150, 80, 30)
    c.disc(0.5, 0.76, 0.22, 0.26, fur)
    c.disc(0.72, 0.88, 0.16, 0.05, fur)
    for side in (-1, 1):
        ear = (np.abs(c.u - 0.5 - side * 0.13) < (c.v - 0.12) * 0.5) & (c.v > 0.12) & (c.v < 0.34)
        c.fill(ear, fur)
    c.disc(0.5, 0.40, 0.22, 0.19, fur)
    c.disc(0.5, 0.80, 0.10, 0.16, (248, 232, 206))
    c.disc(0.5, 0.47, 0.09, 0.07, (248, 232, 206))
    for side in (-1, 1):
        c.disc(0.5 + side * 0.09, 0.38, 0.042, 0.045, (120, 170, 70))
        c.disc(0.5 + side * 0.09, 0.38, 0.014, 0.040, (14, 14, 14))
        c.disc(0.5 + side * 0.10, 0.93, 0.08, 0.04, fur)
    for i in (-1, 0, 1):
        c.box(0.49 + 0.06 * i, 0.22, 0.505 + 0.06 * i, 0.31, dark)
    c.disc(0.5, 0.445, 0.022, 0.016, (196, 90, 90))
    return c.done()


def _outside(r: np.random.Generator) -> NDArray[np.uint8]:
    c = Canvas((150, 190, 235))
    c.sky((112, 172, 240), (222, 236, 248), 0.62)
    cloud = smooth(np.clip(noise(r, 6, 4) * 0.7 + noise(r, 12, 8) * 0.5 - 0.45, 0, 1) * (c.v < 0.5))
    c.fill(np.clip(cloud * 1.6, 0, 1), (255, 255, 255))
    c.fill(c.v > 0.62 - 0.10 * noise(r, 1, 6), (122, 160, 120))
    c.box(0.60, 0.44, 0.84, 0.74, (226, 208, 184))
    c.fill((c.v > 0.34) & (c.v < 0.44) & (np.abs(c.u - 0.72) < (c.v - 0.32) * 1.4), (166, 84, 64))
    for x in (0.645, 0.755):
        c.box(x, 0.52, x + 0.05, 0.62, (90, 110, 130))
    c.fill(c.v > 0.74 - 0.04 * noise(r, 1, 8), (96, 150, 70))
    for x, s in ((0.15, 0.14), (0.34, 0.10), (0.95, 0.13)):
        c.box(x - 0.012, 0.6, x + 0.012, 0.8, (96, 72, 50))
        c.disc(x, 0.54, s, s * 1.2, (66, 122, 56))
    return c.done()


def _hills(r: np.random.Generator) -> NDArray[np.uint8]:
    """Another view: fields and far mountains."""
    c = Canvas((150, 190, 235))
    c.sky((96, 160, 236), (228, 238, 246), 0.55)
    cloud = np.clip(noise(r, 5, 4) * 0.8 + noise(r, 12, 8) * 0.4 - 0.5, 0, 1) * (c.v < 0.42)
    c.fill(np.clip(cloud * 1.8, 0, 1), (255, 255, 255))
    c.fill(c.v > 0.52 - 0.16 * noise(r, 1, 5), (140, 156, 186))
    c.fill(c.v > 0.60 - 0.08 * noise(r, 1, 4), (120, 158, 104))
    c.fill(c.v > 0.72 - 0.06 * noise(r, 1, 3), (206, 190, 104))
    c.fill(c.v > 0.84 - 0.05 * noise(r, 1, 4), (104, 152, 74))
    for i in range(7):
        x = 0.05 + 0.15 * i + 0.05 * float(r.random())
        c.disc(x, 0.70 + 0.03 * (i % 2), 0.04, 0.05, (62, 108, 56))
    return c.done()


def _street(r: np.random.Generator) -> NDArray[np.uint8]:
    """Another view: the houses across the street."""
    c = Canvas((170, 200, 232))
    c.sky((130, 180, 236), (220, 232, 242), 0.5)
    fronts = [(198, 150, 120), (222, 210, 186), (170, 120, 104), (186, 196, 200), (214, 186, 140)]
    for i, colour in enumerate(fronts):
        x, top = 0.2 * i, 0.16 + 0.10 * float(r.random())
        c.box(x, top, x + 0.2, 0.82, colour)
        c.box(x, top - 0.03, x + 0.2, top + 0.01, (110, 76, 66))
        for row in range(3):
            for column in range(2):
                u, v = x + 0.035 + 0.085 * column, top + 0.07 + 0.17 * row
                c.box(u - 0.006, v - 0.01, u + 0.056, v + 0.11, (240, 238, 232))
                c.box(u, v, u + 0.05, v + 0.10, (84, 104, 124))
    c.box(0, 0.82, 1, 0.88, (176, 176, 172))
    c.box(0, 0.88, 1, 1, (112, 114, 118))
    for x in (0.12, 0.58, 0.88):
        c.box(x - 0.01, 0.6, x + 0.01, 0.86, (92, 70, 50))
        c.disc(x, 0.55, 0.08, 0.12, (78, 132, 66))
    return c.done()


def _night() -> NDArray[np.uint8]:
    c = Canvas((14, 20, 42))
    c.sky((8, 12, 30), (34, 44, 76), 0.7)
    c.fill(c.v > 0.62, (12, 14, 20))
    for i in range(7):
        c.box(
            0.08 + 0.13 * i,
            0.66 + 0.05 * (i % 3),
            0.12 + 0.13 * i,
            0.70 + 0.05 * (i % 3),
            (240, 200, 110),
        )
    return c.done()


def paintings() -> dict[str, NDArray[np.uint8]]:
    """Paintings (``painting_…``) and views by texture name."""

    def r(name: str) -> np.random.Generator:
        return stream(0, "textures", name)

    return {
        "painting_landscape": _landscape(r("landscape")),
        "painting_seascape": _seascape(r("seascape")),
        "painting_abstract": _abstract(r("abstract")),
        "painting_geometric": _geometric(),
        "painting_portrait": _portrait(),
        "painting_flowers": _flowers(r("flowers")),
        "painting_city": _city(r("city")),
        "painting_cat": _cat(),
        "outside": _outside(r("outside")),
        "outside_hills": _hills(r("hills")),
        "outside_street": _street(r("street")),
        "night": _night(),
    }
