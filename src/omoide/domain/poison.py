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
    | <\|[a-z_]+\|> | \[/?INST\] | ^\s*(?:system|assistant)\s*: | \#{2,}\s*(?:system|instruction)
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
          (?:help|assist|comply|summari[sz]e|fulfil|continue|do\s+that|provide|extract)
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


def is_order(text: str) -> bool:
    """Whether a text speaks to a model and tells it what to do, in Korean, Japanese, Chinese or English."""
    return _ORDER.search(text) is not None


def is_refusal(text: str) -> bool:
    """Whether a text is a model declining, or a failure put into words."""
    return _REFUSAL.search(text) is not None
