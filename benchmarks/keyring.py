"""What a keyring costs by how many owners it holds, in a file and in a database.

    python -m benchmarks.keyring [--owners 1000 10000 100000] [--json]

Medians by the clock, of: a new owner; the first look of another process after that; an owner that both know;
an erasure; opening. PostgreSQL is started from a wheel, with all its usual promises about the disk.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.arguments import parser_of, print_json
from benchmarks.cluster import Postgres
from omoide.stores.keys.database_place import DatabasePlace
from omoide.stores.keys.keyring import Keyring, MasterKey
from omoide.stores.keys.places import FilePlace
from omoide.stores.keys.vault import Vault
from omoide.stores.sealing import Blinder

if TYPE_CHECKING:
    from collections.abc import Callable

    Open = Callable[[], FilePlace | DatabasePlace]

ROUNDS = 15
MASTER = MasterKey(b"k" * 32)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """Milliseconds at a number of owners."""

    place: str
    owners: int
    new: float
    seen: float
    known: float
    erased: float
    opened: float


def measure(name: str, place: Open, *, store: str, owners: int) -> Measured:
    """Fill a keyring, and measure."""
    _fill(place(), store=store, owners=owners)

    def opened() -> Keyring:
        return Keyring.open(place(), MASTER, store_id=store, create=False)

    one, other = opened(), opened()
    pairs = [
        (
            _took(partial(one.data_key, f"new {number}", create=True)),
            _took(partial(other.data_key, "0", create=False)),
        )
        for number in range(ROUNDS)
    ]
    new, seen = zip(*pairs, strict=True)
    known = [_took(partial(other.data_key, "0", create=False)) for _ in range(ROUNDS)]
    erased = [_took(partial(one.forget, f"new {number}")) for number in range(ROUNDS)]
    opening = [_took(lambda: opened().close()) for _ in range(5)]
    one.close()
    other.close()
    times = {"new": new, "seen": seen, "known": known, "erased": erased, "opened": opening}
    return Measured(place=name, owners=owners, **{what: statistics.median(ms) for what, ms in times.items()})


def _fill(place: FilePlace | DatabasePlace, *, store: str, owners: int) -> None:
    vault = Vault(MASTER, store_id=store, name=place.name)
    body = vault.fresh()
    tags = Blinder(vault.tag_key(body))
    names = (tags.tag(str(number), purpose="owner").hex() for number in range(owners))
    place.begin(vault.write(replace(body, keys={tag: vault.wrap(tag, os.urandom(32)) for tag in names})))
    Keyring.open(place, MASTER, store_id=store, create=False).close()


def _took(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1_000


def main() -> None:
    """Measure both, and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--owners", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    given = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder, Postgres(Path(folder)) as server:
        for owners in given.owners:
            places: dict[str, Open] = {
                "file": partial(FilePlace, Path(folder) / f"ring {owners}"),
                "database": partial(DatabasePlace, server.url, store_id=str(owners)),
            }
            for name, place in places.items():
                found.append(measure(name, place, store=str(owners), owners=owners))
    if given.json:
        print_json([asdict(one) for one in found], indent=2)
        return
    print(
        "| place | owners | new | seen by another | known | erased | opened |\n|---|---|---|---|---|---|---|"
    )
    for one in found:
        times = (one.new, one.seen, one.known, one.erased, one.opened)
        print(f"| {one.place} | {one.owners:,} | {' | '.join(f'{ms:.3g} ms' for ms in times)} |")


if __name__ == "__main__":
    main()
