"""Qdrant as an index of vectors, outside of the database."""

from omoide.stores.qdrant.index import QdrantIndex

__all__ = ["QdrantIndex"]
