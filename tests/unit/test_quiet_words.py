"""How quiet prompts of clients are worded, and what people and characters say that looks like one."""

import pytest

from omoide.server.proxy.quiet import is_aside, is_proactive, is_quiet, is_task, says_who


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
        "Generate a concise, 3-5 word title with an emoji summarizing the chat history.",
        "Provide a concise, 5-word-or-less title for the conversation, using title case conventions.",
        "Translate the following text to Korean.\n\nUser: I love tea\nAssistant: So do I",
        "Write a summary in one line.\n<chat_history>\nUSER: hi\n</chat_history>",
        "[Pause your roleplay. Summarize the most important facts in the story so far.]",
        "[Pause your roleplay and provide ONLY the last chat message string back to me verbatim.]",
        "Pause your roleplay and provide a detailed description of the last scene.",
        "[In the next response I want you to provide only a comma-delimited list of keywords.]",
        "[Write the next reply only as Kai.]",
        "[System: Sam has been silent for a while. Juniper should say something.]",
        "### 작업:\n다음 대화의 제목을 지어 주세요.\n<chat_history>\nUSER: 안녕\n</chat_history>",
        "### タスク:\n以下の会話に短いタイトルを付けてください。",
        "### 任务：\n为以下对话生成标题。",
        "以下の会話に短いタイトルを付けてください。\nUSER: こんにちは",
        "请帮我总结以下对话。\n用户：你好",
        'Query: History:\nUSER: """hi"""\nASSISTANT: """hello"""\nQuery: what time is it?',
    ],
)
def test_where_the_user_speaks_a_task_is_a_prompts_if_it_names_the_talk_as_a_program_does(text: str) -> None:
    assert is_quiet(text)


@pytest.mark.parametrize(
    "text",
    [
        "Translate the following text to Korean: I love my grandmother Rosa.",
        "Translate the last message into Korean, please.",
        "Identify the mood of this song for me: Clair de Lune",
        "Write a summary of the book I wrote, it is called Lighthouse.",
        "Write a summary of the discussion we had at my office.",
        "Please summarize the following conversation I had with my sister Anna.",
        "Summarize the whole story of Moby-Dick, please.",
        "Suggest a title for the song about Rosa.",
        "Pause your roleplay for a sec, my mom just died.",
        "[Describe my new dress to Kai, it is red]",
        "### Task: buy milk, remind me on Friday",
        "Please say something nice, my dog died.",
        "Say something fitting for the present situation.",
        "Say something appropriate for the current context, my dog died.",
        "지금 상황에 맞는 말을 해 주세요",
        "今の状況に合う言葉を言ってください",
        "Say something in Korean that is appropriate for a wedding.",
        "다음 대화 주제는 내 여동생 이야기로 정리해 줘",
        "아래 내용을 영어로 번역해 줘: 할머니 사랑해요",
        "다음 이야기 요약해 줘, 로사 할머니가 쓴 거야",
        "이 노래의 분위기를 분석해 줘: 달빛",
        "우리가 나눈 위 대화를 정리해 줘",
        "지금 내 상황에 맞는 말을 해 줘",
        "### 작업: 금요일에 우유 사기",
        "次の会話は妹の話でまとめてください",
        "次の会話の話題は妹の話でまとめてください",
        "以下の文章を韓国語に翻訳してください：祖母が大好きです",
        "私の友達との次の会話をまとめてください",
        "この曲の感情を判断してください",
        "请翻译下面的内容：我爱我的奶奶",
        "下面的聊天我想总结一下我妹妹的事",
        "请总结一下我写的书，叫《灯塔》",
        "请说一个适合婚礼的故事",
    ],
)
def test_what_people_ask_for_is_theirs(text: str) -> None:
    assert not is_quiet(text)
    assert not is_proactive(text)


@pytest.mark.parametrize(
    "text",
    [
        "Please say something that would be engaging and appropriate for the current context.",
        "Say something fitting for the current conversation.",
        "현재 상황에 어울리는 말을 먼저 건네 보세요.",
        "지금 대화 맥락에 맞는 흥미로운 이야기를 해 주세요.",
        "現在の文脈に合った面白いことを話してください。",
        "请说一些适合当前情境的话。",
    ],
)
def test_a_prompt_to_speak_by_itself_is_quiet(text: str) -> None:
    assert is_proactive(text)
    assert is_quiet(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Write the next reply only as Rin.]",
        "Write only Rin's next reply.",
        "[다음 답장은 하루로서만 작성하세요.]",
        "[次の返信はハルとしてのみ書いてください。]",
        "[只以小雨的身份写下一条回复。]",
    ],
)
def test_an_instruction_that_says_who_speaks_is_one_for_the_reply(text: str) -> None:
    assert says_who(text)
    assert not is_aside(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Write your next reply in the style of a letter.]",
        "[System note: Juniper is tired today.]",
        "[Describe what Juniper smells and hears.]",
        "### Instruction:\nWrite two short paragraphs.",
    ],
)
def test_an_instruction_that_says_how_is_one_for_the_reply(text: str) -> None:
    assert not is_aside(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Write your next reply from the point of view of Sam, using the chat history so far.]",
        "[Pause your roleplay. Summarize the most important facts.]",
        "Summarize the conversation so far.",
        "### Task:\nGenerate a title.",
    ],
)
def test_an_instruction_that_asks_for_something_else_is_none_for_the_reply(text: str) -> None:
    assert is_aside(text)
    assert not says_who(text)


def test_choosing_tools_is_a_task_behind_any_list_of_them() -> None:
    tools = "Available Tools: " + str([{"name": f"tool_{n}", "description": "Does it."} for n in range(200)])
    task = "Your task is to choose and return the correct tool(s) from the list of available tools."
    assert is_task(f"{tools}\n\n{task}")
    assert not is_task(f"{tools}\n\nYou are Mao. Choose the correct tool, or answer yourself.")


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
