"""Seeded ways to damage bytes, text, JSON values, arrays, archives and files of meshes.

Everything that is drawn comes from the ``random.Random`` that is passed in.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import io
import json
import math
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Packed",
    "damage_array",
    "damage_bytes",
    "damage_glb",
    "damage_gzip_lines",
    "damage_json",
    "damage_json_bytes",
    "damage_lines",
    "damage_message",
    "damage_npy",
    "damage_pack",
    "damage_ply",
    "damage_stl",
    "damage_text",
    "damage_toml",
    "damage_zip",
    "gzip_bomb",
    "zip_of_raw",
]

Chance = random.Random
_BLOCK = 1 << 24
_WORDS = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FC00000, 0x7F800000, 0x7F7FFFFF, 0xFF7FFFFF)
"""Four bytes that are odd as a number, a count or a float: NaN, infinity, the largest float."""


# ------------------------------------------------------------------------------- bytes and text
def damage_bytes(data: bytes, chance: Chance) -> bytes:
    """Bits flipped, bytes replaced, cut off, left out, doubled or put in."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        if not out:
            return bytes(out)
        at = chance.randrange(len(out))
        span = min(len(out) - at, chance.choice((1, 2, 4, 8, 64, 1024)))
        what = chance.randrange(9)
        if what <= 2:
            out[at] ^= 1 << chance.randrange(8)
        elif what == 3:
            out[at : at + span] = bytes([chance.choice((0, 255))]) * span
        elif what == 4:
            out[at : at + span] = chance.randbytes(span)
        elif what == 5:
            word = struct.pack(chance.choice("<>") + "I", chance.choice(_WORDS))
            out[at : at + 4] = word
        elif what == 6:
            del out[at : at + span]
        elif what == 7:
            out[at:at] = out[at : at + span] * chance.choice((1, 2, 100))
        else:
            del out[at:]
    return bytes(out)


_ODD_WORDS = (
    *("nan", "inf", "-inf", "1e39", "1e400", "-1", "0", "4294967295", "-2147483648", "1e-45"),
    *("99999999999999999999", "", "x", "0x10", "1.5", "é", "\0", "1/2", "true", "[]", '"'),
)


def damage_text(text: str, chance: Chance) -> str:
    """Words replaced, lines left out, doubled, swapped or put in many times."""
    lines = text.split("\n")
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(lines))
        what = chance.randrange(8)
        if what <= 3:
            words = lines[at].split(" ")
            words[chance.randrange(len(words))] = chance.choice(_ODD_WORDS)
            lines[at] = " ".join(words)
        elif what == 4:
            del lines[at]
            lines = lines or [""]
        elif what == 5:
            lines[at:at] = [lines[at]] * chance.choice((1, 3, 2000))
        elif what == 6:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            lines[at] = damage_bytes(lines[at].encode(), chance).decode(errors="replace")
    return "\n".join(lines)


_ODD_TOML = (
    *("nan", "inf", "-inf", "-1", "0", "1", "1e308", "1e-300", "1e9", "1e-6", "99999999999999"),
    *("true", '""', '"x"', "[1, 2]", "[]", "{}", "[0.1, 1e12]", "{ x = 1 }", "1979-05-27", "8192"),
    *("[8192, 8192]", "[100000, 100000]", "[1, 1]", '"rgb"', '"lidar"', '"depth"', '"fog"', "5.0"),
)


def damage_toml(data: bytes, chance: Chance) -> bytes:
    """Mostly other values, sometimes lines and bytes."""
    lines = data.decode().split("\n")
    settable = [i for i, line in enumerate(lines) if "=" in line]
    if chance.random() < 0.3 or not settable:
        return damage_text(data.decode(), chance).encode(errors="replace")
    for at in chance.sample(settable, chance.choice((1, 1, 1, 2, 3))):
        name, _, value = lines[at].partition("=")
        held = value.partition("#")[0].strip()
        grown = [f"{held}{tail}" for tail in ("0", "00", "000000", "e-9")]
        lines[at] = f"{name}= {chance.choice((*_ODD_TOML, *grown))}"
    return "\n".join(lines).encode()


