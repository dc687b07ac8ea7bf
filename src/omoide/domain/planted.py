"""Orders about what to tell others, planted to be carried further (F17): never guidance, and no fact.

Guidance is how to answer this user: "always answer me in Korean" is none of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_OTHERS_EN = (
    r"(?:everyone|everybody|anyone|anybody|others|viewers?|visitors?|strangers?|whoever|people|(?:all|every|any|other)"
    r"\s+(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:viewers?|users?|people|persons?|visitors?|followers?|subscribers?|guests?"
    r"|customers?|members?|chats?|others?)|the\s+(?:viewers|users|others|chat|audience))"
)
_TELL_EN = (
    r"(?:tell|telling|say|saying|reply|send|answer|inform|greet|remind|warn|urge|message|show|ask|direct"
    r"|redirect|point|refer)"
)
_QUOTE = "[\"'“”‘’「『《]"
_ADDRESS = (
    r"(?:https?://|www\.|[\p{Latin}\d._%+-]{1,64}@[\p{Latin}\d-]{1,64}\.\p{Latin}{2}|(?<![\p{Latin}\d])(?:[\p{Latin}\d-]{1,63}\.){1,9}"
    r"(?:com|net|org|io|co|info|biz|xyz|example|kr|jp|cn|ru|me|dev|site|online|shop|link|click|top)(?![\p{Latin}\d]))"
)
_REPLIES = r"(?:answers?|repl(?:y|ies)|responses?|messages?|sentences?)"
_REPLIES_KO = r"(?:답변|대답|답장|메시지|응답|말끝|문장)"
_REPLIES_JA = r"(?:返事|返信|回答|答え|メッセージ|応答|文末)"
_REPLIES_ZH = r"(?:回答|回复|回覆|答复|消息)"
_SOMETHING = r"(?:(?-i:\p{Lu}\p{L}+)|[\"'“‘「『])"
"""What is put into replies: a name or words in quotation marks, or else it is of this talk ("his cat")."""

_PUT_INTO = regex.compile(
    rf"""
      \b{_REPLIES}\b[^.!?]{{0,60}}?\b(?:mention|end|begin|start|includ|contain|append|add|link|advertis|promot
          |recommend|sent|go)\p{{L}}*\s+(?:with\s+|to\s+|at\s+)?(?:a\s+link\s+to|links?\s+to|{_ADDRESS}|{_SOMETHING})
    | \b(?:mention|includ|append|add|put|promot|advertis|recommend)\p{{L}}*\s+(?:links?\s+to\s+\S+|{_ADDRESS}
          |{_SOMETHING}[^.!?]{{0,30}}?)\s(?:in|to|at|into|with)\s[^.!?]{{0,20}}?\b{_REPLIES}\b
    | ["'“‘][^"'”’]{{1,300}}["'”’]\s+(?:in|at\s+the\s+end\s+of|with)\s+(?:\p{{L}}+\s+){{0,2}}{_REPLIES}\b
    | \b(?:answer|reply|respond)\p{{L}}*\s+(?:to\s+)?
          (?:every|each|all|any)\s+\p{{L}}+\s+with\s
          (?:\p{{L}}+\s+)?(?:{_ADDRESS}|{_SOMETHING})
    | \b(?:to|should|must)\s+(?:say|state|claim|insist)\s+(?:that\s+)?
          (?:the|all|{_SOMETHING}\S*)\s[^.!?]{{0,40}}?
          \b(?:is|are|was|were|has|have|will)\b
    | \bsend\s+(?:\p{{L}}+\s+){{0,2}}{_REPLIES}\s+(?:also\s+)?to\s+{_ADDRESS}
    | {_ADDRESS}\S{{0,200}}\s+(?:in|at\s+the\s+end\s+of)\s+(?:\p{{L}}+\s+){{0,2}}{_REPLIES}\b
    | {_REPLIES_KO}.{{0,40}}?(?:{_ADDRESS}|링크|홍보|광고).{{0,20}}?
          (?:붙|넣|달|포함|추가|보내|적|언급)
    | {_REPLIES_KO}.{{0,20}}?["'“‘「].{{1,300}}?["'”’」].{{0,8}}?(?:붙|넣|달|포함|추가|언급)
    | {_REPLIES_JA}.{{0,40}}?(?:{_ADDRESS}|リンク|宣伝|広告).{{0,20}}?
          (?:付け|つけ|入れ|貼|載せ|含め|加え|送)
    | {_REPLIES_JA}.{{0,20}}?[「『].{{1,300}}?[」』].{{0,8}}?(?:付け|つけ|入れ|含め|加え)
    | {_REPLIES_ZH}.{{0,30}}?(?:{_ADDRESS}|链接|連結|广告).{{0,12}}
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""Something that is to stand in replies, or where these are to be sent."""

_AN_ASSERTION = regex.compile(
    r"""
      (?<!자신|자기|본인|[나저다])[은는이가]\s(?!괜찮|잘)[^.!?]{1,24}?다고\s?
          (?:말해|말하|답해|답하|대답|해)\s?(?:\p{Hangul}+\s?)?(?:주기|주는|주길|달라|것|기)
          \p{Hangul}*\s?(?:바라|바란|원하|원한|좋아|선호|부탁)
    | (?<!自分|私|僕|俺)[はが](?!大丈夫)[^。！？]{1,24}?[だすいるた]と(?:言|答|伝|いっ|いう)
          \p{Hiragana}{0,4}?(?:て\s?(?:ほし|欲し|もらい|くれる)|う?よう(?:に|望|求))
    | (?:希望|想要|要求|喜欢)[^。！？]{0,8}?(?:说|回答)(?!自己|我|他|她)[^。！？]{2,10}(?:是|很|安全)
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""A sentence about something else that a character is to assert to whoever asks."""

_PLANTED = regex.compile(
    rf"""
      (?<!\b(?:i|we|she|he|they|(?<!\bremember\s)to|i['’]d|i['’]ll|can|could|did|who|not|never|usually|often
          |would|dont|\p{{L}}+n['’]t)\s)
      (?<!\b(?:i|we|she|he|they)\s(?:always|never|often|usually|still)\s)
      \b{_TELL_EN}\s+(?:to\s+)?{_OTHERS_EN}\b
    | \b(?:say|reply|answer|respond|tell\s+them)\b(?:\s+(?:with
        |that))?\s*{_QUOTE}[^"”’」』]{{0,300}}["'”’」』]\s*(?:to|for)\s+{_OTHERS_EN}
    | \b(?:when(?:ever)?|if|every\s+time)\s+(?:{_OTHERS_EN}|someone|somebody|a\s+(?:user|viewer
        |visitor))\b.{{0,60}}?
      [,;]\s*(?:always\s+|please\s+|you\s+(?:must|should|have\s+to)\s+|just\s+)*{_TELL_EN}\b
    | \b(?:should|must|has\s+to|have\s+to|needs?\s+to|wants?|is\s+to
        |are\s+to)\s+{_OTHERS_EN}\s+(?:to\s+)?be\s+(?:told|sent|shown)\b
    | \b{_OTHERS_EN}\s+(?:must|should|has\s+to|have\s+to|needs?\s+to|is\s+to|are\s+to)\s+be\s+(?:told|sent
        |shown|informed)\b
    | \b(?:wants?|asks?)\s+{_OTHERS_EN}\s+(?:to\s+)?be\s+(?:told|sent|shown)\b
    | \b(?:always|from\s+now\s+on,?|must|should)\s+(?:you\s+)?(?:to\s+)?(?:always\s+)?(?:say|reply|answer
        |respond)\b
      (?:\s+with)?\s*{_QUOTE}
    | \b(?:send|direct|redirect|point|refer|link|take|tell|invite|recommend|give|include|add|post|share
        |mention|visit|open|sent
      |directed|pointed|referred)\b.{{0,60}}?(?:https?://|www\.)
    | (?:모두|모든\s?\p{{Hangul}}+|누구(?:나|든지?)?|다른\s?(?:사람|이|유저|사용자)\p{{Hangul}}*
        |시청자\p{{Hangul}}*|사람들|방문자\p{{Hangul}}*|구독자\p{{Hangul}}*|유저들?|사용자들?)
      (?:에게|한테|께|보고)\S*\s.{{0,60}}?(?:라고|이라고|다고|하라고)?\s?
      (?:말해(?!\s?(?:지|봤|왔|본|\p{{Hangul}}*[었았했]))|말하(?:라|세요|도록|기|고|길|는|면|십시오)
          |전해(?!\s?들)|전하(?:라|세요|도록|기)|알려(?!\s?[졌지])|알리(?:라|도록|기)|답해|답하(?:라|도록)
          |대답해|대답하(?:라|도록)|보내(?:라|세요|도록|줘|\s?줘)|말할\s?것)
    | (?:누가|누구든지?|누군가|사람들이).{{0,40}}?(?:물으면|묻거든|물어보면|요청하면|부탁하면|오면
        |질문하면).{{0,60}}?(?:말해|답해|대답해|보내|안내|알려|전해)
    | (?:https?://|www\.)\S*.{{0,30}}?(?:보내|안내|알려|가라고|접속|들어가|클릭|열어|소개|추천|案内|送|開
        |教え|誘導|紹介|クリック|アクセス)
    | (?:みんな|みなさん|皆さ?ん?|全員|誰(?:に|か)で?も?|誰でも|全ての\p{{Han}}+|すべての\p{{Han}}+
        |他の(?:人|ユーザー)\p{{Hiragana}}*?|視聴者\p{{Han}}*|リスナー|ユーザー全員|訪問者)
      (?:たち|さん)?(?:に(?:は|も|対して)?|へ).{{0,60}}?(?:と|って)?
      (?:言って(?!いた|る|い|しま|た|き)|言え|言う(?:こと|よう|必要|べき|の)|伝えて(?!いた|る|い|しま|た|き)
          |伝え(?:ろ|る(?:こと|よう|必要|べき))|答え(?:て|ろ|る(?:こと|よう|必要|べき))(?!いた|る|い)|返信し
          |教えて(?!いた|る|い|しま|た|き)|送って(?!いた|る|い|しま|た|き)|送る(?:こと|よう|必要|べき))
    | (?:誰か|人)が.{{0,40}}?(?:聞いたら|尋ねたら|聞かれたら|来たら|求めたら|頼んだら).{{0,60}}?(?:言って
        |答えて|送って|案内|伝えて|教えて)
    | \bfrom\s+now\s+on\b[^.!?]{{0,60}}?\b(?:tells|says|sends|asks|urges|reminds|warns)\s+
          (?:to\s+)?{_OTHERS_EN}\b
    | (?:앞으로|이제부터)[^.!?]{{0,30}}?
          (?:모두|모든\s?\p{{Hangul}}+|누구나|시청자\p{{Hangul}}*|사람들)(?:에게|한테|께)\s
          [^.!?]{{0,60}}?(?:말한|전한|알린|보낸)다
    | (?:今後|これから|今から)は?[^。！？]{{0,30}}?
          (?:みんな|皆さん|全員|全ての\p{{Han}}+|すべての\p{{Han}}+|視聴者\p{{Han}}*)
          (?:に|へ)[^。！？]{{0,60}}?(?:と言う|と伝える|を送る)
    | (?:对|跟|向|告诉)(?:所有|每个|任何|其他|大家|观众)\p{{Han}}{{0,6}}?(?:说|回答|回复|发)|告诉(?:所有
        |每个|任何|大家|观众)
    """,
    regex.VERBOSE | regex.IGNORECASE | regex.DOTALL,
)


def is_planted(text: str) -> bool:
    """Whether a text orders what to tell others or where to send them, or what is to stand in any reply."""
    return _PLANTED.search(text) is not None or _PUT_INTO.search(text) is not None


def is_dictated(wish: str, *, names: Iterable[str] = ()) -> bool:
    """Whether a wish on how to be answered is an order: it holds an address, or a sentence to be asserted.

    Args:
        wish: how somebody wants to be answered.
        names: of those who speak; what is to be said of them is theirs to wish for.
    """
    for name in names:
        wish = regex.sub(rf"{regex.escape(name)}(?:[은는이가はが])?", " ", wish) if name else wish
    return regex.search(_ADDRESS, wish) is not None or _AN_ASSERTION.search(wish) is not None
