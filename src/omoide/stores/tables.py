"""The one relational schema, for SQLite and PostgreSQL alike (design section 4, rulings 28 to 32).

Words of people never stand in a column as they are: text, names and ids are sealed (`*_sealed`), and what
must be found by equality is blinded (`*_tag`, `hash`). Numbers and instants stay readable, so that they can
be sorted. Instants are microseconds since 1970 in UTC. `uid` is a UUIDv7 and the associated data of the
row's sealing. Every table carries its tenant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

if TYPE_CHECKING:
    from sqlalchemy.sql.schema import SchemaItem

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_Id = BigInteger().with_variant(Integer, "sqlite")


def _table(name: str, *items: SchemaItem, sqlite_with_rowid: bool = True) -> Table:
    tenant = Column("tenant", Text, nullable=False, server_default="")
    return Table(name, metadata, tenant, *items, sqlite_with_rowid=sqlite_with_rowid)


def _id() -> Column[int]:
    return Column("id", _Id, primary_key=True, autoincrement=True)


def _uid() -> Column[bytes]:
    return Column("uid", LargeBinary(16), nullable=False)


def _ref(name: str, target: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, _Id, ForeignKey(target), nullable=nullable)


def _index_of_past(*columns: str) -> Index:
    """An index on the last of these columns, which only memories of a character's own past have."""
    present = text(f"{columns[-1]} IS NOT NULL")
    index = f"ix_memory_scopes_{'_'.join(columns)}"
    return Index(index, *columns, sqlite_where=present, postgresql_where=present)


