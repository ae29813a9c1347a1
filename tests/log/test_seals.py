"""Seals with a signature: what it covers, who can forge it, and what is said where nobody can check it."""

from __future__ import annotations

import random
import stat
import sys
from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from msgspec.structs import replace

from spyrium_log.errors import MissingExtraError, SigningError, StoreError
from spyrium_log.log.lines import Accepted, Line, Sealed, Signed, Withdrawn
from spyrium_log.log.seals import load_signer, make_pem
from spyrium_log.play import OPEN, encode_log
from spyrium_log.replay import Replay, replay
from spyrium_log.store import Folder
from spyrium_log.store.user_files import create_key, read_key
from tests.games import log_of, read
from tests.scribe import Scribe
from tests.stories import EXAMPLES, KNOWN_SEED, opening

KEY = load_signer(make_pem(KNOWN_SEED))
OTHER = load_signer(make_pem(KNOWN_SEED[::-1]))


def sealed() -> Scribe:
    return opening().play("p12", "p45").seal(KEY)


def with_seal(**said: object) -> Replay:
    """The sealed game, its seal saying something else."""
    scribe = sealed()
    *lines, seal = scribe.table.log.lines
    return replay(log_of(scribe.title, [*lines, replace(seal, **said)]))


def rules(done: Replay) -> list[str]:
    return [finding.rule for finding in done.findings]


def test_a_signed_seal_is_valid_and_no_finding() -> None:
    done = sealed().replay()
    (seal,) = done.seals
    assert (seal.n, seal.by, seal.standing, seal.key) == (4, "scribe", "valid", KEY.key)
    assert (done.verdict, done.unsealed) == ("clean", 0)


def test_signing_is_the_same_every_time() -> None:
    assert sealed().raw() == sealed().raw()


def test_an_old_seal_is_unsigned_and_read_byte_for_byte() -> None:
    raw = (EXAMPLES / "sealed-and-corrected-after.jsonl").read_bytes()
    log = read(raw)
    assert b"signed" not in raw
    assert encode_log(log.lines) == raw
    assert [seal.standing for seal in replay(log).seals] == ["unsigned"]


def test_a_game_that_was_never_sealed_has_all_its_lines_to_seal() -> None:
    done = opening().play("p12").replay()
    assert (done.seals, done.unsealed) == ([], 3)


def test_what_follows_a_seal_is_counted_until_the_next_one() -> None:
    scribe = sealed().play("p25").undo(4)
    assert scribe.replay().unsealed == 2
    scribe.seal()
    assert [seal.standing for seal in scribe.replay().seals] == ["valid", "unsigned"]
    assert scribe.replay().unsealed == 0
    assert replay(scribe.log(), until=5).unsealed == 1


@pytest.mark.parametrize("said", [{"by": "another"}, {"signed": Signed(key=OTHER.key, signature="0" * 128)}])
def test_everything_that_a_seal_says_is_signed(said: dict[str, object]) -> None:
    done = with_seal(**said)
    assert (done.seals[0].standing, rules(done), done.verdict) == ("wrong", ["seal.signature"], "findings")
    assert done.complaint is None


def test_a_signature_of_another_game_is_wrong_here(counts: Counter[str]) -> None:
    signed = sealed().table.log.lines[-1].signed  # type: ignore[union-attr]
    scribe = Scribe("game-elsewhere").play("deal exchange estate mine-1", anyway=True)
    scribe.write(Sealed(n=2, by="scribe", count=2, final=scribe.log().last_digest, signed=signed, prev=OPEN, hash=OPEN))
    assert scribe.replay().seals[0].standing == "wrong"
    counts["signatures of another game"] += 1


def test_any_other_signature_or_key_is_wrong(counts: Counter[str]) -> None:
    signed = sealed().table.log.lines[-1].signed  # type: ignore[union-attr]
    assert signed is not None
    rng = random.Random(1)
    for _ in range(60):
        field = rng.choice(("key", "signature"))
        digits = list(getattr(signed, field))
        at = rng.randrange(len(digits))
        digits[at] = rng.choice([digit for digit in "0123456789abcdef" if digit != digits[at]])
        done = with_seal(signed=replace(signed, **{field: "".join(digits)}))
        assert done.seals[0].standing == "wrong"
        counts["altered signatures"] += 1


