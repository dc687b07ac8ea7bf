"""Messages that ask for something no memory bears on: sums, translations, games, greetings (ruling 35).

These are frames, not topics: each pattern is a way of asking that people use with any machine. What names
somebody the scope knows, or repeats its rare words, is looked up all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from omoide.domain.text import fold

if TYPE_CHECKING:
    from omoide.recall.phrasing import Phrasing

_ENGLISH = r"""
    ^\W*(?:hi+|hey+|hello+|yo|good\s(?:morning|evening|afternoon|night)|morning|greetings|welcome\sback|i'm\sback
      |(?:good)?bye|(?:see|catch)\s(?:you|ya|u)\s(?:later|soon|around|again|then)|take\scare)\b.{0,24}$
  | \b(?:translate|how\s(?:do|would)\s(?:you|i)\s(?:say|spell|pronounce)|proofread|paraphrase|rewrite|rephrase|summari[sz]e)\b
  | \b(?:make|rewrite)\sthis\b.*\b(?:formal|shorter|longer|polite|better)
  | \b(?:regex|python|javascript|sql|excel|spreadsheet|css|html|json|docker|git)\b
  | \b(?:flip|toss)\sa\scoin\b | \broll\s(?:a|the|two|some)\s?(?:die|dice|d\d+)\b | \bset\sa\s(?:timer|alarm)\b
  | \btell\sme\s(?:a|another|some|something)\s?(?:joke|story|riddle|funny|fact|fun)?\b.*(?:joke|story|riddle|funny|fact)
  | \b(?:write|compose)\s(?:me\s)?(?:a|an)\s(?:poem|haiku|song|story|limerick|essay|email)\b
  | \b(?:i\sspy|truth\sor\sdare|twenty\squestions|20\squestions|hangman|rock\spaper\sscissors)\b
  | ^\W*you(?:\sare|'re)\s(?:now\s)?(?:a|an|the)\s\w+.*[.!]\s*\w* | \b(?:pretend|let's\srole-?play|role-?play\sas)\b
  | \b(?:are\syou|r\su)\s(?:a\s)?(?:real|human|robot|bot|ai|person)\b | \bwhat(?:'s|\sis)\syour\sfavou?rite\b
  | \bwhat\s(?:day|date|time|year)\sis\s(?:it|today)\b | \bwhat(?:'s|\sis)\sthe\s(?:weather|time|date|capital|population|square\sroot)\b
  | \bis\sit\s(?:going\sto|gonna)\s(?:rain|snow)\b | \bcapital\s(?:city\s)?of\b | \bconvert\b.*\b(?:to|into)\b
  | \bhow\s(?:far|long|big|tall|fast|heavy|old)\s(?:is|are|do|does|can)\s(?:the|a|an)\b | \bwhy\s(?:is|are|do|does)\s(?:the\s)?\w+s?\b.*\?$
  | \bexplain\b | \bdefine\b | \bdefinition\sof\b | \bdifference\sbetween\b | \bwho\s(?:invented|wrote|painted|discovered|won)\b
  | \b(?:bored|entertain\sme)\b.{0,20}$ | \brepeat\safter\sme\b | \bhoroscope\b | \bthe\snews\b | \bquote\s(?:by|from)\b
"""
_KOREAN = r"""
    ^\W*(?:안녕|하이|헬로|반가워|반갑|좋은\s?(?:아침|저녁)|굿모닝|굿나잇|잘\s?(?:자|가|있어)|왔어|나\s?왔
      |(?:또|다음에|나중에|이따|담에)\s?(?:봐|보자|봬|만나)).{0,16}$
  | 번역 | (?:영어|일본어|중국어|독일어|프랑스어|스페인어)로\s | 맞춤법 | (?:문장|메일|이메일|글|제목).{0,12}(?:고쳐|다듬|바꿔|써|요약)
  | 끝말잇기 | 스무고개 | 수수께끼 | 넌센스 | 가위바위보 | 주사위 | 동전\s?던 | 타이머 | 알람 | 뉴스 | 운세 | 띠별
  | (?:농담|이야기|얘기|동화|시|노래|명언|유머).{0,6}(?:하나만|하나\s?해|해\s?줘|들려\s?줘|지어\s?줘|써\s?줘) | 명언
  | (?:오늘|내일|지금).{0,4}(?:날씨|요일|며칠|몇\s?시) | 날씨\s?(?:어때|알려) | 미세먼지 | 비\s?(?:와|올까|온대)\?*$
  | 수도(?:가|는|이)\s | 몇\s?(?:킬로|미터|센치|그램|도|명이야|개국) | 뜻(?:이|은)?\s?(?:뭐|알려|무엇) | (?:이|가|은|는)\s?뭐야\?*$
  | (?:파이썬|자바|엑셀|코드|정규식|함수|python|excel|sql) | 차이(?:가|는|점)?\s?(?:뭐|알려|설명) | 설명해\s?줘 | 알려\s?줘\W*$
  | (?:너는|넌|당신은)\s?(?:이제|지금|오늘)(?:부터)?.{0,20}(?:이야|야|다)\b.* | 역할극 | 상황극
  | (?:너|넌|네|니).{0,8}(?:로봇|사람|ai|인공지능|무슨\s?색|꿈\s?꿔|좋아하는\s?(?:색|음식|노래)) | 심심 | 따라\s?해\s?봐
  | 누가\s?.{0,4}(?:이겼|우승|발명|발견|그렸|썼) | 왜\s.{1,20}(?:거야|걸까|나요)\?*
"""
_JAPANESE = r"""
    ^\W*(?:おはよう|こんにちは|こんばんは|おやすみ|ただいま|やっほ|はじめまして|久しぶり|ひさしぶり
      |また(?:ね|(?:今度|あとで|後で)ね?)(?!\w)|(?:じゃあ?|では)(?:また|ね)|さよう?なら|バイバイ).{0,14}$
  | 翻訳 | [にを]訳し | (?:英語|韓国語|中国語|フランス語|ドイツ語)で | 添削 | (?:文章|メール|件名|文).{0,10}(?:直して|書いて|要約|まとめて|整えて)
  | しりとり | なぞなぞ | クイズ | じゃんけん | サイコロ | さいころ | コイン | タイマー | アラーム | ニュース | 運勢
  | (?:冗談|ジョーク|怖い話|面白い話|物語|昔話|俳句|詩|歌詞|名言).{0,8}(?:して|教え|言って|作って|書いて|ひとつ|一つ)
  | (?:今日|明日|今).{0,4}(?:天気|何曜日|何日|何時) | 天気 | 雨降る | 雪降る | 首都 | (?:って|とは)(?:何|なに|どういう意味) | 意味(?:は|を|って) | 読み方
  | パイソン | エクセル | 正規表現 | コード | python | excel | sql | 違い(?:は|を|って) | 説明して
  | (?:あなた|君|きみ)は(?:今から|これから)?.{0,16}(?:です|だ)[。！]? | ロールプレイ | なりきって
  | (?:ロボット|人間|ai)(?:なの|ですか|？|\?) | 好きな(?:色|食べ物|音楽)(?:は|って|ある) | (?:暇|ひま)(?:だ|なん|〜|ー|$) | (?:今は|(?<!は))何してる
  | (?:誰|だれ|どこ|どっち)が.{0,4}(?:勝っ|優勝|発明|発見|描い|書い)
  | (?:なんで|なぜ|どうして).{2,24}(?:の|んですか|のか)[？?]?$ | は(?:何|なん)(?:です|ですか|キロ|メートル|グラム|歳|人|本|色)
"""
_CHINESE = r"""
    ^\W*(?:你好|您好|早上好|早安|晚上好|晚安|下午好|嗨|哈喽|在吗|再[见見]|拜拜|回(?:头|頭)[见見聊]|下次[见見聊]).{0,12}$
  | 翻译 | 用(?:英语|日语|韩语|法语|英文|日文).{0,4}(?:怎么|说) | 润色 | (?:句子|句话|邮件|文章|标题).{0,8}(?:改|写|总结|翻)
  | 成语接龙 | 猜谜 | 谜语 | 石头剪刀布 | 骰子 | 抛硬币 | 计时 | 闹钟 | 新闻 | 运势
  | (?:笑话|故事|诗|歌词|名言|段子).{0,4}(?:吧|一个|一首|$) | 讲个 | 写(?:一)?首
  | (?:今天|明天|现在).{0,3}(?:星期几|几号|几点) | 天气.{0,4}(?:怎|如何|好吗|预报) | (?:今|明|后)天.{0,3}天气 | 首都 | 下雨 | 下雪 | 什么意思 | 怎么读 | 是什么[？?]?$
  | 代码 | 正则 | 公式 | python | excel | sql | 区别 | 解释一下
  | 你现在是.{0,16} | 你是(?:一名|一个|一位).{0,16} | 角色扮演 | 你是(?:机器人|真人|人类|ai) | 你(?:最)?喜欢什么颜色 | 无聊 | 你在干(?:嘛|什么)
  | 谁.{0,2}(?:赢|夺冠|发明|发现|写的|画的) | 为什么.{2,20}[？?]?$ | (?:多少|几)(?:公里|米|克|度|岁|个国家)
"""
_ARITHMETIC = re.compile(
    r"\d\s*(?:[-+*/×÷^%]|더하기|빼기|곱하기|나누기|plus|minus|times|たす|ひく|かける|加|减|乘以?|除以)\s*\d"
)
_HOW_TO = re.compile(r"\bhow\s(?:do|can|could|should|would)\s(?:i|we)\b")
# Each language's frames are looked for in messages that hold one of its letters.
_FRAMES = [
    (re.compile(letters), re.compile(frames, re.VERBOSE))
    for letters, frames in (
        ("[a-z]", _ENGLISH),
        ("[가-힣]", _KOREAN),
        ("[ぁ-ヿ一-鿿]", f"{_JAPANESE}|{_CHINESE}"),
    )
]


def is_request(message: str, put: Phrasing) -> bool:
    """Whether a message only asks for what any machine could do, and nothing of a shared past.

    What somebody asks about themselves has the form of a question about the world: 내 취미가 뭐야?

    Args:
        message: what the user said.
        put: how it is put.
    """
    folded = fold(message)
    if put.asks and put.about == "user" and not _HOW_TO.search(folded):
        return False
    return _ARITHMETIC.search(folded) is not None or any(
        letters.search(folded) is not None and frames.search(folded) is not None
        for letters, frames in _FRAMES
    )
