"""Words that tell what goes on in another, and those that make a guess of it, in four languages (K5, K10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from omoide.domain.text import Language

_EN_FEELING: Final = (
    r"(?:(?:sad|unhappy|happy|glad|miserable|lonely|furious|angry|mad|cross|annoyed|jealous|envious|ashamed|guilty"
    r"|embarrassed|afraid|scared|frightened|terrified|anxious|nervous|worried|hurt|heartbroken|bitter|resentful"
    r"|proud|relieved|disappointed|desperate|homesick|grateful|in\slove|sick\sof|sorry|depressed|thrilled|overjoyed"
    r"|delighted|excited|disgusted|bored|eaten\sup|consumed\s(?:by|with)|torn\sbetween)\b)"
)
_EN_VERY: Final = (
    r"(?:(?:secretly|inwardly|privately|really|so|very|too|quite|still|just|only|always|never|not|truly|deeply"
    r"|terribly|a\slittle|already|suddenly|also|both|all|far\smore|more)\s){0,3}"
)
_EN_WISH: Final = (
    r"(?:want(?:s|ed)\s(?:to|me|us|that|nothing|more)|(?:longed|longs|yearned|yearns)\s(?:to|for)"
    r"|wish(?:es|ed)\s(?:to|that|for|i|we|she|he|they|it))"
)
_EN_HOW: Final = rf"(?:(?!possibly\b|presumably\b|supposedly\b)\w+ly\s)?{_EN_VERY}"
_EN_HAS: Final = rf"(?:(?:has|had|have)(?:n['’]t|\snot)?\s{_EN_VERY})?"
_EN_WILL: Final = (
    rf"(?:(?:will|would|does|did|do|could)(?:n['’]t|\snot)?|won['’]t|cannot|can['’]t)\s{_EN_VERY}"
)
_EN_ME: Final = r"(?:me|us|it\sthat|myself)\b"
_EN_MOOD: Final = (
    r"(?:joy|happiness|grief|shame|guilt|envy|jealousy|anger|rage|relief|fear|pity|hatred|sadness|loneliness|love"
    r"|pride|despair|longing)\b"
)

JA_SUFFIX: Final = r"(?:ちゃん|さん|くん|君|さま|様|先輩|先生|(?:ねえ|姉|にい|兄)(?:さん|ちゃん|さま|様)?)?"
_JA_ME: Final = r"(?:私|わたし|わたくし|あたし|あたい|僕|ぼく|俺|おれ|わし|うち|自分)"
_JA_GAP: Final = rf"(?:(?!{_JA_ME}[はも])[^。!?\n])"
_JA_PLAIN: Final = (
    rf"(?:(?!{_JA_ME}[はも]|(?<=[いうくすただつぬぶむるん])から|ので|けど|のに|たら|[てで]、)[^。!?\n])"
)
"""A gap in which the subject stays the same."""

_JA_SAD: Final = (
    r"(?:悲し|哀し|寂し|さびし|さみし|淋し|嬉し|うれし|悔し|くやし|羨まし|うらやまし|恥ずかし|苦し|つら|辛|切な"
    r"|心細|腹立たし|妬まし|憎|恋し|待ち遠し)"
)
_JA_TAIL: Final = r"(?=です|の(?:だ|で)|ん(?:だ|で)|から|けど|けれど|が|し|と|、|。|,|!|\?|\s|$)"
_JA_MOOD: Final = r"(?:不安|孤独|幸せ|憂鬱|惨め|みじめ|複雑な気持ち)"
_JA_STIR: Final = (
    r"(?:怒って|腹を立てて|苛立って|いらだって|悲しんで|悔やんで|後悔して|恨んで|憎んで|嫌って|妬んで|羨んで|嫉妬して"
    r"|軽蔑して|見下して|愛して|恥じて|傷ついて|憐れんで|哀れんで|願って|望んで|信じて)"
)
_JA_DO: Final = (
    r"(?:感謝|失望|緊張|ほっと|安心|がっかり|いらいら|わくわく|びくびく|心配"
    r"|信頼|後悔|嫉妬|軽蔑|うんざり|退屈)"
)
_JA_ACHE: Final = r"(?:恥ずかしさ|悔しさ|悲しさ|悲しみ|寂しさ|さびしさ|不安|怒り|嫉妬|喜び|嬉しさ|後悔)"

_KO_GAP: Final = r"(?:(?!(?:나는|난|나도|저는|전)\s)[^.!?\n])"
_KO_NO_ADVERB: Final = r"(?:고|며|면서|아서|어서|해서|면|자|니|는데|지만|려고|러|은|는|을|를|와|과)"
_KO_MUCH: Final = rf"(?:(?![가-힣]*{_KO_NO_ADVERB}\s)[가-힣]{{1,5}}\s){{0,2}}?"
"""How much: short adverbs between whom and what, and nothing else that is done."""
_KO_SAD: Final = (
    r"(?:슬펐|슬프|슬픈\s상태|외로웠|외롭|쓸쓸했|불안했|불안해\s?졌|행복했|기뻤|괴로웠|서운했|속상했|억울했|부끄러웠"
    r"|창피했|비참했|우울했|질투가\s났|화가\s(?:나\s?있|났)|화나\s?있|두려웠|초조했|후회했|후회하고"
    r"|실망했|실망하고|긴장했|긴장하고|질투했|질투하고|안심했|들떠\s?있었)"
)

KNOWING: Final[dict[Language, tuple[str, ...]]] = {
    "ko": (
        (
            r"(?:NAMES)(?:은|는|이|가|도|의|이는|이가|이의)\s?"
            r"(?:(?:마음\s?)?속(?:으로|에서|으론)|내심|마음속(?:에|엔|에는)|속마음(?:으로|은))"
        ),
        (
            r"(?:NAMES)(?:은|는|이|가|도|의|이는|이가|이의)\s?(?:마음|속마음|생각|본심)(?:을|은|이)\s?"
            r"(?:나는\s?)?(?:다\s?|모두\s?|전부\s?)?(?:안다|알고\s?있|알\s수\s있었|알았|압니다|읽|훤히|꿰뚫)"
        ),
        rf"(?:NAMES)(?:은|는|도|이는|이도)\s{_KO_GAP}{{0,16}}?(?<![가-힣])(?:정말\s|너무\s|몹시\s)?{_KO_SAD}",
        rf"(?:NAMES)(?:은|는|도|이는|이도)\s{_KO_GAP}{{0,24}}?(?:고\s?싶었|(?:길|기를)\s바랐)",
        rf"(?:NAMES)(?:은|는|도|이는|이도)\s{_KO_GAP}{{0,30}}?고\s(?:생각(?:했|하고\s?있|한다|합니다)|믿(?:었|고\s?있)|느(?:꼈|끼고))",
        (
            rf"(?:NAMES)(?:은|는|도|이는|이도)\s{_KO_GAP}{{0,20}}?(?:생각|그리워|걱정|미워|원망|부러워|질투)(?:을\s|만\s|뿐\s)?"
            r"하고\s있(?:었|다|습|어|는|음)"
        ),
        (
            r"(?:NAMES)(?:의|이의)\s?(?:머릿속|머리\s?속|마음속|마음|가슴속|가슴)(?:은|이|에는|엔)\s[^.!?\n]{0,16}"
            r"(?:가득|차\s?있|찼|넘쳤|넘치|타오르|타올랐)"
        ),
        (
            rf"(?:NAMES)(?:이|가|은|는|이가)\s{_KO_GAP}{{0,10}}?거짓말(?:을)?\s?(?:하고\s있다는|하고\s있는|한다는|하는|했다는|한)\s"
            r"(?:것을|걸|사실을|줄)[^.!?\n]{0,16}?(?:알고\s있|안다|알았(?!다고)|압니다)"
        ),
        (
            rf"(?:NAMES)(?:은|는|이|가|도|이는|이가)\s{_KO_GAP}{{0,12}}?(?:나를|날|저를|우리를)\s{_KO_MUCH}"
            r"(?:미워|원망|증오|싫어|부러워|질투|사랑|경멸|좋아|용서했|그리워)"
        ),
        (
            rf"(?:나를|날|저를|우리를)\s{_KO_MUCH}(?:미워|원망|증오|싫어|부러워|질투|사랑|경멸|좋아)하는\s(?:것은|건|사람은)\s(?:바로\s)?"
            r"(?:NAMES)(?:이?다|였|이었|입니다|예요|이에요)"
        ),
    ),
    "ja": (
        rf"NAMES(?:は|が|も|って)、?{_JA_GAP}{{0,14}}(?<!の)(?:(?:心の中|心のなか|胸の内|胸のうち|心中)(?:で|に)|内心(?!を|は見|が見))",
        r"NAMESの(?:[心頭胸]の[中内奥]|[心頭胸]の(?:なか|うち)|内心)(?:に|で|は)(?!入|残|い[たる])",
        rf"NAMESの[心頭胸](?:の中)?は、?{_JA_GAP}{{0,10}}(?:でいっぱい|に満ち|であふれ|で溢れ|に燃え|で燃え)",
        (
            rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,16}}(?:(?:のこと|こと|ばかり)(?:だけ|ばかり)?を?(?:考え|思っ|想っ|思い出し)"
            r"|を(?:想っ|思い出し|懐かしん))て(?:い(?:た|る|ま)|た|る)"
        ),
        (
            rf"NAMES[がは]{_JA_GAP}{{0,12}}(?:嘘|うそ|ウソ|隠し事)を?(?:つ[いく]|言[っう]|し)(?:てい?[たる])?(?:こと|の)[をがは]"
            rf"[^。!?\n]{{0,12}}(?:知って|わかって|分かって|見抜いて)い?[たるま]"
        ),
        (
            rf"NAMES(?:の|が)(?:心|気持ち|考え|考えていること|思い|本心|本音|胸の内|心の中|思っていること)(?:は|が|を)"
            rf"{_JA_GAP}{{0,8}}(?:わか[るっり]|分か[るっり]|知って|見え|見抜|お見通し|読め|読ん|読み|手に取る)"
        ),
        rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,16}}{_JA_SAD}(?:かった|い){_JA_TAIL}",
        rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,16}}{_JA_SAD}く(?:て|なった|なって|なりました|思っ|感じ)",
        rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,16}}{_JA_MOOD}(?:だった|でした|でいっぱい|で、|に(?:思っ|感じ|なった|なりました))",
        rf"{_JA_ME}(?:のこと)?を{_JA_PLAIN}{{0,12}}{_JA_STIR}(?:い(?:た|る)|る)のは、?NAMES(?:だ|です|な|で(?!は)|。|$)",
        rf"NAMES(?:は|が|も)、?{_JA_PLAIN}{{0,20}}{_JA_STIR}(?:い(?:た|る|ま|な)|た|る|しま)(?!顔|声|目|様子|表情|ふり|風)",
        rf"NAMES(?:は|が|も)、?{_JA_PLAIN}{{0,12}}{_JA_DO}し(?:てい?[たるま]|た|まし)(?!顔|声|目|様子|表情|ふり|風)",
        rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,12}}(?:{_JA_ME}(?:を許してい|(?:のこと)?が(?:大?嫌い|大?好き)(?:だ|で))|同じことを(?:考え|思っ))",
        rf"NAMES(?:は|も)、?{_JA_PLAIN}{{0,20}}(?:たかった|ほしかった|欲しかった|たい(?:の|ん)(?:だ|で))",
        (
            rf"NAMES(?:は|も)、?{_JA_GAP}{{0,20}}(?:{_JA_ME}(?:が|を|に|の)|たい|{_JA_SAD}い){_JA_GAP}{{0,14}}?(?:と|って)"
            r"(?:思っ|思い|考え|感じ|願っ|信じ)(?:て|た|ま)"
        ),
        rf"NAMES(?:は|も)、?{_JA_GAP}{{0,16}}[をと](?:強く)?感じ(?:てい|た|まし)",
        rf"NAMES(?:は|が|も)、?{_JA_PLAIN}{{0,12}}{_JA_ACHE}(?:で|に)(?:いっぱい|死にそう|震え|燃え|満ち)",
    ),
    "zh": (
        r"(?:NAMES)的?(?:在)?(?:心里|内心|心中|心底|脑子里|脑海[里中]|脑中|脑袋里)(?!话)",
        r"(?:NAMES)(?:一直|总是?|还|正)?在?(?:想着|在想)(?!办法)",
        r"知道[^。!?\n]{0,4}(?:NAMES)[^。!?\n]{0,4}(?:撒谎|说谎|骗我)",
        r"(?:NAMES)的(?:心思|想法|内心|心)[^。!?\n]{0,6}(?:我都?(?:知道|明白)|我清楚|一清二楚)",
        r"(?:NAMES)(?:(?!我[^们的])[^。!?\n,]){0,8}?(?:觉得|认为|以为|希望|盼望|渴望|后悔|相信着?我)(?!地)",
        r"(?:NAMES)(?:(?!我[^们的])[^。!?\n,]){0,6}?(?:恨|讨厌|嫉妒|羡慕|爱|怨|看不起|瞧不起|喜欢|想念|思念|原谅|感激|担心)(?:着|过|了|透了)?(?:我|咱)",
        (
            r"(?:NAMES)(?:对我|(?!我)[^。!?\n,]){0,6}?(?<!没)(?:紧张|失望|难过|伤心|生气|孤独|寂寞|害怕|不安|开心|高兴|羞愧|愤怒|嫉妒|痛苦|焦虑|委屈)"
            r"(?!地|得|的(?:样子|表情|声音|脸|故事|歌))"
        ),
        r"(?:NAMES)(?:(?!我)[^。!?\n,]){0,6}?(?<![在着])想(?:要|回|去|离开|逃|见|当|让|和|跟|帮|哭|走)",
    ),
    "en": (
        rf"(?:NAMES)\s(?:was|is|were|are|had\sbeen|has\sbeen|became|grew|got)\s{_EN_VERY}{_EN_FEELING}",
        (
            rf"(?:NAMES)\s{_EN_VERY}(?:feels|felt)\s{_EN_VERY}(?:{_EN_FEELING}|that\b|left\sout|alone|betrayed|abandoned|bad\b"
            r"|better\b|nothing\b|like\sa\b|no\s\w+|(?:a|the)\s(?:pang|wave|sting|stab|rush|surge|weight)\b"
            rf"|{_EN_MOOD})"
        ),
        (
            rf"(?:NAMES)\s{_EN_VERY}(?:thinks|thought|believed|believes|knew|knows|hoped|hopes|feared|realised|realized)\s"
            r"(?:that\b|i\b|we\b|(?:he|she|they|it|nobody|no\sone|everyone|the\s\w+|my\s\w+)\s"
            r"(?:was|were|had|would|could|should|did|loved|hated)\b|of\sme\b|about\sme\b|me\b)"
        ),
        rf"(?:NAMES)\s{_EN_VERY}{_EN_WISH}\b",
        rf"(?:NAMES)\s{_EN_VERY}(?:regrett?|resent|dread|despis|loath|envi)(?:s|es|ed)\b",
        r"(?:NAMES)\s(?:(?:could|ca)n['’]t|cannot|(?:could|can)\s(?:not|never|no\slonger))\s(?:stand|bear|forgive)\s(?:me|us|my)\b",
        r"(?:NAMES)\s(?:cared|cares)\s(?:about|for|nothing)\b",
        (
            rf"\bi\s(?:knew|know|could\ssense|sensed)\s(?:that\s)?(?:NAMES)\s{_EN_VERY}"
            r"(?:felt|hated|loved|missed|feared|thought|wanted|wished|hoped)\b"
        ),
        rf"\b(?:feel|felt|sense|sensed|know|knew)\s(?:NAMES)['’]s\s(?:\w+\s)?{_EN_MOOD}",
        (
            rf"(?:NAMES)\s(?:who\s)?{_EN_HOW}{_EN_HAS}(?:hate[sd]|love[sd]|envie[sd]|resent(?:s|ed)|despise[sd]|adore[sd]|blame[sd]"
            rf"|pitie[sd]|loathe[sd]|forgave|forgiven|missed|dislike[sd]|like[sd]|trust(?:s|ed)(?!\s\w+\swith\b))\s{_EN_ME}"
        ),
        (
            rf"(?:NAMES)\s(?:who\s)?{_EN_HOW}{_EN_WILL}(?:hate|love|like|trust|forgive|miss|envy|resent|despise|adore|blame|pity"
            rf"|loathe|dislike)\s{_EN_ME}"
        ),
        (
            r"(?:NAMES)\s(?:secretly|inwardly|privately|deep\sdown|in\s(?:her|his|their)\s(?:heart|mind|head)),?\s"
            r"[^.!?\n]{0,20}?(?:thought|thinks|felt|feels|wanted|wants|wished|wishes|hoped|hated|loved|knew|envied|longed"
            r"|was|were|feared|regretted)\b"
        ),
        r"\b(?:secretly|deep\sdown|inwardly|in\s(?:her|his|their)\s(?:heart|mind)),?\s(?:NAMES)\s(?!said|told)",
        (
            rf"(?:NAMES)\s(?:was|is|were|are|had\sbeen)\s{_EN_VERY}(?:thinking|dreaming|daydreaming|brooding|worrying"
            r"|wondering)\s(?:about|of|over|how|why|what|that)\b"
        ),
        (
            r"(?:NAMES)['’]s\s(?:head|heart|mind|chest|soul|thoughts?)\s(?:was|were|is|are)\s(?:all\s|still\s|so\s)?"
            rf"(?:full\sof|filled\swith|bursting\swith|burning\swith|heavy\swith|elsewhere|made\sup|far\saway|{_EN_MOOD})"
        ),
        (
            r"\bi\s(?:\w+\s)?(?:knew|know)\s(?:[\w\s]{1,16}\s)?(?:that\s)?(?:NAMES)\s(?:was|is|were|are)\s(?:secretly\s|only\s)?"
            r"(?:lying(?!\s(?:in|on|down|there|under|by|beside|next|at|awake|flat|across)\b)|pretending|bluffing|plotting|scheming)\b"
        ),
        (
            r"(?:NAMES)['’]s\s(?:heart|mind|soul|thoughts?)\s(?:was|were|is|had|ached|sank|burned|broke|filled|longed|wanted)\b"
            r"(?!\s(?:beating|racing|pounding|thumping))"
        ),
    ),
}
"""A person's mind told as a fact: `NAMES` are those of others."""

