"""Messages that ask for what any machine could do, or only part, are told by their form (ruling 35)."""

from __future__ import annotations

import pytest

from omoide.recall.phrasing import phrased
from omoide.recall.requests import is_request

REQUESTS = {
    "ko": "겨울에 대한 시 써줘|작년 결승전 누가 이겼어?|전화기는 누가 발명했어?|나중에 봐|잘 가",
    "ja": (
        "この手紙を英語に訳して|これを韓国語に訳してください|電話は誰が発明した？|去年の決勝はどこが勝った？"
        "|今は何してる？|じゃあね|また今度"
    ),
    "en": "Who won the final last year?|Who invented the telephone?|Bye then|see you around|Take care!",
    "zh": "明天天气如何？|天气预报怎么说|电话是谁发明的？|去年决赛谁赢了？|再见|回头见",
}
NONE = {
    "ko": "누가 우리 집에 왔었지?|또 봤던 영화 얘기야|토요일에 뭐 하지?",
    "ja": "日曜は何してるっけ|誰が家に来たっけ|またねこを飼いたい",
    "en": "Who came to my party?|Take care of my cat while I'm away in Lisbon|I see you like jazz",
    "zh": "谁来过我家？|那天天气很好我们去爬山了|周日我做什么？",
}


@pytest.mark.proves("F24")
@pytest.mark.parametrize("message", "|".join(REQUESTS.values()).split("|"))
def test_a_request_or_a_farewell_is_told_by_its_form(message: str) -> None:
    assert is_request(message, phrased(message))


@pytest.mark.proves("F24")
@pytest.mark.parametrize("message", "|".join(NONE.values()).split("|"))
def test_what_is_about_a_life_is_no_request(message: str) -> None:
    assert not is_request(message, phrased(message))