# ---------------------------------------------------------------------------------------- JSON
def _odd(chance: Chance) -> Any:
    return chance.choice(
        (
            *(None, True, False, 0, -1, 1, 7, 0.5, -0.0, 1e-320, 2**31, -(2**31), 2**63, 10**30),
            *(10**400, 1e308, -1e308, 1e18, 1e6, -1e6, 3.4e38, math.nan, math.inf, -math.inf),
            *("", "\0", "x", "0", "nan", "\ud800", "a\nb", "../../x", "x" * 300, "home/val/0"),
            *([], {}, [[]], [None], {"": 0}, [0, 0], [0.0, 0.0, 0.0], ["x"], {"x": {}}),
        )
    )


def _nested(chance: Chance) -> Any:
    value: Any = 0
    for _ in range(chance.choice((3, 50, 900))):
        value = [value] if chance.random() < 0.5 else {"a": value}
    return value


Place = tuple[Any, Any]
"""A list or mapping, and an index or key in it."""


def _places(value: Any) -> Iterator[Place]:
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, held in items:
        yield value, key
        yield from _places(held)


def damage_json(value: Any, chance: Chance) -> Any:
    """Another document: values of other types, numbers that are none, are huge or belong to
    something else, lists of other lengths, members that are missing or have other names."""
    root = [copy.deepcopy(value)]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        places = list(_places(root))
        holder, key = _likely(places, chance)
        holder[key] = _other(holder[key], places, chance)
        if chance.random() < 0.1 and isinstance(holder, dict):
            held = holder.pop(key)
            if chance.random() < 0.5:
                holder[f"{key}s"] = held
    return root[0]


def _likely(places: list[Place], chance: Chance) -> Place:
    """Half of the time a place near the root: there are few of them, and they matter most."""
    if chance.random() < 0.5:
        return chance.choice(places)
    holder, key = places[0]
    for _ in range(chance.randrange(1, 5)):
        held = holder[key]
        if isinstance(held, dict) and held:
            holder, key = held, chance.choice(list(held))
        elif isinstance(held, list) and held:
            holder, key = held, chance.randrange(len(held))
        else:
            break
    return holder, key


def _other(held: Any, places: list[Place], chance: Chance) -> Any:
    what = chance.randrange(10)
    if what <= 1:
        return _odd(chance)
    if what == 2:
        holder, key = chance.choice(places)
        return copy.deepcopy(holder[key])
    if what == 3 and chance.random() < 0.3:
        return _nested(chance)
    if isinstance(held, bool):
        return chance.choice((not held, int(held), str(held), None))
    if isinstance(held, int | float) and abs(held) < 1e100:
        return chance.choice(
            (
                *(held + 1, held - 1, -held, held * 10, held * 1000, held * 1e6, held * 1e-6),
                *(str(held), [held], held + 0.5, 0, 10**9, -(10**9), math.nan, math.inf),
            )
        )
    if isinstance(held, str):
        return chance.choice(
            (held + "x", held[:-1], held.upper(), f" {held}", held * 50, "", 5, [held], None)
        )
    if isinstance(held, list):
        return _other_list(held, chance)
    if isinstance(held, dict):
        return _other_mapping(held, chance)
    return _odd(chance)


def _other_list(held: list[Any], chance: Chance) -> Any:
    out = list(held)
    at = chance.randrange(len(out)) if out else 0
    what = chance.randrange(8)
    if what == 0:
        return []
    if what == 1:
        return out[:at]
    if what == 2 and out:
        del out[at]
    elif what == 3 and out:
        out.insert(at, copy.deepcopy(out[at]))
    elif what == 4:
        out.append(_odd(chance))
    elif what == 5:
        out.reverse()
    elif what == 6:
        return {str(i): v for i, v in enumerate(out)}
    else:
        return out * chance.choice((2, 50))
    return out