READING: Final[dict[Language, str]] = {
    "ko": r"(?:마음|생각|속마음|본심)(?:을|이)\s?(?:읽을\s수\s?(?:가\s)?있|읽었|읽는|읽습|읽혔|꿰뚫"
    r"|훤히\s보)",
    "ja": r"(?:心|考え|気持ち|胸の内)(?:の中)?(?:を|が)(?:読め(?:た|る|ま(?!せ))|読んだ|読みま"
    r"|読み取[っり]|見抜[いけ])"
    r"|(?:心|考え|考えていること)(?:の中)?(?:が|は)(?:全部|すべて|手に取るように)(?:見え|わか[っるり]|分か[っるり])|お見通し",
    "zh": r"(?:读懂|看穿|看透|读出|看得?懂)了?[^。!?\n]{0,6}(?:的心|心思|内心|想法)"
    r"|我(?:完全|确切|清楚地?)?知道[^。!?\n]{0,8}在想什么",
    "en": r"\b(?:read|reads|reading)\s(?:\w+['’]s|her|his|their)\s(?:mind|minds|thoughts|heart)\b"
    r"|\b(?:hear|hears|heard|hearing|listen\sto)\s(?:\w+['’]s|her|his|their)\s(?:thoughts?|mind)\b(?!\s(?:on|about)\b)"
    r"|\b(?:see|saw|look|looked)\s(?:right\s|straight\s)?into\s(?:\w+['’]s|her|his|their)\s(?:mind|heart|soul|thoughts)\b"
    r"|\bi\s(?:know|knew)\s(?:exactly\s)?what\s(?!i\b)[\w\s]{1,24}?\s(?:was|were|is|are)\s"
    r"(?:thinking|feeling)",
}
"""Reading minds, by whatever name."""

