"""pgvector as the index of vectors: half-precision copies in the database where the store lies."""

from omoide.stores.pgvector.index import PgVector

__all__ = ["PgVector"]
