"""The first schema, as it was released; never changed, only followed by others."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "events",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("name_tag", sa.LargeBinary(), nullable=False),
        sa.Column("category_tag", sa.LargeBinary(), nullable=True),
        sa.Column("place_tag", sa.LargeBinary(), nullable=True),
        sa.Column("body_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("day_precision", sa.Text(), nullable=True),
        sa.Column("weight", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("tenant", "name_tag", name=op.f("uq_events_tenant_name_tag")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "identities",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("tenant", "kind", "key", name=op.f("uq_identities_tenant_kind_key")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "jobs",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("body_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "meta",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "prompts",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "name", "language", "version", name=op.f("pk_prompts")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "scopes",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("user_tag", sa.LargeBinary(), nullable=False),
        sa.Column("character_tag", sa.LargeBinary(), nullable=False),
        sa.Column("user_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("character_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("zone", sa.Text(), nullable=True),
        sa.Column("revision", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("epoch", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scopes")),
        sa.UniqueConstraint(
            "tenant", "user_tag", "character_tag", name=op.f("uq_scopes_tenant_user_tag_character_tag")
        ),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "task_models",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("tenant", "task", name=op.f("pk_task_models")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "leases",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_leases_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", name=op.f("pk_leases")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "people",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.Column("external_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("merged_into", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.ForeignKeyConstraint(["merged_into"], ["people.id"], name=op.f("fk_people_merged_into")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_people_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("tenant", "scope_id", "tag", name=op.f("uq_people_tenant_scope_id_tag")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "sessions",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.Column("external_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("parent_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("named", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("off_record", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["sessions.id"], name=op.f("fk_sessions_parent_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_sessions_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("tenant", "scope_id", "tag", name=op.f("uq_sessions_tenant_scope_id_tag")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "vectors",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("identity_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("members", sa.LargeBinary(), nullable=False),
        sa.Column("vectors_sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["identity_id"], ["identities.id"], name=op.f("fk_vectors_identity_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_vectors_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vectors")),
        sqlite_with_rowid=True,
    )
    op.create_index(
        "ix_vectors_scope_id_identity_id_change",
        "vectors",
        ["scope_id", "identity_id", "change"],
        unique=False,
    )
    op.create_table(
        "windows",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_try_at", sa.BigInteger(), nullable=True),
        sa.Column("prompt_version", sa.Text(), nullable=True),
        sa.Column("from_position", sa.BigInteger(), nullable=False),
        sa.Column("to_position", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_windows_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_windows")),
        sqlite_with_rowid=True,
    )
    op.create_index("ix_windows_scope_id_state", "windows", ["scope_id", "state"], unique=False)
    op.create_table(
        "memories",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("subject_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("event_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("mode", sa.Text(), server_default="asserted", nullable=False),
        sa.Column("layer", sa.Text(), nullable=True),
        sa.Column("importance", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("confirmed", sa.Integer(), server_default="1", nullable=False),
        sa.Column("pinned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("zone", sa.Text(), nullable=True),
        sa.Column("day_precision", sa.Text(), nullable=True),
        sa.Column("age", sa.Float(), nullable=True),
        sa.Column("absolute_day", sa.Integer(), nullable=True),
        sa.Column("place_tag", sa.LargeBinary(), nullable=True),
        sa.Column("valid_from", sa.BigInteger(), nullable=True),
        sa.Column("valid_until", sa.BigInteger(), nullable=True),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("retired_at", sa.BigInteger(), nullable=True),
        sa.Column("replaced_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("external_tag", sa.LargeBinary(), nullable=True),
        sa.Column("body_sealed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_memories_event_id")),
        sa.ForeignKeyConstraint(["replaced_by"], ["memories.id"], name=op.f("fk_memories_replaced_by")),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_memories_session_id")),
        sa.ForeignKeyConstraint(["subject_id"], ["people.id"], name=op.f("fk_memories_subject_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sa.UniqueConstraint("tenant", "uid", name=op.f("uq_memories_tenant_uid")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "messages",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("parent_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("variant", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("speaker_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("external_tag", sa.LargeBinary(), nullable=True),
        sa.Column("external_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("zone", sa.Text(), nullable=True),
        sa.Column("raw_date_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("heard", sa.Integer(), nullable=True),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("text_sealed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["parent_id"], ["messages.id"], name=op.f("fk_messages_parent_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_messages_scope_id")),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_messages_session_id")),
        sa.ForeignKeyConstraint(["speaker_id"], ["people.id"], name=op.f("fk_messages_speaker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sqlite_with_rowid=True,
    )
    op.create_index(
        "ix_messages_provisional",
        "messages",
        ["scope_id"],
        unique=False,
        sqlite_where=sa.text("state = 'provisional'"),
        postgresql_where=sa.text("state = 'provisional'"),
    )
    op.create_index("ix_messages_scope_id_hash", "messages", ["scope_id", "hash"], unique=False)
    op.create_index(
        "ix_messages_scope_id_role_position", "messages", ["scope_id", "role", "position"], unique=False
    )
    op.create_table(
        "names",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tag", sa.LargeBinary(), nullable=False),
        sa.Column("name_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("used_by", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("valid_from", sa.BigInteger(), nullable=True),
        sa.Column("valid_until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_names_person_id")),
        sa.ForeignKeyConstraint(["used_by"], ["people.id"], name=op.f("fk_names_used_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_names")),
        sa.UniqueConstraint("tenant", "person_id", "tag", name=op.f("uq_names_tenant_person_id_tag")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "session_scopes",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_session_scopes_scope_id")),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_session_scopes_session_id")),
        sa.PrimaryKeyConstraint("session_id", "scope_id", name=op.f("pk_session_scopes")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_session_scopes_scope_id", "session_scopes", ["scope_id"], unique=False)
    op.create_table(
        "session_states",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("emotion", sa.Text(), nullable=True),
        sa.Column("intensity", sa.Float(), nullable=True),
        sa.Column("intimacy", sa.Float(), nullable=True),
        sa.Column("topics_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_session_states_session_id")),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_session_states")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "evidence",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("variant", sa.Integer(), server_default="0", nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_evidence_memory_id")),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_evidence_message_id")),
        sa.PrimaryKeyConstraint("memory_id", "place", name=op.f("pk_evidence")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_evidence_message_id", "evidence", ["message_id"], unique=False)
    op.create_table(
        "feelings",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("subject_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("emotion", sa.Text(), nullable=False),
        sa.Column("intensity", sa.Float(), nullable=False),
        sa.Column("trigger_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_feelings_message_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_feelings_scope_id")),
        sa.ForeignKeyConstraint(["subject_id"], ["people.id"], name=op.f("fk_feelings_subject_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feelings")),
        sqlite_with_rowid=True,
    )
    op.create_index("ix_feelings_scope_id_at", "feelings", ["scope_id", "at"], unique=False)
    op.create_table(
        "links",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("from_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("to_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["from_id"], ["memories.id"], name=op.f("fk_links_from_id")),
        sa.ForeignKeyConstraint(["to_id"], ["memories.id"], name=op.f("fk_links_to_id")),
        sa.PrimaryKeyConstraint("from_id", "to_id", "kind", name=op.f("pk_links")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_links_to_id", "links", ["to_id"], unique=False)
    op.create_table(
        "memory_people",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_memory_people_memory_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_memory_people_person_id")),
        sa.PrimaryKeyConstraint("memory_id", "person_id", name=op.f("pk_memory_people")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_people_person_id", "memory_people", ["person_id"], unique=False)
    op.create_table(
        "memory_scopes",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("embedded", sa.Integer(), server_default="0", nullable=False),
        sa.Column("analysed", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_memory_scopes_memory_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_memory_scopes_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", "memory_id", name=op.f("pk_memory_scopes")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_scopes_memory_id", "memory_scopes", ["memory_id"], unique=False)
    op.create_index("ix_memory_scopes_scope_id_change", "memory_scopes", ["scope_id", "change"], unique=False)
    op.create_index(
        "ix_memory_scopes_scope_id_embedded", "memory_scopes", ["scope_id", "embedded"], unique=False
    )
    op.create_table(
        "observations",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("body_sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_observations_memory_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_observations_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_observations")),
        sqlite_with_rowid=True,
    )
    op.create_index("ix_observations_memory_id", "observations", ["memory_id"], unique=False)
    op.create_table(
        "participants",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("event_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("character_tag", sa.LargeBinary(), nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("age", sa.Float(), nullable=True),
        sa.Column("absolute_day", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_participants_event_id")),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_participants_memory_id")),
        sa.PrimaryKeyConstraint("event_id", "character_tag", name=op.f("pk_participants")),
        sqlite_with_rowid=True,
    )
    op.create_table(
        "plans",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("due_zone", sa.Text(), nullable=True),
        sa.Column("day_precision", sa.Text(), nullable=True),
        sa.Column("condition_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_plans_memory_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_plans_person_id")),
        sa.PrimaryKeyConstraint("memory_id", name=op.f("pk_plans")),
        sqlite_with_rowid=True,
    )
    op.create_index("ix_plans_due", "plans", ["due"], unique=False)
    op.create_table(
        "postings",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("identity_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("terms", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["identity_id"], ["identities.id"], name=op.f("fk_postings_identity_id")),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_postings_memory_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_postings_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", "memory_id", name=op.f("pk_postings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rehearsals",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("exchange", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_rehearsals_memory_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_rehearsals_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", "memory_id", name=op.f("pk_rehearsals")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "relationships",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("uid", sa.LargeBinary(length=16), nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("last_message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("body_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["last_message_id"], ["messages.id"], name=op.f("fk_relationships_last_message_id")
        ),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_relationships_scope_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_relationships")),
        sqlite_with_rowid=True,
    )
    op.create_index("ix_relationships_scope_id", "relationships", ["scope_id"], unique=False)
    op.create_table(
        "scores",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_scores_memory_id")),
        sa.PrimaryKeyConstraint("memory_id", "name", name=op.f("pk_scores")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_scores_name_value", "scores", ["name", "value"], unique=False)
    op.create_table(
        "session_messages",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("session_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_session_messages_message_id")),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_session_messages_session_id")),
        sa.PrimaryKeyConstraint("session_id", "position", "message_id", name=op.f("pk_session_messages")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_session_messages_message_id", "session_messages", ["message_id"], unique=False)
    op.create_table(
        "suppressions",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("scope_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_suppressions_message_id")),
        sa.ForeignKeyConstraint(["scope_id"], ["scopes.id"], name=op.f("fk_suppressions_scope_id")),
        sa.PrimaryKeyConstraint("scope_id", "message_id", name=op.f("pk_suppressions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "told",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("memory_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], name=op.f("fk_told_memory_id")),
        sa.ForeignKeyConstraint(["person_id"], ["people.id"], name=op.f("fk_told_person_id")),
        sa.PrimaryKeyConstraint("memory_id", "person_id", name=op.f("pk_told")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "window_messages",
        sa.Column("tenant", sa.Text(), server_default="", nullable=False),
        sa.Column("window_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("message_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_window_messages_message_id")),
        sa.ForeignKeyConstraint(["window_id"], ["windows.id"], name=op.f("fk_window_messages_window_id")),
        sa.PrimaryKeyConstraint("window_id", "message_id", name=op.f("pk_window_messages")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_window_messages_message_id", "window_messages", ["message_id"], unique=False)