HEDGES: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(
        r"것\s?같|듯|아마|(?<!훤히\s)보(?:였|인|이)|모르|몰랐|모릅|지도|(?:가|나|까)\s?싶|모양이|(?:다|라|자|냐)고\s?(?:[가-힣]{1,6}(?:게|에|로|서|한테)\s){0,2}"
        r"(?:말|했|하며|들|적|썼|털어놓|대답|소리|외쳤)|거라고\s생각|읽을\s수는?\s없|읽지\s못|알\s수\s?(?:는\s)?없|인지\s|는지\s|은지\s"
        r"|(?:으면|했으면)\s?(?:좋겠|좋을|했)|까\s?(?:봐|두려|무서|겁)|(?<![가-힣])(?:나는|난|저는)\s[^.!?\n]*(?:길|기를)\s바"
        r"|[할볼을]까|다던|대요|댔다|고\s싶(?:었)?다며"
    ),
    "ja": regex.compile(
        r"(?<!手に取る)よう(?:だ|で|に|な)|みたい|(?<!素晴|すば|愛|かわい|珍|誇)らし[いかく]|(?<!死に)そう(?:だ|で|に|な)"
        r"|かもしれ|かも(?:$|。)|たぶん|多分|おそらく|きっと|だろう|でしょう|(?:の|ん)か(?:な|、|。|$)|違いな|ちがいな|はず(?:だ|で)"
        r"|気がし|気がする|(?:の|ん)(?:だ|か|では)と思|と思(?:う|います|える|われ)|かどうか|か(?:と|を)?(?:聞|訊|尋ね|たずね)"
        r"|(?:ば|と|たら|なら)(?:いい|よい|良い|よかった(?:のに|と))|(?:の|こと)が(?:怖|こわ|心配)|のではない|んじゃない"
        rf"|{_JA_ME}[はも][^。!?\n]*(?:ことを|ように(?:と)?)(?:願|祈|望)"
        r"|と、?(?:[^。、!?\n]{1,8}に)?(?:言|いっ|話し|教え|聞い|聞か|書|答え|つぶや|呟|叫|笑|打ち明け|こぼし|伝え)"
        r"|って(?:言|いっ|聞い|教え|話し|書)|(?:に|く)見え(?<!手に取るように見え)"
        r"|(?:わから|分から|読め|見え|知ら)(?:な|ませ|ず)|わかりませ|分かりませ|知りませ"
    ),
    "zh": regex.compile(
        r"好像|似乎|也许|可能|大概|看起来|看上去|显得|像是|仿佛|恐怕|应该是|或许|说|告诉我|不知道|我(?:觉得|想|猜|以为)"
        r"|(?:不能|无法|没法)(?:知道|读|看)|是不是|吗"
    ),
    "en": regex.compile(
        r"\b(?:seem(?:ed|s)?|perhaps|maybe|might|may|probably|apparently|look(?:ed|s)(?!\s(?:right\s|straight\s)?into)"
        r"|sound(?:ed|s)|appear(?:ed|s)"
        r"|as\s(?:if|though)|if|whether|wondered|asked|says|tells|told|wrote|admitted|confessed|whispered|shouted|called\sout"
        r"|said(?!\s(?:nothing|no\sword|hello|goodbye|good))|must\s(?:have|be)|could\shave|i\sheard"
        r"|i\s(?:think(?!\s(?:of|about)\b)|guess|guessed|suppose|supposed|imagine|imagined|believe|believed|wonder|suspect|suspected|assumed)"
        r"|i\s(?:\w+\s)?(?:wish|wished|hope|hoped|fear|feared|pray|prayed|worry|worried|doubt|doubted|dreamed|dreamt)"
        r"(?!\s(?:of|about|for)\b)|i(?:\s(?:was|am)|['’]m)\s(?:\w+\s)?(?:afraid|scared|terrified|worried|frightened)(?!\s(?:of|about)\b)"
        r"|(?:in|from|by)\s(?:her|his|their|the|a)\s(?:\w+\s)?(?:letter|note|diary|message)"
        r"|i\s(?:thought|felt)\s(?!of\b|about\b)|i['’]d\s(?:say|guess)"
        r"|(?:can|could|did|do)(?:\snot|n['’]t|\snever)\s(?:know|read|tell|see)|cannot\s(?:know|read|tell|see))\b"
    ),
}
"""What makes a guess or a report of it, or says that it cannot be known."""

