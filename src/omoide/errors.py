"""Every error that Omoide raises on purpose.

The tree:

    OmoideError
    ├── InvalidInput            a value that cannot be used; also a ValueError
    │   └── BeingAnswered       the same message is being answered at this moment
    ├── NotFound                nothing has that name or id
    │   ├── UnknownScope
    │   ├── UnknownSession
    │   ├── UnknownMessage
    │   ├── UnknownMemory
    │   ├── UnknownPerson
    │   └── UnknownCharacter
    ├── StoreError              the database cannot do what was asked
    │   ├── StoreCorrupt
    │   ├── StoreNewer          written by a later release
    │   ├── StoreReadOnly
    │   ├── StoreFull
    │   ├── StoreBusy           others hold the write lock or all connections for too long
    │   ├── StoreConflict       another transaction got in the way; nothing was written
    │   ├── StoreLost           the database cannot be reached; nothing was written
    │   ├── StoreUncertain      it was lost while it wrote, and may have written
    │   ├── ErasureUnfinished   a user is shut, and rows of theirs are left; erase them again
    │   └── LeasesUnavailable   the lease server cannot be asked; nothing is extracted meanwhile
    ├── IndexUnavailable        an index of vectors cannot answer now; recall goes on by words
    │   └── IndexForeign        something of another maker stands in its place
    ├── SealError               a key is missing or wrong, or sealed bytes were changed
    │   ├── KeyMissing
    │   ├── KeyWrong
    │   └── Tampered
    ├── EmbedderError           vectors cannot be made now; recall goes on by words
    │   ├── EmbedderUnavailable not installed, or this processor cannot run it
    │   ├── EmbedderFailed      it answered with an error, too late, or not at all
    │   └── EmbedderMismatch    other dimensions than its identity says
    ├── ModelError              a chat model gives no answer that can be used
    │   ├── ModelUnavailable    not set, out of reach, too slow, failing, or limiting the rate
    │   │   └── TokensSpent     the day's tokens for work in the background are spent
    │   ├── ModelRefused        it declined, or said nothing
    │   └── UnreadableAnswer    what it said is not of the type that was asked for
    ├── Superseded              another worker took the work over; nothing was written
    ├── Forbidden               a key does not reach that far
    ├── ImportFailed            a file cannot be read as a conversation
    │   ├── UnknownFormat
    │   └── UnsafeFile          larger, deeper or more inflated than the limits allow
    └── MissingExtra            an optional dependency is not installed

A message shows the value with ``!r`` and names the way out. Words of a conversation never stand in one.
"""

from __future__ import annotations


class OmoideError(Exception):
    """The root of all errors that Omoide raises on purpose."""


class InvalidInput(OmoideError, ValueError):
    """A value that cannot be used; the message shows it and says what would do."""


class BeingAnswered(InvalidInput):
    """A message is being answered at this moment; once it is, the same request gives that answer."""


class NotFound(OmoideError, LookupError):
    """Nothing has that name or id."""


class UnknownScope(NotFound):
    """No user or character of that name has been seen; the message lists near ones."""


class UnknownSession(NotFound):
    """The scope has no session of that name."""


class UnknownMessage(NotFound):
    """The scope has no message of that id."""


class UnknownMemory(NotFound):
    """The scope has no memory of that id."""


class UnknownPerson(NotFound):
    """The scope knows nobody of that id or name; the message lists near ones."""


class UnknownCharacter(NotFound):
    """No character of that name can be played; the message lists those that can."""


class StoreError(OmoideError):
    """The database cannot do what was asked; nothing was half-written."""


class StoreCorrupt(StoreError):
    """The file is no database, or a damaged one."""


class StoreNewer(StoreError):
    """The store was written by a later release than this one."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreFull(StoreError):
    """The disk is full; the transaction was rolled back."""


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the time limit."""


class StoreConflict(StoreError):
    """Another transaction got in the way: nothing was written, and trying again may succeed."""


class StoreLost(StoreError):
    """The database cannot be reached, or the connection broke before anything was written."""


class StoreUncertain(StoreError):
    """The connection broke while a transaction was being committed: it may have been written or not."""


class ErasureUnfinished(StoreError):
    """What is left of a user is shut, and has still to be deleted: the same erasure again goes on with it."""


class LeasesUnavailable(StoreError):
    """The lease server (the setting `lease_url`) cannot be asked; nothing is extracted meanwhile."""


class IndexUnavailable(OmoideError):
    """An index that holds copies of the vectors cannot answer now."""


class IndexForeign(IndexUnavailable):
    """What stands in the index's place was made by somebody else, and is left as it is."""


class SealError(OmoideError):
    """Sealed text cannot be opened."""


class KeyMissing(SealError):
    """The master key or an owner's data key is not there."""


class KeyWrong(SealError):
    """The master key does not belong to this store."""


class Tampered(SealError):
    """Sealed bytes were changed, or moved to another row."""


class EmbedderError(OmoideError):
    """Vectors cannot be made now; recall goes on by words."""


class EmbedderUnavailable(EmbedderError):
    """The embedder is not installed, or this processor cannot run it."""


class EmbedderFailed(EmbedderError):
    """The embedder answered with an error, too late, or not at all."""


class EmbedderMismatch(EmbedderError):
    """The embedder's vectors do not fit the identity that it declares."""


class ModelError(OmoideError):
    """A chat model gives no answer that can be used; nothing was stored of it."""


class ModelUnavailable(ModelError):
    """No model is set for the task, or its server is out of reach, too slow, failing or limiting the rate."""


class TokensSpent(ModelUnavailable):
    """The day's tokens for work in the background are spent; it waits until the next day (UTC)."""


class ModelRefused(ModelError):
    """The model declined, or said nothing."""


class UnreadableAnswer(ModelError):
    """What the model said is not of the type that was asked for, also after one repair.

    Attributes:
        expected: which fields were wrong, and what was expected there; without a word of the answer.
    """

    def __init__(self, message: str, *, expected: str = "") -> None:
        super().__init__(message)
        self.expected = expected


class Superseded(OmoideError):
    """Another worker has taken the work over, or it has changed meanwhile; nothing was written."""


class Forbidden(OmoideError):
    """The key that was given does not reach that far; the message never says what lies there."""


class TokenRefused(OmoideError):
    """A signed token is forged, ended, for another tenant or store, or its key was made anew."""


class ImportFailed(OmoideError):
    """A file cannot be read as a conversation, a card or a lorebook."""


class UnknownFormat(ImportFailed):
    """No importer knows this kind of file."""


class UnsafeFile(ImportFailed):
    """The file is larger, deeper or more inflated than the limits allow."""


class MissingExtra(OmoideError):
    """An optional dependency is not installed; the message names the extra."""