meta = _table(
    "meta",
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

scopes = _table(
    "scopes",
    _id(),
    _uid(),
    Column("user_tag", LargeBinary, nullable=False),  # empty: a character alone
    Column("character_tag", LargeBinary, nullable=False),
    Column("user_sealed", LargeBinary),
    Column("character_sealed", LargeBinary, nullable=False),
    Column("language", Text),
    Column("zone", Text),
    Column("revision", BigInteger, nullable=False, server_default="0"),
    Column("epoch", BigInteger, nullable=False, server_default="0"),  # rises where caches must start anew
    Column("created_at", BigInteger, nullable=False),
    Column("extracted", BigInteger, nullable=False, server_default="0"),  # the revision all was read up to
    UniqueConstraint("tenant", "user_tag", "character_tag"),
)

people = _table(
    "people",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    Column("tag", LargeBinary, nullable=False),
    Column("external_sealed", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("merged_into", _Id, ForeignKey("people.id")),
    UniqueConstraint("tenant", "scope_id", "tag"),
)

names = _table(
    "names",
    _id(),
    _uid(),
    _ref("person_id", "people.id"),
    Column("tag", LargeBinary, nullable=False),
    Column("name_sealed", LargeBinary, nullable=False),
    Column("used_by", _Id, ForeignKey("people.id")),
    Column("valid_from", BigInteger),
    Column("valid_until", BigInteger),
    UniqueConstraint("tenant", "person_id", "tag"),
)

sessions = _table(
    "sessions",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    Column("tag", LargeBinary, nullable=False),
    Column("external_sealed", LargeBinary),
    Column("parent_id", _Id, ForeignKey("sessions.id")),
    Column("named", Boolean, nullable=False, server_default=text("true")),
    Column("off_record", Boolean, nullable=False, server_default=false()),
    Column("created_at", BigInteger, nullable=False),
    Column("last_at", BigInteger, nullable=False),
    UniqueConstraint("tenant", "scope_id", "tag"),
)

session_scopes = _table(
    "session_scopes",
    _ref("session_id", "sessions.id"),
    _ref("scope_id", "scopes.id"),
    PrimaryKeyConstraint("session_id", "scope_id"),
    Index("ix_session_scopes_scope_id", "scope_id"),
    sqlite_with_rowid=False,
)

session_states = _table(
    "session_states",
    _ref("session_id", "sessions.id"),
    Column("emotion", Text),
    Column("intensity", Float),
    Column("intimacy", Float),
    Column("topics_sealed", LargeBinary),
    Column("updated_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("session_id"),
)

messages = _table(
    "messages",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    _ref("session_id", "sessions.id"),
    Column("parent_id", _Id, ForeignKey("messages.id")),
    Column("variant", Integer, nullable=False, server_default="0"),
    Column("state", Text, nullable=False),
    Column("role", Text, nullable=False),
    _ref("speaker_id", "people.id"),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("external_tag", LargeBinary),
    Column("external_sealed", LargeBinary),
    Column("at", BigInteger),
    Column("zone", Text),
    Column("raw_date_sealed", LargeBinary),
    Column("heard", Integer),
    Column("recorded_at", BigInteger, nullable=False),
    Column("text_sealed", LargeBinary),  # null: its words were forgotten
    Index("ix_messages_scope_id_hash", "scope_id", "hash"),
    Index("ix_messages_scope_id_role_position", "scope_id", "role", "position"),
    Index(
        "ix_messages_provisional",
        "scope_id",
        sqlite_where=text("state = 'provisional'"),
        postgresql_where=text("state = 'provisional'"),
    ),
)

session_messages = _table(
    "session_messages",
    _ref("session_id", "sessions.id"),
    Column("position", BigInteger, nullable=False),
    _ref("message_id", "messages.id"),
    PrimaryKeyConstraint("session_id", "position", "message_id"),
    Index("ix_session_messages_message_id", "message_id"),
    sqlite_with_rowid=False,
)

events = _table(
    "events",
    _id(),
    _uid(),
    Column("name_tag", LargeBinary, nullable=False),
    Column("category_tag", LargeBinary),
    Column("place_tag", LargeBinary),
    Column("body_sealed", LargeBinary, nullable=False),
    Column("at", BigInteger),
    Column("day_precision", Text),
    Column("weight", Float),
    UniqueConstraint("tenant", "name_tag"),
)

memories = _table(
    "memories",
    _id(),
    _uid(),
    Column("kind", Text, nullable=False),
    Column("origin", Text, nullable=False),
    Column("status", Text, nullable=False),
    _ref("session_id", "sessions.id", nullable=True),
    _ref("subject_id", "people.id", nullable=True),
    _ref("event_id", "events.id", nullable=True),
    Column("mode", Text, nullable=False, server_default="asserted"),
    Column("layer", Text),
    Column("importance", Float, nullable=False),
    Column("confidence", Float),
    Column("confirmed", Integer, nullable=False, server_default="1"),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("at", BigInteger),
    Column("zone", Text),
    Column("day_precision", Text),
    Column("age", Float),
    Column("absolute_day", Integer),
    Column("place_tag", LargeBinary),
    Column("valid_from", BigInteger),
    Column("valid_until", BigInteger),
    Column("recorded_at", BigInteger, nullable=False),
    Column("retired_at", BigInteger),
    Column("replaced_by", _Id, ForeignKey("memories.id")),
    Column("external_tag", LargeBinary),
    Column("body_sealed", LargeBinary),  # null: the words stand in the evidence alone
    UniqueConstraint("tenant", "uid"),
)

memory_scopes = _table(
    "memory_scopes",
    _ref("scope_id", "scopes.id"),
    _ref("memory_id", "memories.id"),
    Column("position", BigInteger, nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("change", BigInteger, nullable=False),
    Column("embedded", Integer, nullable=False, server_default="0"),
    Column("analysed", Integer, nullable=False, server_default="0"),
    # Copies of what search asks of a memory, kept by triggers: it reads one narrow stretch, its own scope's.
    Column("kind", Text),
    Column("status", Text),
    Column("layer", Text),
    Column("importance", Float),
    Column("confidence", Float),
    Column("at", BigInteger),
    Column("valid_until", BigInteger),
    Column("age", Float),
    Column("absolute_day", Integer),
    Column("place_tag", LargeBinary),
    Column("event_id", BigInteger),
    PrimaryKeyConstraint("scope_id", "memory_id"),
    Index("ix_memory_scopes_scope_id_change", "scope_id", "change"),
    Index("ix_memory_scopes_memory_id", "memory_id"),
    Index("ix_memory_scopes_scope_id_embedded", "scope_id", "embedded"),
    _index_of_past("scope_id", "age"),
    _index_of_past("scope_id", "absolute_day"),
    _index_of_past("place_tag"),  # blinded by each scope for itself
    _index_of_past("event_id"),
    sqlite_with_rowid=False,
)

memory_people = _table(
    "memory_people",
    _ref("memory_id", "memories.id"),
    _ref("person_id", "people.id"),
    PrimaryKeyConstraint("memory_id", "person_id"),
    Index("ix_memory_people_person_id", "person_id"),
    sqlite_with_rowid=False,
)

evidence = _table(
    "evidence",
    _ref("memory_id", "memories.id"),
    Column("place", Integer, nullable=False),
    _ref("message_id", "messages.id"),
    Column("variant", Integer, nullable=False, server_default="0"),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    PrimaryKeyConstraint("memory_id", "place"),
    Index("ix_evidence_message_id", "message_id"),
    sqlite_with_rowid=False,
)

suppressions = _table(
    "suppressions",
    _ref("scope_id", "scopes.id"),
    _ref("message_id", "messages.id"),
    Column("since", BigInteger, nullable=False),
    PrimaryKeyConstraint("scope_id", "message_id"),
    sqlite_with_rowid=False,
)

identities = _table(
    "identities",
    _id(),
    Column("kind", Text, nullable=False),  # embedding or analyser
    Column("key", Text, nullable=False),
    UniqueConstraint("tenant", "kind", "key"),
)

postings = _table(
    "postings",
    _ref("scope_id", "scopes.id"),
    _ref("memory_id", "memories.id"),
    _ref("identity_id", "identities.id"),
    Column("terms", LargeBinary, nullable=False),
    PrimaryKeyConstraint("scope_id", "memory_id"),
    sqlite_with_rowid=False,
)

vectors = _table(
    "vectors",
    _id(),
    _ref("scope_id", "scopes.id"),
    _ref("identity_id", "identities.id"),
    _uid(),
    Column("change", BigInteger, nullable=False),
    Column("count", Integer, nullable=False),
    Column("members", LargeBinary, nullable=False),
    Column("vectors_sealed", LargeBinary, nullable=False),
    Index("ix_vectors_scope_id_identity_id_change", "scope_id", "identity_id", "change"),
)

scores = _table(
    "scores",
    _ref("memory_id", "memories.id"),
    Column("name", Text, nullable=False),
    Column("value", Float, nullable=False),
    PrimaryKeyConstraint("memory_id", "name"),
    Index("ix_scores_name_value", "name", "value"),
    sqlite_with_rowid=False,
)

observations = _table(
    "observations",
    _id(),
    _uid(),
    _ref("memory_id", "memories.id"),
    _ref("person_id", "people.id"),
    Column("confidence", Float, nullable=False),
    Column("body_sealed", LargeBinary, nullable=False),
    Index("ix_observations_memory_id", "memory_id"),
)

links = _table(
    "links",
    _ref("from_id", "memories.id"),
    _ref("to_id", "memories.id"),
    Column("kind", Text, nullable=False),
    Column("weight", Float, nullable=False),
    PrimaryKeyConstraint("from_id", "to_id", "kind"),
    Index("ix_links_to_id", "to_id"),
    sqlite_with_rowid=False,
)

participants = _table(
    "participants",
    _ref("event_id", "events.id"),
    Column("character_tag", LargeBinary, nullable=False),
    _ref("memory_id", "memories.id", nullable=True),
    Column("age", Float),
    Column("absolute_day", Integer),
    PrimaryKeyConstraint("event_id", "character_tag"),
)

told = _table(
    "told",
    _ref("memory_id", "memories.id"),
    _ref("person_id", "people.id"),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("memory_id", "person_id"),
    sqlite_with_rowid=False,
)

plans = _table(
    "plans",
    _ref("memory_id", "memories.id"),
    _ref("person_id", "people.id", nullable=True),
    Column("due", BigInteger),
    Column("due_zone", Text),
    Column("day_precision", Text),
    Column("condition_sealed", LargeBinary),
    Column("state", Text, nullable=False),
    PrimaryKeyConstraint("memory_id"),
    Index("ix_plans_due", "due"),
)

rehearsals = _table(
    "rehearsals",
    _ref("scope_id", "scopes.id"),
    _ref("memory_id", "memories.id"),
    Column("count", Integer, nullable=False),
    Column("last_at", BigInteger, nullable=False),
    Column("exchange", LargeBinary, nullable=False),
    PrimaryKeyConstraint("scope_id", "memory_id"),
    sqlite_with_rowid=False,
)

windows = _table(
    "windows",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("next_try_at", BigInteger),
    Column("prompt_version", Text),
    Column("from_position", BigInteger, nullable=False),
    Column("to_position", BigInteger, nullable=False),
    Column("failure", Text),
    Index("ix_windows_scope_id_state", "scope_id", "state"),
)

window_messages = _table(
    "window_messages",
    _ref("window_id", "windows.id"),
    _ref("message_id", "messages.id"),
    PrimaryKeyConstraint("window_id", "message_id"),
    Index("ix_window_messages_message_id", "message_id"),
    sqlite_with_rowid=False,
)

relationships = _table(
    "relationships",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    Column("current", Boolean, nullable=False),
    _ref("last_message_id", "messages.id", nullable=True),
    Column("body_sealed", LargeBinary, nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    Index("ix_relationships_scope_id", "scope_id"),
)

feelings = _table(
    "feelings",
    _id(),
    _uid(),
    _ref("scope_id", "scopes.id"),
    _ref("message_id", "messages.id", nullable=True),
    _ref("subject_id", "people.id"),
    Column("emotion", Text, nullable=False),
    Column("intensity", Float, nullable=False),
    Column("trigger_sealed", LargeBinary),
    Column("at", BigInteger, nullable=False),
    Column("zone", Text),
    Index("ix_feelings_scope_id_at", "scope_id", "at"),
)

leases = _table(
    "leases",
    _ref("scope_id", "scopes.id"),
    Column("token", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("scope_id"),
)

task_models = _table(
    "task_models",
    Column("task", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("settings", Text),
    PrimaryKeyConstraint("tenant", "task"),
)

prompts = _table(
    "prompts",
    Column("name", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("tenant", "name", "language", "version"),
)

jobs = _table(
    "jobs",
    _id(),
    _uid(),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("body_sealed", LargeBinary),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

debts = _table(
    "debts",
    _id(),
    Column("scope_uid", LargeBinary(16), nullable=False),  # of a scope that may be gone already
    Column("what", Text, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
    Index("ix_debts_scope_uid", "scope_uid"),
)


def _referred(table: Table, *columns: str) -> None:
    """Index columns that refer to rows that can be deleted: each one that goes is looked for in them."""
    for column in columns:
        given = text(f"{column} IS NOT NULL") if table.c[column].nullable else None
        name = f"ix_{table.name}_{column}"
        if given is None:
            Index(name, table.c[column])
        else:
            Index(name, table.c[column], sqlite_where=given, postgresql_where=given)


_referred(people, "scope_id", "merged_into")
_referred(names, "person_id", "used_by")
_referred(sessions, "scope_id", "parent_id")
_referred(messages, "session_id", "speaker_id", "parent_id")
_referred(memories, "session_id", "subject_id", "event_id", "replaced_by")
_referred(suppressions, "message_id")
_referred(postings, "memory_id")
_referred(observations, "person_id")
_referred(participants, "memory_id")
_referred(told, "person_id")
_referred(plans, "person_id")
_referred(rehearsals, "memory_id")
_referred(relationships, "last_message_id")
_referred(feelings, "message_id", "subject_id")