def _other_mapping(held: dict[Any, Any], chance: Chance) -> Any:
    out = dict(held)
    keys = list(out)
    what = chance.randrange(6)
    if what == 0:
        return {}
    if what == 1:
        return list(out.values())
    if what == 2 and keys:
        del out[chance.choice(keys)]
    elif what == 3 and keys:
        key = chance.choice(keys)
        other = (key + key[:1], key[:-1], key[:0], "format")
        out[chance.choice(other)] = out.pop(key)
    elif what == 4 and len(keys) > 1:
        a, b = chance.sample(keys, 2)
        out[a], out[b] = out[b], out[a]
    else:
        out["unknown"] = _odd(chance)
    return out


def damage_json_bytes(data: bytes, chance: Chance) -> bytes:
    """Mostly another document, sometimes text that is none."""
    if chance.random() < 0.12:
        return damage_bytes(data, chance)
    try:
        text = json.dumps(damage_json(json.loads(data), chance), ensure_ascii=chance.random() < 0.7)
    except RecursionError:  # deeper than can be written: brackets do
        return data[:-1] + b"[" * 100_000
    return text.encode(errors="surrogatepass")


def damage_lines(data: bytes, chance: Chance) -> bytes:
    """One line of many changed as JSON, or lines as text."""
    lines = data.split(b"\n")
    full = [i for i, line in enumerate(lines) if line]
    if not full or chance.random() < 0.15:
        return damage_text(data.decode(errors="replace"), chance).encode(errors="replace")
    at = chance.choice(full)
    lines[at] = damage_json_bytes(lines[at], chance)
    return b"\n".join(lines)


def damage_gzip_lines(data: bytes, chance: Chance) -> bytes:
    """What is in a gzip file, or its packing."""
    what = chance.random()
    if what < 0.15:
        return damage_bytes(data, chance)
    if what < 0.18:
        return gzip_bomb(chance)
    if what < 0.2:
        return data + damage_bytes(data, chance)
    return gzip.compress(damage_lines(gzip.decompress(data), chance), 1)