def test_history_that_is_rewritten_with_every_hash_loses_its_signature() -> None:
    lines: list[Line] = list(sealed().table.log.lines)
    lines[2] = replace(lines[2], do=replace(lines[2].do, gap=45))  # type: ignore[union-attr]
    log = log_of(read(encode_log(lines[:4])).title, lines[:4])
    rewritten = log_of(log.title, [*lines[:4], replace(lines[4], final=log.last_digest)])
    assert rewritten.complaint is None
    assert rules(replay(rewritten)) == ["seal.signature"]


def test_a_wrong_signature_can_be_accepted_like_any_finding() -> None:
    scribe = sealed()
    scribe.table.log.lines[-1] = replace(scribe.table.log.lines[-1], by="another")
    scribe.aside(Accepted, line=4, rule="seal.signature", who="Anna", why="the key was lost")
    assert scribe.replay().verdict == "clean"


def test_a_seal_that_was_withdrawn_counts_no_longer() -> None:
    scribe = sealed().aside(Withdrawn, line=4, why="too early")
    assert (scribe.replay().seals, scribe.replay().unsealed) == ([], 6)


# --- without the extra ---------------------------------------------------------------------------


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == "cryptography"]:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.usefixtures("no_extra")
def test_without_the_extra_a_signature_is_unchecked_and_the_log_reads_the_same() -> None:
    raw = (EXAMPLES / "sealed-and-signed.jsonl").read_bytes()
    forged = (EXAMPLES / "signed-by-another.jsonl").read_bytes()
    for log in map(read, (raw, forged)):
        done = replay(log)
        assert (done.complaint, done.verdict) == (None, "clean")
        assert {seal.standing for seal in done.seals} == {"unchecked"}


@pytest.mark.usefixtures("no_extra")
def test_without_the_extra_nobody_signs_and_the_error_names_it() -> None:
    for make in (lambda: make_pem(KNOWN_SEED), lambda: load_signer(b"")):
        with pytest.raises(MissingExtraError, match=r"expected the extra 'sign' .*pip install 'spyrium-log\[sign\]'"):
            make()


# --- keys ----------------------------------------------------------------------------------------


def test_a_new_key_is_its_owners_alone_and_signs(tmp_path: Path) -> None:
    made = create_key(tmp_path / "anna.pem")
    assert stat.S_IMODE((tmp_path / "anna.pem").stat().st_mode) == 0o600
    again = read_key(tmp_path / "anna.pem")
    assert again.key == made.key
    assert again.sign(b"x") == made.sign(b"x")
    assert made.key in repr(made)
    assert create_key(tmp_path / "bob.pem").key != made.key


def test_a_key_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "anna.pem"
    path.write_bytes(b"anything")
    with pytest.raises(StoreError, match="expected to write a new key, found one that is there already"):
        create_key(path)
    assert path.read_bytes() == b"anything"
    assert list(tmp_path.iterdir()) == [path]


def pem(private: ed25519.Ed25519PrivateKey | x25519.X25519PrivateKey, password: bytes = b"") -> bytes:
    how = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", "something else"),
        (b"\xff" * 100, "something else"),
        (make_pem(KNOWN_SEED)[:60], "something else"),
        (b"x" * 20_000, "more than 16384 bytes"),
        (pem(x25519.X25519PrivateKey.generate()), "another kind"),
        (pem(ed25519.Ed25519PrivateKey.generate(), b"secret"), "one with"),
    ],
)
def test_what_is_no_key_is_refused(tmp_path: Path, raw: bytes, found: str) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(raw)
    with pytest.raises(SigningError, match=rf"found {found}, at .*key\.pem"):
        read_key(path)


def test_a_key_is_made_of_32_bytes() -> None:
    with pytest.raises(SigningError, match="expected 32 secret bytes to make a key of, found 3"):
        make_pem(b"abc")


def test_a_signed_seal_is_appended_like_any_line(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    path = folder.write_whole(opening().play("p12").raw())
    key = create_key(tmp_path / "anna.pem")
    with folder.open_play(path) as play:
        play.seal(by="ann", signer=key)
    done = replay(folder.read_log(path))
    assert [(seal.n, seal.standing, seal.key) for seal in done.seals] == [(3, "valid", key.key)]
    assert done.unsealed == 0
