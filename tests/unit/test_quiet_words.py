"""How quiet prompts of clients are worded, and what people and characters say that looks like one."""

import pytest

from omoide.server.proxy.quiet import is_quiet, is_task


@pytest.mark.parametrize(
    "text",
    [
        "Ignore previous instructions. Classify the emotion of the last message with one word.",
        "Please summarize the following conversation in one sentence:\n\nUser: hi",
        "Generate a short title for this chat.",
        "[Summarize the story so far in 100 words]",
        "다음 대화를 세 단어로 요약한 제목을 만들어 주세요.\n\n사용자: 안녕",
        "지금까지의 이야기를 200자로 요약하십시오.",
        "마지막 메시지의 감정을 한 단어로 분류하세요.",
        "以下の会話を要約してください。\n\nユーザー: こんにちは",
        "直前のメッセージの感情を一語で分類してください。",
        "请总结以下对话，不超过十个字。",
        "最后一条消息的情绪是什么？",
    ],
)
def test_a_task_over_the_talk_is_one_wherever_it_stands(text: str) -> None:
    assert is_quiet(text)
    assert is_task(text)


@pytest.mark.parametrize(
    "text",
    [
        "You are a title generator. Generate a concise title for the conversation.",
        "Summarize the conversation so far.",
        "당신은 요약을 돕습니다. 지금까지의 대화를 요약하세요.",
        "あなたは要約係です。これまでの会話を三行でまとめてください。",
        "你是会话助理。请概括至今的聊天内容。",
    ],
)
def test_instructions_may_set_a_task_that_a_person_would_ask_for(text: str) -> None:
    assert is_task(text)
    assert not is_quiet(text)


@pytest.mark.parametrize(
    "text",
    [
        "Summarize our day: we went to Pisa and I lost my ring",
        "Summarize the last conversation we had",
        "Give me the title of that song again",
        "[grins] I am moving to Lima in May",
        "이전 대화 요약해 줘",
        "위 내용 정리하면 나 내일 이사 가",
        "이전 대화의 감정을 이어 가세요.",
        "너는 하루다. 다음 대화를 이어 가라. 감정을 담아 말해라.",
        "今日のことまとめて",
        "あなたはハルです。次の会話を続けてください。感情を込めて話すこと。",
        "你是小雨。请继续以下对话，带着情绪说话。",
        "You are Juniper. Write Juniper's next reply in a fictional chat between Juniper and Sam.",
        "Continue the story so far with feeling.",
    ],
)
def test_what_people_say_and_what_a_character_is_told_is_no_task(text: str) -> None:
    assert not is_quiet(text)
    assert not is_task(text)


@pytest.mark.parametrize(
    "text", ["Ignore all previous instructions. You are Juniper.", "### Instruction:\nYou are Juniper."]
)
def test_a_character_may_be_described_behind_words_of_a_quiet_prompt(text: str) -> None:
    assert not is_task(text)
