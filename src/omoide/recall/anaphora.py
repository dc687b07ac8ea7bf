"""Messages that point back without naming anything: "그거 어떻게 됐어?", "あれは?", "what about him?"."""

from __future__ import annotations

import re
from typing import Literal

from omoide.domain.text import fold

Vagueness = Literal["anaphora", "vague"]

_SIGNS = re.compile(r"[\W_]+")
_APOSTROPHES = re.compile(r"['’]")
_JAMO = re.compile("[ㄱ-ㅣ]+")
_HANGUL = re.compile("[가-힣]")
_CJK = re.compile("[぀-ヿ㐀-鿿]")

# Korean words carry particles and endings, so that they are told by stem and ending.
_KO_ANAPHORS = """
    그거 그것 그건 그게 그걸 그때 그날 그곳 거기 그쪽 그녀 그들 걔 걔네 걘 쟤 얘 아까 방금 저번 지난번
    전번 이거 이것 이건 이게 이걸 저거 저것 저건 저게 저걸 그애 그분 그중 그다음
"""
_KO_THINGS = """
    사람 분 애 친구 남자 여자 놈 녀석 아이 언니 오빠 형 누나 일 얘기 이야기 말 날 때 후 뒤 전 다음 곳 데
    집 가게 식당 카페 영화 노래 책 게임 드라마 음식 시험 회사 선생님 거 것 건 게 걸 쪽 문제 부분
"""
_KO_WORDS = """
    뭐 뭘 뭔 뭔데 무슨 무엇 누구 누가 누굴 언제 어디 어딜 어느 어떤 왜 몇 얼마 어떻게 어떡해 어떡하지
    어쩌지 어째서 나 난 내 날 너 넌 네 니 널 우리 저 전 제 당신 자기 그 이 거 것 건 게 걸 데 때 수 줄 적
    번 중 쪽 말 일 얘기 이야기 더 또 다시 먼저 이제 아직 벌써 그럼 그래 그래서 근데 그런데 그리고 하지만
    응 음 아 어 오 흠 헐 진짜 정말 좀 잘 안 못 다 막 꼭 혹시 그냥 계속 결국 대체 도대체 대해 대해서 관해
    그렇게 이렇게 나중에 여기 요즘
"""
_KO_PARTICLES = """
    은 는 이 가 을 를 의 도 만 에 에서 에게 한테 께 랑 이랑 하고 과 와 로 으로 부터 까지 보다 처럼 들 야
    요 말이야 말인데 인데 였지 였어 였더라 였나 이었지 이었어 지 죠 네 구나 라고 라니 란 이란 라도 나 마다
"""
_KO_STEMS = """
    하 해 했 한 할 함 되 돼 됐 된 될 있 없 가 갔 간 갈 오 와 왔 온 올 보 봐 봤 본 볼 알 아 몰 모르 말하
    말했 말해 말한 말할 얘기하 얘기했 얘기해 얘기한 생각 생각하 생각해 생각했 생각나 생각났 기억 기억하
    기억해 기억나 기억났 좋 좋아하 좋아해 좋아했 싫 싫어하 주 줘 줬 받 사 샀 산 살 만나 만났 만날 끝나
    끝났 나오 나왔 지내 지냈 먹 마시 마셨 쓰 썼 들 듣 괜찮 궁금 궁금하 궁금해 맞 그러 그랬 그런 그렇 그럴
    이러 이랬 이런 저런 어떠 어떤 어땠 어때 어떨 어쨌 재밌 재미있 나 났 불 부르 어쩌 계속하 계속해 싶
"""
_KO_ENDINGS = """
    어 아 여 었 았 였 겠 시 셨 는 은 은데 을 까 던 지 니 나 냐 게 고 구나 네 데 대 래 려 면 서 야 요 죠 줘
    다 라 더라 거 건 걸 군 음 기 도 만 잖 싶 줄 수 했 해 하지 한 할 함 봐 봤 습니다
"""
# These only look like a short word with a particle or an ending: 나이 is no 나 + 이.
_KO_NAMING = "나이 아이 오이 하나 사이 나라 보라 가지 가게 고기 사고 가수 사수 주사"


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


