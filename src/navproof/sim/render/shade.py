"""Pass 2 of the rasteriser: every pixel is shaded once.

An attribute a of a triangle, divided by depth, is affine in the image: a/z = A·column + B·row + C.
The three coefficients follow from the camera-space corners p₀ p₁ p₂ alone (barycentric bᵢ/z =
(pⱼ × pₖ)·ray / det), so a triangle cut by the near plane needs no special care. They are computed
for the first visible pixel of a triangle and kept for the frame.

Texels of textures and of the lightmap are four 16-bit lanes of a uint64 (R uppermost, then G, B,
A), so that one multiplication weighs all channels of a bilinear tap, on a grid of 1/16 texel.
Every level has one more row and column than its side, a copy of the first (textures repeat) or the
last (the lightmap does not), so that the four taps are always neighbours in memory.

A row is shaded in stages that each do one thing to a run of pixels of one triangle; the stages
without look-ups compile to vector instructions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit, jit_inline
from navproof.world.scene import LIGHT_UNIT

__all__ = ["LUT_MAX", "LUT_SIZE", "resolve", "setup_triangle", "shade"]

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
U8 = NDArray[np.uint8]

LUT_SIZE = 16384
LUT_MAX = 4.0
_UNIT = float(LIGHT_UNIT)
_BLOCK = 64  # pixels that share one choice of mip level
_SCALE = LUT_SIZE / LUT_MAX
_TEX_UNIT = 255.0 * 256.0  # a full lane after the bilinear weights
_MAP_UNIT = LIGHT_UNIT * 256.0  # likewise for light
_OFFSET = 1024.0  # keeps texture coordinates positive; a multiple of every level's side


@jit
def _to_camera(view: F64, x: float, y: float, z: float) -> tuple[float, float, float]:
    x, y, z = x - view[9], y - view[10], z - view[11]
    return (
        view[0] * x + view[1] * y + view[2] * z,
        view[3] * x + view[4] * y + view[5] * z,
        view[6] * x + view[7] * y + view[8] * z,
    )


@jit
def setup_triangle(
    face: int, slot: int, planes: F64, view: F64,
    vx: F32, vy: F32, vz: F32, uvs: F32, light: U8, light_uvs: F32, faces: I32,
    lightmapped: bool, texels: float,
) -> None:  # fmt: skip
    """Write the coefficients of face ``face`` to row ``slot`` of ``planes`` (19).

    (A, B, C) of 1/z, of the texture's u and v in texels, and of the light's red, green and blue
    (or, for a lightmapped face, of the lightmap's u and v). The last is the factor K of the texel
    area under a pixel, K·z³: the determinant of the mapping is the same all over a plane.
    """
    i, j, k = faces[face, 0], faces[face, 1], faces[face, 2]
    ax, ay, az = _to_camera(view, vx[i], vy[i], vz[i])
    bx, by, bz = _to_camera(view, vx[j], vy[j], vz[j])
    cx, cy, cz = _to_camera(view, vx[k], vy[k], vz[k])
    nx, ny, nz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    det = ax * nx + ay * ny + az * nz
    if det == 0.0:
        det = 1.0  # seen edge-on: it covers no pixel, and any divisor will do
    focal = view[12]
    left, top = (0.5 - view[13]) / focal, (0.5 - view[14]) / focal
    flat = 1.0 / (det * focal)
    deep = 1.0 / det
    a0, a1, a2 = nx * flat, ny * flat, (nz + nx * left + ny * top) * deep
    nx, ny, nz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    b0, b1, b2 = nx * flat, ny * flat, (nz + nx * left + ny * top) * deep
    nx, ny, nz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    c0, c1, c2 = nx * flat, ny * flat, (nz + nx * left + ny * top) * deep
    planes[slot, 0], planes[slot, 1], planes[slot, 2] = a0 + b0 + c0, a1 + b1 + c1, a2 + b2 + c2
    for n in range(5):
        if n < 2:
            p, q, r = uvs[i, n] * texels, uvs[j, n] * texels, uvs[k, n] * texels
        elif not lightmapped:
            p, q, r = light[i, n - 2] / _UNIT, light[j, n - 2] / _UNIT, light[k, n - 2] / _UNIT
        elif n < 4:
            p, q, r = (
                light_uvs[i, n - 2] * 1.0,
                light_uvs[j, n - 2] * 1.0,
                light_uvs[k, n - 2] * 1.0,
            )
        else:
            break
        planes[slot, 3 * n + 3] = p * a0 + q * b0 + r * c0
        planes[slot, 3 * n + 4] = p * a1 + q * b1 + r * c1
        planes[slot, 3 * n + 5] = p * a2 + q * b2 + r * c2
    planes[slot, 18] = abs(
        planes[slot, 3] * (planes[slot, 7] * planes[slot, 2] - planes[slot, 8] * planes[slot, 1])
        - planes[slot, 4] * (planes[slot, 6] * planes[slot, 2] - planes[slot, 8] * planes[slot, 0])
        + planes[slot, 5] * (planes[slot, 6] * planes[slot, 1] - planes[slot, 7] * planes[slot, 0])
    )


@jit_inline
def _taps(
    z: F32, first: int, last: int, u0: float, du: float, v0: float, dv: float,
    mask: int, stride: int, base: int, index: I32, weight_u: I32, weight_v: I32,
) -> None:  # fmt: skip
    """Texel index and bilinear weights of pixels [first, last): coordinates ×16, over z.

    ``mask`` wraps texel columns and rows (a power of two less one).
    """
    a, b, c, d = np.float32(u0), np.float32(du), np.float32(v0), np.float32(dv)
    mask32, stride32, base32 = np.int32(mask), np.int32(stride), np.int32(base)
    # Unsigned indices spare Numba the handling of negative ones, which would keep the loop from
    # becoming vector instructions; so would the conversion of a 64-bit count to a float.
    start = np.uint64(first)
    for i in range(start, np.uint64(last)):
        k = np.float32(np.int32(i - start))
        iu = np.int32((a + b * k) * z[i])
        iv = np.int32((c + d * k) * z[i])
        weight_u[i] = np.int32(iu & np.int32(15))
        weight_v[i] = np.int32(iv & np.int32(15))
        row = np.int32((iv >> np.int32(4)) & mask32)
        index[i] = np.int32(base32 + np.int32(row * stride32)) + np.int32(
            (iu >> np.int32(4)) & mask32
        )


@jit
def _gather(
    texels: U64, first: int, last: int, stride: int,
    index: I32, weight_u: I32, weight_v: I32, out: U64,
) -> None:  # fmt: skip
    """Four weighted taps per pixel."""
    step = np.uint64(stride)
    for i in range(np.uint64(first), np.uint64(last)):
        at = np.uint64(index[i])
        fu = np.uint64(weight_u[i])
        fv = np.uint64(weight_v[i])
        both = fu * fv
        right = (fu << np.uint64(4)) - both
        below = (fv << np.uint64(4)) - both
        out[i] = (
            texels[at] * (np.uint64(256) - right - below - both)
            + texels[at + np.uint64(1)] * right
            + texels[at + step] * below
            + texels[at + step + np.uint64(1)] * both
        )


@jit_inline
def _texture_run(
    planes: F64, slot: int, y: int, x: int, end: int, z: F32,
    texture: int, atlas: U64, levels: I64, side: int,
    index: I32, weight_u: I32, weight_v: I32, out: U64,
) -> None:  # fmt: skip
    """Bilinear texels of a run, the mip level chosen per block of pixels."""
    count = levels.shape[0] - 1
    area = planes[slot, 18]
    while x < end:
        stop = min(end, (x // _BLOCK + 1) * _BLOCK)
        depth = float(z[np.uint64((x + stop) >> 1)])
        # The level whose texels are as large as a pixel.
        footprint = area * depth * depth * depth
        level = 0
        scale = 1.0
        while footprint >= 2.0 and level < count - 1:
            level += 1
            footprint *= 0.25
            scale *= 0.5
        depth = float(z[np.uint64(x)])
        w = planes[slot, 0] * x + planes[slot, 1] * y + planes[slot, 2]
        u = (planes[slot, 3] * x + planes[slot, 4] * y + planes[slot, 5]) * scale
        v = (planes[slot, 6] * x + planes[slot, 7] * y + planes[slot, 8]) * scale
        # Whole repeats are taken off, so that single precision is enough; texel centres are at +½.
        cells = side >> level
        off_u = np.floor(u * depth / cells) * cells - (_OFFSET - 0.5)
        off_v = np.floor(v * depth / cells) * cells - (_OFFSET - 0.5)
        _taps(
            z, x, stop,
            16.0 * (u - off_u * w), 16.0 * (planes[slot, 3] * scale - off_u * planes[slot, 0]),
            16.0 * (v - off_v * w), 16.0 * (planes[slot, 6] * scale - off_v * planes[slot, 0]),
            cells - 1, cells + 1, texture * levels[count] + levels[level],
            index, weight_u, weight_v,
        )  # fmt: skip
        _gather(atlas, x, stop, cells + 1, index, weight_u, weight_v, out)
        x = stop


@jit_inline
def _lightmap_run(
    planes: F64, slot: int, y: int, x: int, end: int, z: F32, lightmap: U64, map_h: int, map_w: int,
    index: I32, weight_u: I32, weight_v: I32, out: U64,
) -> None:  # fmt: skip
    """Bilinear light of a run; ``lightmap`` is flat, rows of ``map_w`` + 1."""
    w = planes[slot, 0] * x + planes[slot, 1] * y + planes[slot, 2]
    a = np.float32(16.0 * (planes[slot, 9] * x + planes[slot, 10] * y + planes[slot, 11] - 0.5 * w))
    b = np.float32(16.0 * (planes[slot, 9] - 0.5 * planes[slot, 0]))
    c = np.float32(
        16.0 * (planes[slot, 12] * x + planes[slot, 13] * y + planes[slot, 14] - 0.5 * w)
    )
    d = np.float32(16.0 * (planes[slot, 12] - 0.5 * planes[slot, 0]))
    top_u = np.float32(16 * (map_w - 1))
    top_v = np.float32(16 * (map_h - 1))
    zero = np.float32(0.0)
    stride = np.int32(map_w + 1)
    start = np.uint64(x)
    for i in range(start, np.uint64(end)):
        k = np.float32(np.int32(i - start))
        # In this order NaN, which a sliver of a triangle can lead to, becomes 0.
        iu = np.int32(min(max(zero, (a + b * k) * z[i]), top_u))
        iv = np.int32(min(max(zero, (c + d * k) * z[i]), top_v))
        weight_u[i] = np.int32(iu & np.int32(15))
        weight_v[i] = np.int32(iv & np.int32(15))
        index[i] = np.int32(np.int32(iv >> np.int32(4)) * stride) + np.int32(iu >> np.int32(4))
    _gather(lightmap, x, end, map_w + 1, index, weight_u, weight_v, out)


@jit
def resolve(
    wbuf: F32, tbuf: I32, tri_face: I32, face_instance: I32, depth: F32, instances: I32
) -> None:
    """Fill ``depth`` and ``instances`` alone, to the same bits as ``shade``."""
    height, width = wbuf.shape
    for y in range(height):
        for x in range(width):
            number = tbuf[y, x]
            if number < 0:
                depth[y, x] = np.float32(0.0)
                instances[y, x] = 0
            else:
                depth[y, x] = np.float32(1.0) / wbuf[y, x]
                instances[y, x] = face_instance[tri_face[number]]


@jit
def shade(
    wbuf: F32, tbuf: I32, tri_face: I32, tri_slot: I32, planes: F64, view: F64,
    vx: F32, vy: F32, vz: F32, uvs: F32, light: U8, light_uvs: F32, faces: I32,
    face_instance: I32, face_material: I32, face_lightmapped: NDArray[np.bool_],
    material_colour: F32, material_texture: I32, atlas: U64, levels: I64, side: int,
    lightmap: U64, map_h: int, map_w: int, lut: U8,
    rgb: U8, depth: F32, instances: I32,
) -> None:  # fmt: skip
    """Fill ``rgb``, ``depth`` and ``instances`` from the visibility buffer.

    ``material_colour`` rows are tint, tint2 − tint, emission and the constant texel's RGBA (11);
    ``material_texture`` is the texture's number, or −1 where the texture is one constant texel.
    """
    height, width = wbuf.shape
    slots = 0
    index = np.empty(width, dtype=np.int32)
    weight_u = np.empty(width, dtype=np.int32)
    weight_v = np.empty(width, dtype=np.int32)
    packed = np.empty(width, dtype=np.uint64)
    red = np.empty(width, dtype=np.float32)
    green = np.empty(width, dtype=np.float32)
    blue = np.empty(width, dtype=np.float32)
    top = np.float32(LUT_SIZE - 1)
    zero = np.float32(0.0)
    lane = np.uint64(0xFFFF)
    unit = np.float32(_SCALE / _TEX_UNIT)
    unit_a = np.float32(1.0 / _TEX_UNIT)
    unit_l = np.float32(1.0 / _MAP_UNIT)
    for y in range(height):
        numbers = tbuf[y]
        z = depth[y]
        ids = instances[y]
        w_row = wbuf[y]
        for i in range(np.uint64(width)):
            z[i] = np.float32(1.0) / w_row[i]
        x = 0
        while x < width:
            first = np.uint64(x)
            number = numbers[first]
            end = x + 1
            while end < width and numbers[np.uint64(end)] == number:
                end += 1
            last = np.uint64(end)
            if number < 0:
                for i in range(first, last):
                    red[i] = zero
                    green[i] = zero
                    blue[i] = zero
                    z[i] = zero
                    ids[i] = 0
                x = end
                continue
            face = tri_face[number]
            slot = tri_slot[number]
            mapped = face_lightmapped[face]
            if slot < 0:
                slot = slots
                slots += 1
                tri_slot[number] = slot
                setup_triangle(
                    face, slot, planes, view, vx, vy, vz, uvs, light, light_uvs, faces,
                    mapped, float(side),
                )  # fmt: skip
            instance = face_instance[face]
            material = face_material[face]
            texture = material_texture[material]
            r0, g0, b0 = (
                material_colour[material, 0],
                material_colour[material, 1],
                material_colour[material, 2],
            )
            r1, g1, b1 = (
                material_colour[material, 3],
                material_colour[material, 4],
                material_colour[material, 5],
            )
            glow = material_colour[material, 6]
            for i in range(first, last):
                ids[i] = instance
            if mapped:
                _lightmap_run(
                    planes,
                    slot,
                    y,
                    x,
                    end,
                    z,
                    lightmap,
                    map_h,
                    map_w,
                    index,
                    weight_u,
                    weight_v,
                    packed,
                )
                for i in range(first, last):
                    p = packed[i]
                    red[i] = np.float32(np.int32(p >> np.uint64(48))) * unit_l + glow
                    green[i] = np.float32(np.int32(p >> np.uint64(32) & lane)) * unit_l + glow
                    blue[i] = np.float32(np.int32(p >> np.uint64(16) & lane)) * unit_l + glow
            else:
                ra = np.float32(planes[slot, 9] * x + planes[slot, 10] * y + planes[slot, 11])
                ga = np.float32(planes[slot, 12] * x + planes[slot, 13] * y + planes[slot, 14])
                ba = np.float32(planes[slot, 15] * x + planes[slot, 16] * y + planes[slot, 17])
                rb, gb, bb = (
                    np.float32(planes[slot, 9]),
                    np.float32(planes[slot, 12]),
                    np.float32(planes[slot, 15]),
                )
                for i in range(first, last):
                    k = np.float32(np.int32(i - first))
                    red[i] = (ra + rb * k) * z[i] + glow
                    green[i] = (ga + gb * k) * z[i] + glow
                    blue[i] = (ba + bb * k) * z[i] + glow
            if texture >= 0:
                _texture_run(
                    planes, slot, y, x, end, z, texture, atlas, levels, side,
                    index, weight_u, weight_v, packed,
                )  # fmt: skip
                for i in range(first, last):
                    p = packed[i]
                    a = np.float32(np.int32(p & lane)) * unit_a
                    red[i] *= np.float32(np.int32(p >> np.uint64(48))) * unit * (r0 + r1 * a)
                    green[i] *= (
                        np.float32(np.int32(p >> np.uint64(32) & lane)) * unit * (g0 + g1 * a)
                    )
                    blue[i] *= (
                        np.float32(np.int32(p >> np.uint64(16) & lane)) * unit * (b0 + b1 * a)
                    )
            else:
                a = material_colour[material, 10]
                cr = (r0 + r1 * a) * material_colour[material, 7] * np.float32(_SCALE)
                cg = (g0 + g1 * a) * material_colour[material, 8] * np.float32(_SCALE)
                cb = (b0 + b1 * a) * material_colour[material, 9] * np.float32(_SCALE)
                for i in range(first, last):
                    red[i] *= cr
                    green[i] *= cg
                    blue[i] *= cb
            x = end
        row = rgb[y]
        for i in range(np.uint64(width)):
            row[i, 0] = lut[np.uint32(min(max(zero, red[i]), top))]
            row[i, 1] = lut[np.uint32(min(max(zero, green[i]), top))]
            row[i, 2] = lut[np.uint32(min(max(zero, blue[i]), top))]
