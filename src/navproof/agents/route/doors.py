"""Doorways on a map of the walls: gaps with more room on both sides of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.occupancy import OccupancyMap
from navproof.core.jit import jit

__all__ = ["Doorway", "Walls", "find_doorways"]

_WINDOW_M = 5.0
_WIDTH_M = (0.6, 1.5)
_HEIGHTS_M = (1.65, 1.95)  # over most furniture, under every lintel
_SAME_M = 0.8
_ANGLES = 12
_CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=np.uint8)
_WIDER_M = 0.3  # what there is on either side more than in the gap
_WALLED = 0.75  # of half a metre on either side of the gap that must be wall
_STEP_M = 0.45  # from the gap to where that is measured: half a wall, and a little


@dataclass(frozen=True, slots=True)
class Doorway:
    """The middle of a gap, the direction (rad) through it in one of its two senses, and the share
    of wall beside it, which tells doorways from gaps between furniture."""

    x: float
    y: float
    yaw: float
    walled: float

    def beyond(self, yaw: float, metres: float) -> tuple[float, float]:
        """A point through the doorway, on the side that ``yaw`` looks to."""
        sense = 1.0 if math.cos(self.yaw - yaw) >= 0.0 else -1.0
        return (
            self.x + sense * metres * math.cos(self.yaw),
            self.y + sense * metres * math.sin(self.yaw),
        )

    def side_of(self, x: float, y: float) -> float:
        """Signed distance of a point from the plane of the gap, along ``yaw``."""
        return (x - self.x) * math.cos(self.yaw) + (y - self.y) * math.sin(self.yaw)


class Walls(OccupancyMap):
    """What is as high as a wall, and little else."""

    def __init__(self) -> None:
        super().__init__(*_HEIGHTS_M)


def find_doorways(world: Walls, x: float, y: float) -> list[Doorway]:
    """The doorways within five metres of a point, the surest first."""
    row, col = world.index(x, y)
    n = round(_WINDOW_M / world.cell)
    r0, c0 = max(0, row - n), max(0, col - n)
    evidence = world.evidence[r0 : row + n + 1, c0 : col + n + 1]
    thick = cv2.dilate((evidence > 0).astype(np.uint8), _CROSS) > 0  # or rays slip between cells
    window = np.where(thick, np.int16(1), np.minimum(evidence, 0))
    gaps = _gaps(window, world.cell, _WIDTH_M[0], _WIDTH_M[1], _STEP_M, _WIDER_M, _WALLED, _ANGLES)
    doorways: list[Doorway] = []
    for _, r, c, yaw, walled in sorted(gaps.tolist()):
        gx, gy = world.centre(r + r0, c + c0)
        if all(math.dist((gx, gy), (d.x, d.y)) > _SAME_M for d in doorways):
            doorways.append(Doorway(gx, gy, yaw, walled))
    return doorways


@jit
def _hit(
    evidence: NDArray[np.int16], r: float, c: float, dr: float, dc: float, most: float
) -> float:
    """Cells from (r, c) to the first obstacle; ``most`` where there is none."""
    rows, cols = evidence.shape
    at = 0.0
    while at < most:
        i, j = int(r + at * dr), int(c + at * dc)
        if not (0 <= i < rows and 0 <= j < cols):
            return most
        if evidence[i, j] > 0:
            return at
        at += 0.5
    return most


@jit
def _goes_on(
    evidence: NDArray[np.int16], r: float, c: float, dr: float, dc: float, cell: float
) -> float:
    """The share of the next half metre from (r, c) along which there is wall, or its face."""
    rows, cols = evidence.shape
    far, band = int(0.5 / cell), int(0.15 / cell)
    walled = 0
    for k in range(far):
        for off in range(-band, band + 1):
            i = int(r + k * dr - off * dc)
            j = int(c + k * dc + off * dr)
            if 0 <= i < rows and 0 <= j < cols and evidence[i, j] > 0:
                walled += 1
                break
    return walled / far


@jit
def _gaps(
    evidence: NDArray[np.int16],
    cell: float,
    narrow_m: float,
    wide_m: float,
    step_m: float,
    wider_m: float,
    walled: float,
    angles: int,
) -> NDArray[np.float64]:
    """(n, 5): how little it is a doorway (m), row, column, direction through it, share of wall."""
    rows, cols = evidence.shape
    gaps = np.empty((rows * cols, 5))
    count = 0
    most = wide_m / cell
    for i in range(0, rows, 2):
        for j in range(0, cols, 2):
            if evidence[i, j] >= 0:
                continue
            r, c = i + 0.5, j + 0.5
            best, off, way = wide_m, 0.0, 0.0
            for k in range(angles):
                across = np.pi * k / angles
                dr, dc = np.sin(across), np.cos(across)
                one = _hit(evidence, r, c, dr, dc, most) * cell
                if one >= wide_m:
                    continue
                two = _hit(evidence, r, c, -dr, -dc, most) * cell
                width = one + two
                if narrow_m <= width < best and abs(one - two) <= 0.25:
                    best, off, way = width, abs(one - two) / 2.0, across + np.pi / 2.0
            if best >= wide_m:
                continue
            dr, dc = np.sin(way), np.cos(way)
            half = best / 2.0 / cell
            one = _goes_on(evidence, r + half * dc, c - half * dr, dc, -dr, cell)
            two = _goes_on(evidence, r - half * dc, c + half * dr, -dc, dr, cell)
            if one + two < 2.0 * walled:
                continue
            enough = (best + wider_m) / cell
            opens = True
            for sense in (-1.0, 1.0):
                if (
                    _hit(evidence, r, c, sense * dr, sense * dc, 2.0 * step_m / cell) * cell
                    < 2.0 * step_m
                ):
                    opens = False
                    break
                rr, cc = r + sense * dr * step_m / cell, c + sense * dc * step_m / cell
                span = _hit(evidence, rr, cc, dc, -dr, enough) + _hit(
                    evidence, rr, cc, -dc, dr, enough
                )
                if span < enough:
                    opens = False
                    break
            if opens:
                gaps[count, 0] = best + 4.0 * off - one - two
                gaps[count, 1] = i
                gaps[count, 2] = j
                gaps[count, 3] = way
                gaps[count, 4] = (one + two) / 2.0
                count += 1
    return gaps[:count]