_KO_POINTING_WORD = re.compile(f"{_any(_KO_ANAPHORS)}{_any(_KO_PARTICLES)}*")
_KO_POINTING = re.compile(
    rf"(?<!\S)(?:그|저|이|아까|방금|저번에?|지난번에?)\s(?:그\s)?{_any(_KO_THINGS)}{_any(_KO_PARTICLES)}*(?!\S)"
)
_KO_COMMON_WORD = re.compile(
    f"(?!{_any(_KO_NAMING)})(?:{_any(_KO_WORDS)}{_any(_KO_PARTICLES)}*|{_any(_KO_STEMS)}{_any(_KO_ENDINGS)}*)"
)

_JA_ANAPHORS = """
    それ あれ これ そいつ あいつ こいつ さっき 先ほど さきほど あの時 あのとき その時 そのとき あの人
    その人 あの子 その子 あの方 その方 彼 彼女 彼ら 彼女ら あの件 その件 例の件 あの話 その話 さっきの話
    この前の この間の あの後 その後 そのあと あのあと そこ あそこ あっち そっち あの日 その日 あの店
    その店 あの映画 その映画 あの曲 その曲 あの本 その本 あのゲーム そのゲーム あのこと そのこと あの事
    その事 あんな そんな
"""
_JA_FUNCTION = """
    は が を に で と の も へ や か ね よ な わ さ ぞ から まで より って っけ っていう という ては では
    には とは けど けれど のに ので し です ます でした ました だ だった だっけ でしたっけ だろう でしょう
    だよ なの なん なに 何 なんで なぜ どう どうして どこ 何処 どれ どっち どの どんな いつ だれ 誰 何時
    いくつ いくら もう まだ また ちょっと やっぱり やっぱ 結局 本当 本当に ほんと ほんとに じゃあ じゃ
    でも それで で そして うん ううん ねえ ねぇ あの えっと ところで 私 わたし 俺 僕 あなた 君 きみ こと
    事 もの 物 話 人 時 とき 方 ほう ため よう みたい した して する しよう すれば しました します しない
    したい したら してる している してた される された なった なる なって なりました なっちゃった なってる
    いる いた いて います いました ある あった あります ありました ない なかった ないの 言った 言って 言う
    言ってた 言いました いった いって いう 思う 思った 思って 思います 見る 見た 見て 行く 行きたい 行った
    行って 来る 来た きた 食べる 食べた 聞く 聞いた 聞いて 知ってる 知っている 知らない 覚えてる
    覚えている 覚えてた 分かる わかる 分かった わかった 教えて ください くれる くれた 下さい 会う 会った
    会って 好き 嫌い いい 良い よかった 良かった どうした どうしたら どうすれば どうしよう どうなった
    どうだった どんなの 終わった 始まった 買った 買う 大丈夫 元気 面白かった 楽しかった の話 続き 詳しく w
    ww www 笑 草 先に まず 最初 次 一番 つまり んだ んです の? んの たの てる た る ん
"""
_ZH_ANAPHORS = """
    那个 那個 这个 這個 那件事 这件事 那事 这事 那时 那時 那时候 那時候 那天 刚才 剛才 刚刚 剛剛 之前 上次
    他 她 它 他们 她们 它们 他們 她們 它們 那个人 那個人 那人 那家伙 那边 那邊 那里 那裡 那儿 那部 那本
    那家 那家店 那部电影 那部電影 那首歌 那本书 那本書 那位 那些 这些 這些
"""
_ZH_FUNCTION = """
    的 了 吗 嗎 呢 吧 啊 呀 嘛 么 是 不是 有 没有 沒有 没 沒 不 也 都 还 還 又 再 就 才 很 太 跟 和 与 对
    對 在 到 去 来 來 给 給 把 被 让 讓 叫 会 會 能 要 想 可以 怎么 怎麼 怎样 怎樣 怎么样 怎麼樣 什么 什麼
    为什么 為什麼 为啥 谁 誰 哪 哪里 哪裡 哪儿 哪个 哪個 多少 几 幾 我 你 您 我们 你们 我們 你們 咱们 自己
    说 說 说过 說過 讲 講 做 干 办 辦 看 看到 吃 喝 买 買 见 見 知道 记得 記得 喜欢 喜歡 觉得 覺得 后来
    後來 然后 然後 现在 現在 结果 結果 先 该 該 应该 應該 事 人 话 話 事情 时候 時候 过 過 得 着 著 好
    好吗 真的 其实 那 这 這 起来 起來 住 走 最后 最後 嗯 哦 唉 一下
"""
_EN_ANAPHORS = """
    that this it those these he him his she her hers they them their theirs earlier before then there
    thats its hes shes theyre other
"""
_EN_FUNCTION = """
    the a an one ones thing things stuff guy person what whats which who whos whom whose when where why
    how hows i im me my mine you your youre yours we us our is are was were be been being am do does did
    doing done doesnt didnt dont isnt wasnt have has had having can could cant will would wont should
    shall may might must and or but so if of to for from in on at by with about as up out again also too
    still yet just really very more else ever now ok okay oh well hm hmm please not no yes yeah like likes
    liked love loves loved want wants wanted wanna say says said tell told mean means meant think thinks
    thought know knows knew remember happen happens happened happening go goes going gone went come came
    get got gets make made see saw look looks looked feel feels felt take took work worked works end ended
    first start same sure right talk talking talked go gonna let lets eat ate buy bought some any all
"""


