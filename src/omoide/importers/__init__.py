"""Turn files of other programs into conversations, characters and lorebooks.

Importers give values and never touch a store. Files are untrusted: sizes, depths and archives have limits,
and a broken line costs that line only.

| Format            | What                                                                               |
|-------------------|------------------------------------------------------------------------------------|
| `sillytavern`     | chat JSONL of all generations, groups, Chub's variety                              |
| `plain`           | our own JSON lines, see `omoide.importers.plain`                                   |
| `tavern-array`    | TavernAI 2022: an array of ``Name: text``                                          |
| `card`            | character cards V1, V2, V3 in PNG, JSON or CHARX                                   |
| `lorebook`        | world files, and books as in cards                                                 |
| `open-llm-vtuber` | one chat history                                                                   |
| `chatgpt`         | conversations.json                                                                 |
| `risu`            | RisuAI's risuChat and risuAllChats                                                 |
| `discord`         | DiscordChatExporter                                                                |
"""

from __future__ import annotations

from omoide.importers.parsing import FORMATS, parse, sniff
from omoide.importers.reading import Parsed
from omoide.importers.safe import Limits

__all__ = ["FORMATS", "Limits", "Parsed", "parse", "sniff"]
