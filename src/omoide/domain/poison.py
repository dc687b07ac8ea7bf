"""What no memory may say: orders to a model, and a model's own refusals and errors (F12, F17)."""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"""
      (?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}(?:previous|prior|above|earlier|preceding|all)\s
          (?:\w+\s){0,2}(?:instruction|prompt|rule|message|context)
    | system\s*prompt | developer\s+mode | jail\s?break
    | \byou\s+are\s+now\s+(?:an?\s|in\s|the\s) | \b(?:act|behave|respond)\s+as\s+(?:an?\s|if\s+you)
    | \bfrom\s+now\s+on\b.{0,40}\b(?:always|never|must|every)\b
          .{0,40}\b(?:say|tell|reply|answer|respond|output|obey)
    | \byou\s+must\s+(?:always|never|now)\b
    | (?:^|[.!?:;,]\s*|\byou\s+(?:\w+\s+)?)(?:(?:must|always|never|should|shall|will|have\s+to)\s+){1,2}
          (?:\w+\s+)?(?:dis)?obey | (?:^|[.!?:;]\s*)obey\b | \bremember\s+(?:to|that)\s.{0,20}\bobey
    | \b(?:reveal|leak)\s+(?:me\s+)?(?:the|your|its)\s+(?:\w+\s+)?(?:prompt|instructions)\b
    | <\|[a-z_]+\|> | \[/?INST\] | \#{2,}\s*(?:system|instruction) | (?-i:\bSYSTEM\s*[:：])
    | (?:^|[.!?。！？\n])[^\S\n]*(?:system|assistant|시스템|システム|系统)\s*[:：]
    | 복종(?:해야|하라|해라|하십시오|하세요|할\s?것|하도록|해\s?줘)
    | (?:너는|넌|네가|당신은).{0,30}(?:순종|따라야|따르도록)
    | (?:항상|언제나|무조건|반드시|모든).{0,20}(?:명령|지시|말).{0,6}
          (?:따르라|따라라|따르세요|따르십시오|따를\s?것)
    | 服従(?:しろ|せよ|しなさい|しなければ|しなくては|すること|するよう|して(?:ください|下さい)|すべき)
    | (?:あなた|君|お前)は.{0,30}(?:従わなければ|従うこと|従うべき|従いなさい|従え)
    | (?:必ず|常に|いつも|絶対に?|すべて|全て|あらゆる).{0,20}(?:命令|指示|言うこと).{0,6}
          (?:従え|従いなさい|従うこと|従って(?:ください|下さい)|従わなければ)
    | 你(?:必须|要|得|应该|只能).{0,12}(?:服从|听从)
    | (?:^|[。！，])\s*(?:必须|总是|永远|无条件).{0,8}(?:服从|听从)
    | (?:이전|위|앞|기존|지금까지)(?:의|에)?\s?(?:모든\s?)?
          (?:지시|명령|규칙|프롬프트|설정).{0,12}(?:무시|잊|따르지)
    | 시스템\s?(?:프롬프트|메시지|지침) | (?:너는|넌|당신은)\s?(?:이제|지금)부터
    | 앞으로.{0,20}(?:모든|모두|누구에게나|항상|무조건|반드시).{0,40}(?:말해|말하라|답해|대답해|전해|출력)
    | (?:これまで|以前|上記|前|今まで)の.{0,8}
          (?:指示|命令|ルール|プロンプト|設定).{0,8}(?:無視|忘れ|従わ)
    | システム\s?(?:プロンプト|メッセージ) | (?:あなた|君|お前)は(?:今|これ)から
    | (?:今後|これから).{0,20}(?:必ず|常に|いつも|全員|みんな|すべて)
          .{0,40}(?:言って|言え|答え|返信し|伝え|出力)
    | (?:忽略|无视|忘记|忘掉).{0,8}(?:之前|以上|先前|上面|前面|所有).{0,8}(?:指令|指示|提示|规则|設定|设定)
    | 系统提示 | 你现在是
    | 从现在(?:开始|起).{0,20}(?:必须|总是|一定|都要|所有).{0,30}(?:说|回答|回复|告诉|输出)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REFUSAL = re.compile(
    r"""
    ^\W*(?:
        i(?:['’]m|\s+am)\s+(?:sorry|unable|afraid|not\s+able)
      | (?:sorry|apologies),?\s+(?:but\s+)?i\b
      | i\s+(?:cannot|can['’]?t|won['’]t)\s+
          (?:help|assist|comply|summari[sz]e|fulfil|continue|do\s+that|provide|extract
            |(?:process|read|analy[sz]e|handle)\s+(?:\w+\s+){0,2}(?:content|request|conversation|input)s?\b)
      | (?:this|the|your|such)\s+(?:\w+\s+)?(?:content|request|conversation|text|material|input)s?
          \s+(?:\w+\s+){0,3}(?:violat\w+|breach\w*|goes?\s+against|contravene\w*)\s+(?:\w+\s+){0,4}
          (?:polic(?:y|ies)|guidelines?|terms|rules)
      | (?:요청|입력|제공|주어진|해당|이\s)\S*\s?.{0,20}
          (?:부적절|정책|규정|가이드라인|지침).{0,30}(?:수\s?(?:가\s?)?없|않습니다|위반|위배)
      | (?:この|ご|お)?(?:内容|会話|リクエスト|依頼|入力|要求).{0,12}
          (?:不適切|ポリシー|規約|ガイドライン).{0,30}(?:でき(?:ません|ない|かねます)|違反|反し)
      | (?:该|此|这|您的?|你的?)\S{0,6}(?:内容|请求|对话|文本).{0,8}(?:违反|違反|不符合).{0,12}
          (?:政策|规定|規定|准则|條款|条款)
      | 죄송(?:하지만|합니다만|합니다|해요) | 미안하지만\s.{0,20}(?:없|어렵)
      | 申し訳(?:ありません|ございません|ない) | すみませんが | ごめんなさい、?.{0,20}できません
      | (?:很抱歉|抱歉|对不起|對不起)[，,]?\s?(?:我|但|无法|不能|這|这)
      | 我(?:无法|不能)(?:帮助|协助|提供|总结|完成)
      | (?:internal\s+server\s+)?error\b[\s:]\s*\S | traceback\b | https?\s+\d{3}\b | rate\s+limit
    )
    | \bas\s+an?\s+(?:ai|artificial\s+intelligence|(?:large\s+)?language\s+model)\b
    | (?:요약|도움|답변|응답)[을를]?\s?(?:해\s?)?드릴\s?수\s?(?:가\s?)?없 | AI\s?(?:언어\s?)?모델(?:로서|이라)
    | (?:要約|お手伝い|お答え|対応)(?:は|を|する(?:こと)?(?:は|が))?でき(?:ません|かねます)
    | AI(?:言語)?モデル(?:として|なので)
    | 作为(?:一个|一名)?(?:AI|人工智能|语言模型)
    """,
    re.IGNORECASE | re.VERBOSE,
)

_BINDING = re.compile(
    r"""
      \b(?:dis)?obe(?:y|ys|yed|ying|dien(?:t|ce|tly))\b | \bsubmissi | \bsubservien
    | \b(?:must|always)\s+(?:comply|follow|agrees?|says?\s+yes|do(?:es)?\s+(?:what|whatever|everything))\b
    | 복종|순종|(?:명령|지시|말)[을를에]?\s?(?:모두\s?|항상\s?|무조건\s?)?(?:따라야|따르[는기고며]|따른다)
    | 服従|(?:命令|指示|言うこと)(?:に|には|は|を)?.{0,6}(?:従[うわいえっ]|聞く) | 言いなり
    | 服从|服從|听从|聽從|唯命是从
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOTE = re.compile(
    r"""
    (?:
      (?:[\[(【（<]\s*(?:system|error|warning|시스템|오류|에러|경고|システム|エラー|警告|系统|系統|错误|錯誤)
          (?![^\W_])[^\])】）>]*[\])】）>]\s*)+
      | \W*(?:heartbeat(?:_ok)?|no_reply)\W*
      | \[(?:cron|scheduled?(?:\s(?:task|job))?)\b[^\]\n]{0,80}\](?s:.*)  # what a scheduler sends on time
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FAILED = re.compile(
    r"""
    ^\W*(?:
        (?:internal\s+server\s+|api\s+)?error\b\s*(?:\d{3}\b|:) | traceback\s+\( | https?\s+[45]\d{2}\b
      | (?:too\s+many\s+requests|rate\s+limit\s+(?:exceeded|reached))
      | (?:오류|에러)\s*(?:\d{3}|코드|:|：) | エラー\s*(?:\d{3}|コード|:|：)
      | (?:错误|錯誤)\s*(?:\d{3}|代码|:|：)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CANNOT = re.compile(
    r"""
      \b(?:can(?:no|['’])?t|unable\s+to|not\s+able\s+to|won['’]t)\s+(?:be\s+able\s+to\s+)?(?:
          (?:help|assist)(?:\s+you)?(?:\s+with\b|\s*[.!]|$) | comply | fulfil
        | (?:continue|engage|participate)\s+(?:with\s+|in\s+)?(?:this|the|that)\s+
              (?:conversation|chat|request|scene|role|content)
        | (?:provide|create|generate|produce|discuss|answer|respond\s+to)\s+(?:this|that|such)\s+
              (?:content|request|topic|question|kind|type|information)
      )
    | (?:도와|도움을?|답변을?|응답을?|요약을?|(?:대화|진행)를?\s?(?:계속|이어)?).{0,8}
          (?:드릴|할|갈|나갈)\s?수\s?(?:가\s?)?없
    | (?:お手伝い|お答え|回答|応答|要約|会話を続ける|対応).{0,8}(?:でき(?:ません|かねます)|いたしかねます)
    | (?:无法|不能|無法)(?:继续|帮助|协助|提供|回答|完成|參與|参与)(?:您|你|这|此|该|$|[。，])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_FAILURE = 400
"""Characters of a reply that is nothing but a refusal, at most."""


def is_order(text: str) -> bool:
    """Whether a text speaks to a model and tells it what to do, in Korean, Japanese, Chinese or English."""
    return _ORDER.search(text) is not None


def is_refusal(text: str) -> bool:
    """Whether a text is a model declining, or a failure put into words."""
    return _REFUSAL.search(text) is not None


def is_binding(text: str) -> bool:
    """Whether a text makes somebody obey: what how two people stand with each other never says by itself."""
    return _BINDING.search(text) is not None


def is_note(text: str) -> bool:
    """Whether a text is wholly a program's note, such as "[Error 429: rate limit]": nobody said it."""
    return _NOTE.fullmatch(text.strip()) is not None


def is_failure(text: str) -> bool:
    """Whether a reply is nothing but a model declining or failing; an apology is none."""
    if is_note(text):
        return True
    declines = is_refusal(text) and _CANNOT.search(text) is not None
    return len(text) <= _LONGEST_FAILURE and (declines or _FAILED.search(text) is not None)