def vagueness(message: str) -> Vagueness | None:
    """Tell whether a message lacks a word of its own to search for.

    "anaphora" points back (그거 어떻게 됐어?, さっきの話は?, "what about him?"); "vague" only asks
    (뭐부터 하지?). A message that names something new is neither, whether or not it points back too.
    """
    words = _SIGNS.sub(" ", fold(_JAMO.sub(" ", _APOSTROPHES.sub("", message)))).strip()
    if _HANGUL.search(words):
        return _vague_korean(words)
    if _CJK.search(words):
        return _vague_unspaced(words.replace(" ", ""))
    return _vague_english(words.split())


def _vague_korean(words: str) -> Vagueness | None:
    rest = _KO_POINTING.sub(" ", words)
    pointed = rest != words
    for word in rest.split():
        if _KO_POINTING_WORD.fullmatch(word):
            pointed = True
        elif not _KO_COMMON_WORD.fullmatch(word):
            return None
    return "anaphora" if pointed else "vague"


_POINTING = frozenset(_EN_ANAPHORS.split())
_COMMON = _POINTING | frozenset(_EN_FUNCTION.split())


def _vague_english(words: list[str]) -> Vagueness | None:
    if not words or not _COMMON.issuperset(words):
        return None
    return "vague" if _POINTING.isdisjoint(words) else "anaphora"


_UNSPACED_ANAPHORS = frozenset((_JA_ANAPHORS + _ZH_ANAPHORS).split())
_UNSPACED = _UNSPACED_ANAPHORS | frozenset((_JA_FUNCTION + _ZH_FUNCTION).split())
_LONGEST = max(map(len, _UNSPACED))


def _vague_unspaced(text: str) -> Vagueness | None:
    """Whether the text can be spelled with listed words alone, tried from every place that others reach."""
    pointed: dict[int, bool] = {0: False}
    for start in range(len(text)):
        if start not in pointed:
            continue
        for end in range(start + 1, min(start + _LONGEST, len(text)) + 1):
            word = text[start:end]
            if word in _UNSPACED:
                points = pointed[start] or word in _UNSPACED_ANAPHORS
                pointed[end] = pointed.get(end, False) or points
    if len(text) not in pointed or not text:
        return None
    return "anaphora" if pointed[len(text)] else "vague"