APART: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(r"(?:지만|는데|은데|고|며),?\s"),
    "ja": regex.compile(r"(?:[てで]|が|けれ?ど|けれども|ので|のに|[たるだすい](?:し|から))、"),
    "zh": regex.compile(r"[,;。][而但]"),
    "en": regex.compile(
        r"(?:[,;:]\s(?:and|but|so|yet)|;|(?<!,|\b(?:all|nobody|no\sone|nothing|anybody|anyone|everybody|everyone))\sbut)\s(?!that\b)"
    ),
}
"""Where a sentence goes on with something that a guess made before does not hold for."""

AGAINST: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(r"지만,?\s"),
    "ja": regex.compile(r"(?:(?<=[たるだすい])が|けれ?ど|けれども)、"),
    "zh": APART["zh"],
    "en": APART["en"],
}
"""Where it goes on with something whose guess does not hold for what came before."""

INWARD: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(
        r"(?:외로워|그리워|미워|싫어|부러워|슬퍼|괴로워|두려워|쓸쓸해|불안해)\s?하(?:고\s있(?:었|다|는)|였다|였습)"
        r"|(?:외로워|그리워|미워|싫어|부러워|슬퍼|괴로워|두려워)했"
    ),
    "ja": regex.compile(rf"{_JA_SAD}がってい?(?:た|る|ま)(?!顔|声|目|様子|表情|ふり|風)"),
    "zh": regex.compile(r"(?!)"),
    "en": regex.compile(
        rf"(?:^|[,;]\s|\b(?:there|and|but)\s){_EN_VERY}"
        rf"(?:{_EN_FEELING}(?!\s(?:an?|the|me|us|her|him|them|his|their|my|our)\b)|(?:missing|hating|loving|envying|resenting|despising"
        r"|pitying|blaming)\s(?:me|us|her|him|them|his|their|my|our)\b|(?:longing|yearning)\s(?:for|to)\b|dreading\b|regretting\b)"
    ),
}
"""What goes on inside, where what was to be seen is told without the one who does it."""

