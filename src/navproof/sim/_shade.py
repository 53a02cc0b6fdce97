"""Pass 2 of the rasteriser: every pixel is shaded once.

An attribute a of a triangle, divided by depth, is affine in the image: a/z = A·column + B·row + C.
The three coefficients follow from the camera-space corners p₀ p₁ p₂ alone (barycentric bᵢ/z =
(pⱼ × pₖ)·ray / det), so a triangle cut by the near plane needs no special care. They are computed
for the first visible pixel of a triangle and kept for the frame.

Texels are four 16-bit lanes of a uint64 (R G B A) and lightmap texels three 21-bit lanes, so that
one multiplication weighs all channels of a bilinear tap.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit
from navproof.world.scene import LIGHT_UNIT

__all__ = ["LUT_MAX", "LUT_SIZE", "setup_triangle", "shade"]

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
U64 = NDArray[np.uint64]
U8 = NDArray[np.uint8]

LUT_SIZE = 16384
LUT_MAX = 4.0
_BLOCK = 32  # pixels that share one choice of mip level
_SCALE = LUT_SIZE / LUT_MAX
_TEX_UNIT = 255.0 * 256.0  # a fully lit lane after the bilinear weights
_MAP_UNIT = LIGHT_UNIT * 4096.0  # likewise for the lightmap
_WRAP = float(1 << 24)  # keeps texture coordinates positive; a multiple of every texture size


@jit
def setup_triangle(
    face: int, plane: F64, view: F64,
    vx: F32, vy: F32, vz: F32, uvs: F32, light: U8, light_uvs: F32, faces: I32,
    lightmapped: bool, texels: float,
) -> None:  # fmt: skip
    """Write the coefficients of face ``face`` to ``plane`` (18): w, u, v, then three of light.

    For a lightmapped face the first two of the three are the lightmap's coordinates.
    """
    focal, mid_u, mid_v = view[12], view[13], view[14]
    p = np.empty((3, 3))
    for i in range(3):
        k = faces[face, i]
        x = vx[k] - view[9]
        y = vy[k] - view[10]
        z = vz[k] - view[11]
        for row in range(3):
            p[i, row] = view[3 * row] * x + view[3 * row + 1] * y + view[3 * row + 2] * z
    for j in range(18):
        plane[j] = 0.0
    n = np.empty((3, 3))
    for i in range(3):
        b = p[(i + 1) % 3]
        c = p[(i + 2) % 3]
        n[i, 0] = b[1] * c[2] - b[2] * c[1]
        n[i, 1] = b[2] * c[0] - b[0] * c[2]
        n[i, 2] = b[0] * c[1] - b[1] * c[0]
    det = p[0, 0] * n[0, 0] + p[0, 1] * n[0, 1] + p[0, 2] * n[0, 2]
    if det == 0.0:
        det = 1.0
    for i in range(3):
        k = faces[face, i]
        ca = n[i, 0] / (det * focal)
        cb = n[i, 1] / (det * focal)
        cc = n[i, 2] / det + ca * (0.5 - mid_u) + cb * (0.5 - mid_v)
        for j in range(6):
            if j == 0:
                value = 1.0
            elif j < 3:
                value = uvs[k, j - 1] * texels
            elif lightmapped:
                value = light_uvs[k, j - 3] if j < 5 else 0.0
            else:
                value = light[k, j - 3] / LIGHT_UNIT
            plane[3 * j] += value * ca
            plane[3 * j + 1] += value * cb
            plane[3 * j + 2] += value * cc


@jit
def shade(
    wbuf: F32, tbuf: I32, tri_face: I32, tri_slot: I32, planes: F64, view: F64,
    vx: F32, vy: F32, vz: F32, uvs: F32, light: U8, light_uvs: F32, faces: I32,
    face_instance: I32, face_material: I32, face_lightmapped: NDArray[np.bool_],
    material_colour: F32, material_texture: I32, atlas: U64, levels: I64, texels: int,
    lightmap: U64, lut: U8,
    rgb: U8, depth: F32, instances: I32,
) -> None:  # fmt: skip
    """Fill ``rgb``, ``depth`` and ``instances`` from the visibility buffer.

    ``material_colour`` rows are tint, tint2 − tint, emission and the constant texel's RGBA (11);
    ``material_texture`` is the texture's number, or −1 where the texture is one constant texel.
    """
    height, width = wbuf.shape
    map_h, map_w = lightmap.shape
    slots = 0
    top_level = levels.shape[0] - 2
    stride = levels[levels.shape[0] - 1]
    last = np.int64(LUT_SIZE - 1)
    for y in range(height):
        x = 0
        while x < width:
            number = tbuf[y, x]
            end = x + 1
            while end < width and tbuf[y, end] == number:
                end += 1
            if number < 0:
                for i in range(x, end):
                    rgb[y, i, 0] = 0
                    rgb[y, i, 1] = 0
                    rgb[y, i, 2] = 0
                    depth[y, i] = np.float32(0.0)
                    instances[y, i] = 0
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
                    face, planes[slot], view, vx, vy, vz, uvs, light, light_uvs, faces,
                    mapped, float(texels),
                )  # fmt: skip
            instance = face_instance[face]
            for i in range(x, end):
                instances[y, i] = instance
                depth[y, i] = np.float32(1.0) / wbuf[y, i]
            plane = planes[slot]
            material = face_material[face]
            texture = material_texture[material]
            colour = material_colour[material]
            tint_r, tint_g, tint_b = colour[0], colour[1], colour[2]
            more_r, more_g, more_b = colour[3], colour[4], colour[5]
            emission = colour[6]
            alpha = colour[10]
            # The whole run when the texture is constant.
            cr = (tint_r + more_r * alpha) * colour[7] * np.float32(_SCALE)
            cg = (tint_g + more_g * alpha) * colour[8] * np.float32(_SCALE)
            cb = (tint_b + more_b * alpha) * colour[9] * np.float32(_SCALE)
            unit = np.float32(_SCALE / _TEX_UNIT)
            unit_a = np.float32(1.0 / _TEX_UNIT)
            lr0 = plane[10] * y + plane[11]
            lg0 = plane[13] * y + plane[14]
            lb0 = plane[16] * y + plane[17]
            dlr, dlg, dlb = plane[9], plane[12], plane[15]
            while x < end:
                stop = min(end, (x // _BLOCK + 1) * _BLOCK)
                u0, du, v0, dv = 0.0, 0.0, 0.0, 0.0
                base = np.int64(0)
                shift = np.int64(0)
                mask = np.int64(0)
                if texture >= 0:
                    u0 = plane[4] * y + plane[5]
                    v0 = plane[7] * y + plane[8]
                    du = plane[3]
                    dv = plane[6]
                    middle = (x + stop) >> 1
                    z = float(depth[y, middle])
                    u = (u0 + du * middle) * z
                    v = (v0 + dv * middle) * z
                    ux = (du - u * plane[0]) * z
                    vx_ = (dv - v * plane[0]) * z
                    uy = (plane[4] - u * plane[1]) * z
                    vy_ = (plane[7] - v * plane[1]) * z
                    across = ux * ux + vx_ * vx_
                    down = uy * uy + vy_ * vy_
                    major = max(across, down)
                    minor = min(across, down)
                    size = max(math.sqrt(major * minor), major * 0.0625)
                    exponent = math.frexp(size)[1]
                    level = min(max(exponent >> 1, 0), top_level)
                    scale = 16.0 / (1 << level)
                    u0 *= scale
                    v0 *= scale
                    du *= scale
                    dv *= scale
                    base = texture * stride + levels[level]
                    mask = np.int64((texels >> level) - 1)
                    shift = top_level - level
                for i in range(x, stop):
                    z = float(depth[y, i])
                    if texture >= 0:
                        # Texel centres lie at +½: eight sixteenths.
                        iu = np.int64((u0 + du * i) * z + (_WRAP - 8.0))
                        iv = np.int64((v0 + dv * i) * z + (_WRAP - 8.0))
                        fu = iu & 15
                        fv = iv & 15
                        c0 = (iu >> 4) & mask
                        c1 = (c0 + 1) & mask
                        row0 = (iv >> 4) & mask
                        row1 = base + (((row0 + 1) & mask) << shift)
                        row0 = base + (row0 << shift)
                        packed = (
                            atlas[row0 + c0] * np.uint64((16 - fu) * (16 - fv))
                            + atlas[row0 + c1] * np.uint64(fu * (16 - fv))
                            + atlas[row1 + c0] * np.uint64((16 - fu) * fv)
                            + atlas[row1 + c1] * np.uint64(fu * fv)
                        )
                        a = np.float32(np.int64(packed & np.uint64(0xFFFF))) * unit_a
                        cr = np.float32(np.int64(packed >> np.uint64(48))) * unit
                        cg = np.float32(np.int64((packed >> np.uint64(32)) & np.uint64(0xFFFF)))
                        cb = np.float32(np.int64((packed >> np.uint64(16)) & np.uint64(0xFFFF)))
                        cr = cr * (tint_r + more_r * a)
                        cg = cg * unit * (tint_g + more_g * a)
                        cb = cb * unit * (tint_b + more_b * a)
                    if mapped:
                        s = ((lr0 + dlr * i) * z - 0.5) * 64.0
                        t = ((lg0 + dlg * i) * z - 0.5) * 64.0
                        s = min(max(s, 0.0), (map_w - 1) * 64.0)
                        t = min(max(t, 0.0), (map_h - 1) * 64.0)
                        si = np.int64(s)
                        ti = np.int64(t)
                        fs = si & 63
                        ft = ti & 63
                        si = si >> 6
                        ti = ti >> 6
                        sj = min(si + 1, map_w - 1)
                        tj = min(ti + 1, map_h - 1)
                        lit = (
                            lightmap[ti, si] * np.uint64((64 - fs) * (64 - ft))
                            + lightmap[ti, sj] * np.uint64(fs * (64 - ft))
                            + lightmap[tj, si] * np.uint64((64 - fs) * ft)
                            + lightmap[tj, sj] * np.uint64(fs * ft)
                        )
                        lane = np.uint64(0x1FFFFF)
                        map_unit = np.float32(1.0 / _MAP_UNIT)
                        lr = np.float32(np.int64(lit >> np.uint64(42))) * map_unit
                        lg = np.float32(np.int64((lit >> np.uint64(21)) & lane)) * map_unit
                        lb = np.float32(np.int64(lit & lane)) * map_unit
                    else:
                        lr = np.float32((lr0 + dlr * i) * z)
                        lg = np.float32((lg0 + dlg * i) * z)
                        lb = np.float32((lb0 + dlb * i) * z)
                    ir = min(max(np.int64(cr * (lr + emission)), np.int64(0)), last)
                    ig = min(max(np.int64(cg * (lg + emission)), np.int64(0)), last)
                    ib = min(max(np.int64(cb * (lb + emission)), np.int64(0)), last)
                    rgb[y, i, 0] = lut[ir]
                    rgb[y, i, 1] = lut[ig]
                    rgb[y, i, 2] = lut[ib]
                x = stop
