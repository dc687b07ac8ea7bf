"""The formats that model servers speak, as a `FakeModelServer` writes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from omoide.domain.text import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from omoide.testing.replies import Reply

Json = dict[str, Any]

_OPENAI_ENDS: Final = {"stop": "stop", "length": "length", "refusal": "content_filter"}
_ANTHROPIC_ENDS: Final = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}


def openai_whole(reply: Reply, asked: Mapping[str, Any]) -> Json:
    """A chat completion."""
    tool = _tool(reply, asked)
    message: Json = {"role": "assistant", "content": None if tool else reply.text}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if tool:
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": _call(tool, reply.text)}]
    choice = {"index": 0, "message": message, "finish_reason": _openai_end(reply, tool)}
    return {
        **_completion(asked, "chat.completion"),
        "choices": [choice],
        "usage": _openai_usage(reply, asked),
    }


def openai_stream(reply: Reply, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """The events of a chat completion."""
    tool = _tool(reply, asked)
    yield b": keep-alive\n\n"
    yield _chunk(asked, {"role": "assistant", "content": ""})
    for thought in _pieces(reply.thinking, reply.piece):
        yield _chunk(asked, {"reasoning_content": thought})
    if tool:
        called = {"index": 0, "id": "call_1", "type": "function", "function": _call(tool, "")}
        yield _chunk(asked, {"tool_calls": [called]})
    for piece in _pieces(reply.text, reply.piece):
        arguments = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
        yield _chunk(asked, arguments if tool else {"content": piece})
    yield _chunk(asked, {}, end=_openai_end(reply, tool))
    if (asked.get("stream_options") or {}).get("include_usage"):
        last = {**_completion(asked, "chat.completion.chunk"), "choices": []}
        yield _event({**last, "usage": _openai_usage(reply, asked)})
    yield b"data: [DONE]\n\n"


def responses_whole(reply: Reply, asked: Mapping[str, Any], *, name: str) -> Json:
    """A response of OpenAI's Responses API, under a name."""
    whole = reply.finish == "stop"
    words: Json = {"type": "output_text", "text": reply.text, "annotations": []}
    message: Json = {"type": "message", "id": f"msg_{name}", "role": "assistant", "status": "completed"}
    return {
        "id": name,
        "object": "response",
        "created_at": 1_780_000_000,
        "model": asked.get("model"),
        "status": "completed" if whole else "incomplete",
        "incomplete_details": None if whole else {"reason": "max_output_tokens"},
        "error": None,
        "output": [{**message, "content": [words]}],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "previous_response_id": asked.get("previous_response_id"),
    }


def responses_stream(reply: Reply, asked: Mapping[str, Any], *, name: str) -> Iterator[bytes]:
    """The events of such a response."""
    done = responses_whole(reply, asked, name=name)
    begun = {**done, "status": "in_progress", "output": []}
    yield _named({"type": "response.created", "sequence_number": 0, "response": begun})
    number = 0
    place = {"item_id": f"msg_{name}", "output_index": 0, "content_index": 0, "logprobs": []}
    for number, piece in enumerate(_pieces(reply.text, reply.piece), 1):
        yield _named(
            {"type": "response.output_text.delta", "sequence_number": number, "delta": piece, **place}
        )
    kind = f"response.{done['status']}"
    yield _named({"type": kind, "sequence_number": number + 1, "response": done})


def anthropic_whole(reply: Reply, asked: Mapping[str, Any]) -> Json:
    """A message of Anthropic's."""
    tool = _tool(reply, asked)
    content: list[Json] = [{"type": "thinking", "thinking": reply.thinking, "signature": "s"}]
    content = content if reply.thinking else []
    if tool:
        content.append({"type": "tool_use", "id": "call_1", "name": tool, "input": _input(reply.text)})
    elif reply.text:
        content.append({"type": "text", "text": reply.text})
    return {**_message(asked), "content": content, **_anthropic_end(reply, asked, tool)}


def anthropic_stream(reply: Reply, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """The events of a message of Anthropic's."""
    tool = _tool(reply, asked)
    start = {**_message(asked), "content": [], "stop_reason": None, "stop_sequence": None}
    start["usage"] = {"input_tokens": _prompt(asked), "output_tokens": 1}
    yield _named({"type": "message_start", "message": start})
    at = 0
    if reply.thinking:
        block: Json = {"type": "thinking", "thinking": "", "signature": ""}
        yield from _block(at, block, "thinking_delta", "thinking", reply.thinking, reply.piece)
        at += 1
    if tool:
        block = {"type": "tool_use", "id": "call_1", "name": tool, "input": {}}
        yield from _block(at, block, "input_json_delta", "partial_json", reply.text, reply.piece)
    elif reply.text:
        block = {"type": "text", "text": ""}
        yield from _block(at, block, "text_delta", "text", reply.text, reply.piece)
    end = _anthropic_end(reply, asked, tool)
    usage = {"output_tokens": end["usage"]["output_tokens"]}
    delta = {"stop_reason": end["stop_reason"], "stop_sequence": None}
    yield _named({"type": "message_delta", "delta": delta, "usage": usage})
    yield _named({"type": "message_stop"})


def _tool(reply: Reply, asked: Mapping[str, Any]) -> str | None:
    """The tool that the reply calls."""
    tools = asked.get("tools") or []
    if not tools or (reply.call is None and not reply.text.startswith("{")) or reply.call is False:
        return None
    return str((tools[0].get("function") or tools[0])["name"])


def _call(name: str, arguments: str) -> Json:
    return {"name": name, "arguments": arguments}


def _input(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return {"cut off": text}


def _pieces(text: str, size: int) -> Iterator[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def _completion(asked: Mapping[str, Any], kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_780_000_000, "model": asked.get("model")}


def _chunk(asked: Mapping[str, Any], delta: Json, *, end: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": end}
    return _event({**_completion(asked, "chat.completion.chunk"), "choices": [choice]})


def _openai_end(reply: Reply, tool: str | None) -> str:
    return "tool_calls" if tool and reply.finish == "stop" else _OPENAI_ENDS[reply.finish]


def _openai_usage(reply: Reply, asked: Mapping[str, Any]) -> Json:
    prompt, answer = _prompt(asked), tokens(reply.text)
    return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}


def _message(asked: Mapping[str, Any]) -> Json:
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model")}


def _anthropic_end(reply: Reply, asked: Mapping[str, Any], tool: str | None) -> Json:
    reason = "tool_use" if tool and reply.finish == "stop" else _ANTHROPIC_ENDS[reply.finish]
    usage = {"input_tokens": _prompt(asked), "output_tokens": tokens(reply.text)}
    return {"stop_reason": reason, "stop_sequence": None, "usage": usage}


def _prompt(asked: Mapping[str, Any]) -> int:
    return tokens(json.dumps(asked.get("messages"), ensure_ascii=False))


def _block(at: int, block: Json, kind: str, key: str, text: str, size: int) -> Iterator[bytes]:
    yield _named({"type": "content_block_start", "index": at, "content_block": block})
    for piece in _pieces(text, size):
        yield _named({"type": "content_block_delta", "index": at, "delta": {"type": kind, key: piece}})
    yield _named({"type": "content_block_stop", "index": at})


def _event(value: Json) -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _named(value: Json) -> bytes:
    return f"event: {value['type']}\n".encode() + _event(value)