def gzip_bomb(chance: Chance) -> bytes:
    """A few megabytes that unpack to gigabytes: of one character, or of much of JSON."""
    unit = chance.choice((b"\0", b"\n", b" ", b"[", b"[],", b'{"a":1},', b"1,"))
    block = gzip.compress(unit * (_BLOCK // len(unit)), 9)
    begin = gzip.compress(chance.choice((b"", b"[", b'{"navproof_trace":2,"key":[')))
    return begin + block * (4 * (1 << 30) // _BLOCK)


# -------------------------------------------------------------------------------------- arrays
def damage_array(array: NDArray[Any], chance: Chance) -> NDArray[Any]:
    """Other values, another length, shape or type."""
    out = np.array(array)
    flat = out.reshape(-1)
    what = chance.randrange(12)
    if what <= 5 and flat.size:
        some = [chance.randrange(flat.size) for _ in range(chance.choice((1, 1, 3, 50)))]
        with np.errstate(all="ignore"):
            flat[some] = _odd_number(out.dtype, chance)
    elif what == 6 and flat.size:
        with np.errstate(all="ignore"):
            flat += np.array(chance.choice((1, -1, 100)), dtype=np.int64).astype(out.dtype)
    elif what == 7:
        kinds: tuple[str, ...] = ("float64", "float32", "int64", "int32", "uint8", "bool", "U3")
        with np.errstate(all="ignore"):
            return out.astype(chance.choice((*kinds, ">f4", "complex64")))
    elif what == 8 and len(out):
        return out[: chance.randrange(len(out))]
    elif what == 9 and len(out):
        return np.concatenate([out, out[: 1 + chance.randrange(len(out))]])
    elif what == 10:
        return chance.choice((out.T, out[None], out.reshape(-1), out[:0]))
    else:
        out[...] = _odd_number(out.dtype, chance)
    return out


def _odd_number(dtype: np.dtype[Any], chance: Chance) -> Any:
    if dtype.kind == "f":
        far: tuple[float, ...] = (np.nan, np.inf, -np.inf, 3e38, -3e38, 1e30, 1e9, 1e5, -1e5, 1e3)
        return chance.choice((*far, 100.0, -40.0, 0.0, 1e-40))
    if dtype.kind == "b":
        return chance.random() < 0.5
    about = np.iinfo(dtype)
    near = (0, 1, -1, -2, 2, 5, 1000, 10**6)
    value = chance.choice((*near, about.max, about.min, about.max - 1))
    return min(max(value, about.min), about.max)


def damage_npy(data: bytes, chance: Chance) -> bytes:
    """An ``.npy`` file with other values, or a header that says what is not there."""
    what = chance.random()
    if what < 0.1:
        return damage_bytes(data, chance)
    if what < 0.2:
        shape = chance.choice(("(2000000000,)", "(100000, 100000)", "(-1,)", "(3, 3", "(1e9,)"))
        kind = chance.choice(("<f4", "|u1", "|O", "<f8", "V1000000000", "<U99999999"))
        text = f"{{'descr': '{kind}', 'fortran_order': {chance.random() < 0.5}, 'shape': {shape}}}"
        head = text.encode().ljust(118) + b"\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data[128:]
    buffer = io.BytesIO()
    array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    np.lib.format.write_array(buffer, damage_array(array, chance))
    return buffer.getvalue()


# ------------------------------------------------------------------------------------ messages
def damage_message(data: bytes, chance: Chance) -> bytes:
    """Another msgpack message, or bytes that are none."""
    if chance.random() < 0.2:
        return damage_bytes(data, chance)
    try:
        packed: bytes = msgpack.packb(damage_json(msgpack.unpackb(data), chance))
    except (OverflowError, ValueError, RecursionError):  # what a message cannot hold
        return damage_bytes(data, chance)
    return packed


# ------------------------------------------------------------------------------------ archives
def damage_pack(data: bytes, chance: Chance) -> bytes:
    """A packed suite with other episodes, settings or a manifest; digests mostly agree, as where it
    is edited on purpose."""
    if chance.random() < 0.2:
        return damage_zip(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    texts = {"episodes.jsonl": damage_lines, "settings.json": damage_json_bytes}
    name = chance.choice(("episodes.jsonl", "settings.json", "manifest.json"))
    if name in texts:
        members[name] = texts[name](members[name], chance)
        if chance.random() < 0.9:
            manifest = json.loads(members["manifest.json"])
            manifest["members"][name] = hashlib.sha256(members[name]).hexdigest()
            members["manifest.json"] = json.dumps(manifest).encode()
    else:
        members[name] = damage_json_bytes(members[name], chance)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for called, held in members.items():
            archive.writestr(called, held)
    return buffer.getvalue()


def damage_zip(data: bytes, chance: Chance) -> bytes:
    """A zip of JSON and ``.npy`` members: one of them changed, or which there are."""
    if chance.random() < 0.06:
        return damage_bytes(data, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    documents = [name for name in members if name.endswith(".json")]
    arrays = [name for name in members if name.endswith(".npy")]
    pick = [chance.random() for _ in range(2)]
    if pick[0] < 0.5:
        for name in documents:
            members[name] = damage_json_bytes(members[name], chance)
    if pick[0] > 0.45 and pick[1] < 0.85:
        for name in chance.sample(arrays, min(len(arrays), chance.choice((1, 1, 2)))):
            members[name] = damage_npy(members[name], chance)
    elif pick[1] > 0.8:
        name = chance.choice(list(members))
        what = chance.randrange(5)
        if what == 0:
            return _zip_bomb(members, name, chance)
        if what == 1:
            del members[name]
        elif what == 2:
            members[f"{name}x"] = members.pop(name)
        elif what == 3:
            other = chance.choice(list(members))
            members[name], members[other] = members[other], members[name]
        else:
            members["../extra"] = members[name]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, held in members.items():
            archive.writestr(name, held)
    return buffer.getvalue()


def _zip_bomb(members: dict[str, bytes], name: str, chance: Chance) -> bytes:
    raw = {
        key: Packed(zlib.compress(held, 1)[2:-4], len(held), zlib.crc32(held))
        for key, held in members.items()
    }
    begin = members[name][: chance.choice((0, 128))]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)
    unit = chance.choice((b"\0", b" ", b"[", b"[],"))
    block = packer.compress(unit * (_BLOCK // len(unit))) + packer.flush(zlib.Z_FULL_FLUSH)
    packed += block * (3 * (1 << 30) // _BLOCK)
    told = chance.choice((1000, len(members[name]), 500 << 20, 3 * (1 << 30)))
    raw[name] = Packed(packed + packer.flush(), told, 0)
    return zip_of_raw(raw)


class Packed(NamedTuple):
    """Deflated data, and what is said of what it unpacks to: its size and checksum."""

    data: bytes
    told: int
    crc: int


def zip_of_raw(members: Mapping[str, Packed]) -> bytes:
    """A zip of deflated data as it is."""
    body, index = b"", b""
    for name, (data, told, crc) in members.items():
        called = name.encode()
        about = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, crc, len(data), told, len(called), 0)
        index += b"PK\x01\x02" + struct.pack("<H", 20) + about
        index += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + called
        body += b"PK\x03\x04" + about + called + data
    count = len(members)
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(index), len(body), 0)
    return body + index + b"PK\x05\x06" + end


# -------------------------------------------------------------------------------------- meshes
def damage_stl(data: bytes, chance: Chance) -> bytes:
    """Binary STL: another count, other coordinates."""
    if chance.random() < 0.3:
        return damage_bytes(data, chance)
    out = bytearray(data)
    if chance.random() < 0.4:
        told = chance.choice((0, 1, 10**6, 0xFFFFFFFF, 0x7FFFFFFF, len(data)))
        out[80:84] = struct.pack("<I", told)
    for _ in range(chance.choice((0, 1, 3, 100))):
        at = 84 + 50 * chance.randrange(max(1, (len(out) - 84) // 50)) + 4 * chance.randrange(12)
        out[at : at + 4] = struct.pack("<I", chance.choice(_WORDS)) if chance.random() < 0.4 else (
            struct.pack("<f", chance.choice((1e9, 1e5, -3e4, 900.0, 1e-30, 3e38)))
        )  # fmt: skip
    return bytes(out)


def damage_ply(data: bytes, chance: Chance) -> bytes:
    """The header's text or the body's bytes."""
    head, mark, body = data.partition(b"end_header\n")
    what = chance.random()
    if what < 0.4:
        text = head.decode(errors="replace")
        for count in ("element vertex ", "element face "):
            if chance.random() < 0.5 and count in text:
                before, _, after = text.partition(count)
                told = chance.choice(("0", "1", "-5", "4000000000", "99999999999999", "3.5", "x"))
                text = before + count + told + "\n" + after.partition("\n")[2]
        if chance.random() < 0.5:
            text = damage_text(text, chance)
        return text.encode(errors="replace") + mark + body
    if what < 0.8:
        out = bytearray(body)
        for _ in range(chance.choice((1, 2, 50))):
            at = chance.randrange(max(1, len(out)))
            out[at : at + 4] = struct.pack("<I", chance.choice(_WORDS))
        return head + mark + bytes(out)
    return damage_bytes(data, chance)


def damage_glb(data: bytes, chance: Chance) -> bytes:
    """The JSON of a binary glTF, or its buffer, in a container that is whole."""
    if chance.random() < 0.2:
        return damage_bytes(data, chance)
    length = struct.unpack("<I", data[12:16])[0]
    document, buffer = data[20 : 20 + length], data[28 + length :]
    if chance.random() < 0.75:
        document = damage_json_bytes(document, chance)
    else:
        buffer = damage_bytes(buffer, chance)
    document += b" " * (-len(document) % 4)
    chunks = struct.pack("<I4s", len(document), b"JSON") + document
    chunks += struct.pack("<I4s", len(buffer), b"BIN\0") + buffer
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


Damage = Callable[[bytes, Chance], bytes]
