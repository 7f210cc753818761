"""FND-33: Ed25519 verifying in the core."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from trigpoint.core.ed25519 import verify

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493

# RFC 8032, section 7.1: key, message, signature.
VECTORS = [
    pytest.param(
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        b"",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
        id="TEST 1",
    ),
    pytest.param(
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        b"\x72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
        id="TEST 2",
    ),
    pytest.param(
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        b"\xaf\x82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
        id="TEST 3",
    ),
    pytest.param(
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").digest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
        "3dca179c138ac17ad9bef1177331a704",
        id="TEST SHA(abc)",
    ),
]


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_the_rfc_s_signatures_hold(key: str, message: bytes, signature: str) -> None:
    assert verify(bytes.fromhex(key), message, bytes.fromhex(signature))


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_no_flipped_bit_gets_past(key: str, message: bytes, signature: str) -> None:
    public, signed = bytes.fromhex(key), bytes.fromhex(signature)
    for bit in range(0, 512, 37):
        assert not verify(public, message, _flipped(signed, bit))
    for bit in range(0, 256, 61):
        assert not verify(_flipped(public, bit), message, signed)
    assert not verify(public, message + b"\0", signed)


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@settings(max_examples=25)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_agrees_with_the_signing_library(secret: bytes, message: bytes) -> None:
    private = Ed25519PrivateKey.from_private_bytes(secret)
    public, signed = private.public_key().public_bytes_raw(), private.sign(message)
    assert verify(public, message, signed)
    assert not verify(public, message + b"x", signed)


def _encoded(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


_ROOT = pow(2, (P - 1) // 4, P)
_ORDER_8 = [
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
]
SMALL_ORDER = [
    pytest.param(_encoded(1), id="order 1"),
    pytest.param(_encoded(P - 1), id="order 2"),
    pytest.param(_encoded(0), id="order 4"),
    pytest.param(_encoded(0, 1), id="order 4, other sign"),
    *[pytest.param(_encoded(y, sign), id=f"order 8, {n}{sign}") for n, y in enumerate(_ORDER_8) for sign in (0, 1)],
]
NOT_CANONICAL = [
    pytest.param(_encoded(1, 1), id="x = 0 with a sign"),
    pytest.param(_encoded(P - 1, 1), id="x = 0 with a sign, order 2"),
    *[pytest.param(_encoded(P + y, sign), id=f"y = p + {y}, sign {sign}") for y in (0, 1, 3, 18) for sign in (0, 1)],
]
NO_POINT = [pytest.param(_encoded(2), id="y = 2 is on no point"), pytest.param(_encoded(7, 1), id="y = 7")]


@pytest.mark.parametrize("point", [*SMALL_ORDER, *NOT_CANONICAL, *NO_POINT])
def test_weak_or_ambiguous_keys_and_commitments_are_refused(point: bytes) -> None:
    """With such a key S = 0 would pass for messages nobody signed."""
    key, message, signature = (bytes.fromhex(VECTORS[0].values[0]), b"", bytes.fromhex(VECTORS[0].values[2]))
    assert not verify(point, b"any message", point + bytes(32))
    assert not verify(point, message, signature)
    assert not verify(key, message, point + signature[32:])


def test_the_small_order_points_of_the_table_are_points_of_order_eight() -> None:
    """A table that were wrong would test nothing: 8 times the point is (0, 1), 4 times isn't."""
    d = -121665 * pow(121666, -1, P) % P
    for y in _ORDER_8:
        square = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
        doubled_y = (y * y + square) * pow(2 + square - y * y, -1, P) % P
        assert doubled_y == 0  # the double has order 4


@pytest.mark.parametrize("more", [1, 2, 15])
def test_a_second_form_of_s_is_refused(more: int) -> None:
    """RFC 8032, 5.1.7: S must be below L, or anyone could make a second signature of the first."""
    key, signature = bytes.fromhex(VECTORS[0].values[0]), bytes.fromhex(VECTORS[0].values[2])
    scalar = int.from_bytes(signature[32:], "little") + more * L
    if scalar < 2**256:
        assert not verify(key, b"", signature[:32] + scalar.to_bytes(32, "little"))


@pytest.mark.parametrize(
    ("key", "signature"), [(b"", bytes(64)), (bytes(31), bytes(64)), (bytes(33), bytes(64)), (bytes(32), bytes(63))]
)
def test_other_lengths_are_refused(key: bytes, signature: bytes) -> None:
    assert not verify(key, b"", signature)