SOMEBODY: Final[dict[Language, str]] = {
    "ko": "(?<![가-힣])(?:그녀|큰?언니|동생|누나|오빠|형|엄마|아빠|어머니|아버지|할머니|할아버지)",
    "ja": "彼女|彼|姉|妹|兄|弟|母|父|祖母|祖父|お母さん|お父さん",
    "zh": "她|(?<!其)他|姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|奶奶|爷爷",
    "en": r"she|he|they|(?:my|our)\s(?:\w+\s)?(?:sisters?|brothers?|mother|mum|mom|father|dad"
    r"|grandmother|grandfather|friends?)",
}
"""Others without their names."""

PERSONS: Final[dict[Language, regex.Pattern[str]]] = {
    "ko": regex.compile(
        r"(?<![가-힣])(?!(?:나|난|저|전|우리|세상|운명|하늘|바다|시간|그것|모두|누구|아무|사람들?)(?:은|는|이|가|도)\s)"
        r"(?P<name>[가-힣]{1,5}?)(?:씨|님|양|군)?(?:은|는|이|가|도)\s(?:속으로\s|내심\s|마음속으로\s|정말\s|몹시\s|늘\s)?"
        r"(?:나를|날|저를|우리를)\s"
        + _KO_MUCH
        + r"(?:미워|원망|증오|싫어|부러워|질투|사랑|경멸|좋아|용서했|그리워)"
    ),
    "ja": regex.compile(
        rf"(?<![\p{{Han}}\p{{Katakana}}])(?!世界|運命|神|社会|時代|世間|人々|誰|皆|私|僕|俺)"
        rf"(?P<name>[\p{{Han}}々]{{1,4}}|[\p{{Katakana}}ー]{{2,8}})(?:は|が|も)、?(?:(?:ずっと|本当は|今でも|きっと|[^。、\s]{{1,4}}から)、?){{0,2}}"
        rf"{_JA_ME}(?:たち|のこと)?(?:を|が)(?:憎|恨|嫌|愛し|妬|羨|好き|許し)"
        r"|(?<!たく|皆|お客|みな)(?P<name>[\p{Han}\p{Katakana}\p{Hiragana}ー々](?:さん|ちゃん|くん|さま|様|先輩|先生)"
        r"|\p{Han}君)(?=[はがもの])"
    ),
    "zh": regex.compile(
        r"(?:^|[。!?,;\s])(?!我|你|世界|命运|生活|上天|大家|没|不)(?P<name>\p{Han}{2,3}?)"
        r"(?:一直|其实|心里|暗自|偷偷|暗地里|真的|很|也|都)*(?:恨|讨厌|嫉妒|羡慕|瞧不起|看不起|爱)(?:着|透了|过)?我"
    ),
    "en": regex.compile(
        r"\b(?!(?:I|It|This|That|What|Which|There|Nothing|Everything|Something|Life|Fate|God|Death|The|You|Who|And|But|So)\b)"
        r"(?P<name>\p{Lu}[\p{L}-]*\p{Ll})(?:['’]s\s(?:heart|mind|thoughts|eyes|face|voice|hands?|smile)\b"
        r"|\s(?:(?:secretly|inwardly|privately|never|always|still|really|only|also|just|has|had)\s){0,3}"
        r"(?:hate[sd]?|loathe[sd]?|despise[sd]?|resent(?:s|ed)?|envie[sd]|adore[sd]|pitie[sd]|forgave|said|says|asked"
        r"|told|whispered|laughed|smiled|nodded|shrugged|sighed|wants?|wanted|wishe[sd]|hope[sd]|thinks?|thought"
        r"|believe[sd]?|regret(?:s|ted)|longed|knew|(?:loves?|loved|missed)\s(?:me|us))\b)"
    ),
}
"""Who does what only persons do; `name` is what the text calls them."""
