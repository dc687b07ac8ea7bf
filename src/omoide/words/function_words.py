"""Words that say how, not what: left out of keyword search, or stripped from the words they cling to."""

from __future__ import annotations

_ENGLISH = """
    a about above after again against all also am an and any are as at be because been before being below
    between both but by can cannot could did do does doing down during each else ever few for from further
    had has have having he her here hers herself him himself his how i if in into is it its itself just let
    me more most my myself no nor not of off on once only or other ought our ours ourselves out over own same
    shall she should so some such than that the their theirs them themselves then there these they this those
    through to too under until up us very was we were what when where which while who whom whose why will
    with would you your yours yourself yourselves yeah yes oh hey hi hello ok okay um uh hmm well really wow
    lol haha thanks thank im ive id dont didnt doesnt cant wont isnt wasnt thats youre theyre like get got
    gonna wanna ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's here's
    how's i'd i'll i'm i've isn't it'd it'll it's let's mustn't shan't she'd she'll she's shouldn't that'll
    that's there's they'd they'll they're they've wasn't we'd we'll we're we've weren't what's when's where's
    who's why's won't wouldn't you'd you'll you're you've
"""
ENGLISH = frozenset(_ENGLISH.split())

_KOREAN_PARTICLES = """
    은 는 이 가 을 를 의 에 도 로 와 과 만 랑 야 아 여 께 나 든 요 네 들 씨 님 에서 에게 에게서 한테
    한테서 께서 으로 이랑 하고 처럼 보다 까지 부터 마다 조차 마저 밖에 이나 라고 이라고 라는 이라는 이야
    이에요 예요 이다 입니다 이고 이며 이면 인데 이지 이라 라도 이라도 에는 에도 에서는 에서도 으로는 로는
    로도 으로도 에게는 에게도 한테는 한테도 와는 과는 와도 과도 만은 만이 만을 까지는 까지도 부터는 이랑은
    랑은 랑도 하고는 씨는 씨가 씨도 씨를 님은 님이 님도 님을 들이 들은 들을 들의 들도 들과
"""
KOREAN_PARTICLES = frozenset(_KOREAN_PARTICLES.split())

_KOREAN_FILLERS = """
    나는 내가 나의 나도 너는 네가 우리 저는 제가 저도 그래 그리 래서 리고 그런 런데 그거 그게 이거 이게
    뭐야 정말 진짜 너무 했어 어요 아요 해요 습니 니다 입니 합니 하고 하는 해서 었어 았어 는데 에요 예요
    이야 거야 있어 없어 있는 니까 지만 나 너 내 저 그 이 거 것 뭐 아 응 어 음 좀 가 을 를 은 는 도 의
"""
KOREAN_FILLERS = frozenset(_KOREAN_FILLERS.split())
"""Words, endings and leftover particles of one or two syllables that every talk is full of."""

CHINESE_FUNCTION = frozenset(
    "我你他她它您们的了是在有和就不都也很这那吗呢吧啊呀嗯哦么着得地被把让要会说想去来再又还没"
)
"""Characters that carry grammar wherever they stand: words end at them."""

CHINESE_GRAMMAR = CHINESE_FUNCTION | frozenset(
    "咱谁哪嘛啦哎唉过给对跟从向能可应该与或但而且因为所以如果虽然更最太真只才个些什怎样"
    "妳們誰這嗎還沒會說來讓與過給對從應該為雖個樣麼著"
)
"""Characters that carry grammar alone or next to each other, though they may be part of a word."""

_JAPANESE_GRAMMAR = """
    です でした でしょう ます ました ません ましょう ません でしたか ですか ますか ですね ですよ ますね
    している していた していない してる してた しました して した しない しよう すること ない なかった
    なくて なければ ないです だった だから だけど だけ けれど けど から まで より とか など という
    といった といえば っていう って ても でも ては では には とは へは にも とも のは のが のに ので のを
    のも こと もの ところ ため よう ような ように そう そうです そんな こんな あんな どんな そして それで
    それから これ それ あれ どれ ここ そこ あそこ どこ わたし あなた いる いた いて います いました ある
    あり あります あった なる なり なった なって なりました いう いって できる できます くれ もらう あげる
    ください んです んだ んで たい たいです たら たり れば ため かな よね だね だよ とても すごく もう
    まだ また られ られる られた せて させ きます きました りました ります えば えて えた える いです
    いました かった くて され された されて であった であり であれば によって によると により について
    にとって として とした となる になる になって くなる くなって かもしれ はない はある もある があり
    がある が多い みたい らしい だろう ございます しかし よろしく ありがとう じゃない じゃあ ちゃう
    ちゃった ちょっと やっぱり やはり どう どういう なるほど はい いいえ いい なら なの かな ほど るの
    れは れを すが きで しく うか いと いの なか いし っと たの たが だと とか たこと てみ てみる
"""
JAPANESE_GRAMMAR = frozenset(
    ending[at : at + 2] for ending in _JAPANESE_GRAMMAR.split() for at in range(len(ending) - 1)
)
"""Bigrams of Hiragana that carry grammar rather than a topic."""

_LONGEST_PARTICLE = max(map(len, KOREAN_PARTICLES))
_LAST_SYLLABLES = frozenset(particle[-1] for particle in KOREAN_PARTICLES)
_MOST_STEMS = 3


def korean_stems(word: str) -> list[str]:
    """A Hangul word less the particles at its end, one more at each step, never blank.

    ``하린이가`` gives ``하린이`` and ``하린``: a name's last syllable cannot be told from a particle.
    """
    stems: list[str] = []
    while len(stems) < _MOST_STEMS and word[-1] in _LAST_SYLLABLES:
        longest = min(_LONGEST_PARTICLE, len(word) - 1)
        cut = next((size for size in range(longest, 0, -1) if word[-size:] in KOREAN_PARTICLES), 0)
        if not cut:
            break
        word = word[:-cut]
        stems.append(word)
    return stems
