"""What one call to a chat model gives: what was heard, or why there is nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter

if TYPE_CHECKING:
    from omoide.domain.chat import Usage
    from omoide.errors import ModelError


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """What a model said.

    Attributes:
        text: the reply, or the arguments of the tool call that was asked for.
        usage: what it cost.
        cut: whether the limit of tokens ended it.
        refused: whether the server says that the model declined.
    """

    text: str
    usage: Usage
    cut: bool = False
    refused: bool = False


class CallFailed(Exception):
    """A call that gave no answer; it never leaves this package.

    Attributes:
        error: what it means for the caller.
        passes: whether another try may go well.
        down: whether the server is not well, rather than the request.
        wait: seconds that the server asks for before another try.
        form: whether the server refused the form of the request.
    """

    def __init__(
        self,
        error: ModelError,
        *,
        passes: bool = False,
        down: bool = False,
        wait: float | None = None,
        form: bool = False,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.passes = passes
        self.down = down
        self.wait = wait
        self.form = form


def schema_of(form: type[object]) -> dict[str, Any]:
    """The JSON schema of an answer as a model is shown it; a form may have a shorter one of its own."""
    if issubclass(form, BaseModel):
        return form.model_json_schema()
    return TypeAdapter(form).json_schema()
