"""Words of English that tell what goes on in another, and those that make a guess of it."""

from __future__ import annotations

from typing import Final

import regex

from omoide.domain.grounding.kin import KIN_EN
from omoide.domain.minds.rules import MindRules, any_of

_FEELING: Final = any_of(
    r"""sad unhappy happy glad miserable lonely furious angry mad cross annoyed jealous envious ashamed guilty
    embarrassed afraid scared frightened terrified anxious nervous worried hurt heartbroken bitter resentful proud
    relieved disappointed desperate homesick grateful in_love sick_of sorry depressed thrilled overjoyed delighted
    excited disgusted bored eaten_up consumed_(?:by|with) torn_between confused upset curious surprised impatient
    uneasy pleased content amazed astonished shocked stunned frustrated irritated offended insulted humiliated
    tired_of fed_up fond_of uncomfortable determined puzzled bewildered overwhelmed discouraged disheartened dismayed
    horrified appalled outraged enraged livid hopeful hopeless restless suspicious satisfied amused indifferent_to
    eager_(?:to|for) convinced sure_(?:that|of|i|we) certain_(?:that|of|i|we) remorseful troubled_by bothered_by
    hurt_by touched_by moved_by impressed_by drawn_to alarmed_(?:by|at) nostalgic intrigued
    heartsick lonesome at_a_loss"""
)
_ONLY_MINDS: Final = any_of(
    """ashamed jealous envious embarrassed afraid scared frightened terrified worried resentful relieved disappointed
    homesick grateful delighted bored furious annoyed heartbroken devastated thrilled overjoyed disgusted in_love
    offended humiliated proud_(?:of|that) impatient puzzled bewildered astonished amazed shocked frustrated irritated fed_up
    fond_of guilty_(?:about|for)"""
)
"""What no thing is ever called, as days are sad, houses lonely and verdicts guilty."""

_ROLE: Final = any_of(
    """(?:police|fisher|gentle|post|fire)?(?:wo)?m[ae]n boys? girls? children bab(?:y|ies) lad(?:y|ies) strangers?
    guests? pupils? students? doctors? nurses? captains? sailors? soldiers? guards? officers? farmers? bakers? drivers?
    waiters? landlords? priests? kings? queens? princes? princess(?:es)? singers? painters? shopkeepers? librarians?
    grandma grandpa granny auntie mummy mama papa (?:class|team|school)mates?"""
)
_PERSON: Final = rf"(?:{KIN_EN}s?|wives|{_ROLE})\b"
"""Who has a mind by what they are called."""

_OPINION: Final = any_of(
    """funny hilarious amusing boring dull ridiculous absurd silly stupid pathetic unfair strange odd weird
    unbearable annoying tiresome beautiful ugly lovely charming cruel disgusting embarrassing exciting
    comforting frightening"""
)
_MOOD: Final = any_of(
    """joy happiness grief shame guilt envy jealousy anger rage relief fear pity hatred sadness loneliness love pride
    despair longing disappointment jealousy excitement sorrow regret dread panic delight"""
)
_OF_ME: Final = any_of(
    """hate[sd]? loathe[sd]? love[sd]? adore[sd]? env(?:y|ies|ied) resent(?:s|ed)? despise[sd]? blame[sd]?
    pit(?:y|ies|ied) forg(?:ive|ives|ave|iven) miss(?:es|ed)? (?:dis)?like[sd]? admire[sd]? respect(?:s|ed)?
    doubt(?:s|ed)? fear(?:s|ed)? (?:dis|mis)?trust(?:s|ed)?(?!\\s\\w+\\swith\\b) worship(?:s|ped)? idoli[sz]e[sd]?"""
)
_WORRYING: Final = (
    r"(?:worrying\b(?!\sat\b)|brooding\b|regretting\b|resenting\b|envying\b|despising\b|dreading\b|longing\s(?:for|to)\b"
    r"|yearning\s(?:for|to)\b|hating\b|loving\b|fearing\b|(?:missing|blaming|pitying)\s(?:me|us|him|her|them|his|their|home)\b"
    r"|(?:thinking|dreaming|daydreaming|wondering)\s(?:about|of|over|how|why|what|that)\b)"
)
_VERY: Final = (
    r"(?:(?:\w+ly|so|very|too|quite|still|just|always|never|not|a\slittle|a\sbit|already|also|both|all|far\smore|more"
    r"|most|once|ever|even|long|deep\sdown)\s){0,3}"
)
_MAY: Final = (
    r"(?:(?:(?:has|had|have|will|would|does|did|do|could)(?:n['’]t|\snot)?|won['’]t|cannot|can['’]t)\s)?"
)
_I_OR_WE: Final = r"\b(?:i|we)\b"
_GOES_ON: Final = (
    rf"(?:(?<!{_I_OR_WE}[^.!?;:\n]{{0,80}})|(?<=(?:[,;:]|\b(?:but|when|while|because|that|then))\s))"
    rf"(?:NAMES)\s(?!(?:and|or|at|in|on|by|with|from|to|of|for)\b)(?:(?!{_I_OR_WE})[^.!?;:\n]){{1,60}}?"
    r"(?:\b(?:and|but|yet|then)|,)\s(?:then\s)?"
)
"""Somebody does one thing and, under no name any more, the next; whom I see or meet does nothing."""

_OF_THEM: Final = (
    r"(?<!\b(?:with|without|from|about|(?<!\b(?:one|two|three|some|most|both|all|many)\s)of)\s"
    r"(?:(?:the|my|our|his|her|their)\s(?:\w+\s)?)?"
    r"|\b(?:as\san?|being\s(?:an?|the))\s(?:\w+\s)?)"
)
"""Not a day with somebody, nor life as a teacher."""

_WHO: Final = (
    rf"(?:{_OF_THEM}NAMES\s|(?<!\bi\s(?:was|am)\s(?:\w+\s){{0,2}})NAMES\swho\s|{_GOES_ON}){_MAY}{_VERY}"
)
_BE: Final = any_of("was is were are been became grew got gets")
_OWNER: Final = r"(?:NAMES['’]s|\b(?:her|his|their))"
_WHOM: Final = r"(?:NAMES|her|him|them)"
_I_KNOW: Final = (
    r"\bi\s(?:\w+\s){0,2}?(?:know|knew|senses?d?|tell|see|saw|noticed?|reali[sz]ed?|understood|remember(?:ed)?)\b"
    r"(?:[^.!?;\n]{0,30}?:|(?:\s(?:\w+ly|for|certain|sure|a\sfact|well|deep|down|all|along|from\sthe\s\w+|it|then|now|that|how)){0,4})\s"
)
_IN_TEARS: Final = any_of(
    "crying weeping sobbing laughing screaming raging boiling seething burning dying breaking dead broken empty hollow"
)
_ASHAMED: Final = (
    rf"(?:who\s)?(?:(?:{_BE}|felt|feels)\s{_VERY}{_ONLY_MINDS}|{_VERY}(?:envie[sd]|resent(?:s|ed)|regret(?:s|ted)|despise[sd]))\b"
    r"(?![^.!?\n]*\bits\b)"
)
_PARTS: Final = (
    r"\b(?:i|we|you|it|that|which|who|and|or|but|then|never|not|there|one|person|hearts?|minds?|voices?|faces?|body|bodies"
    r"|souls?|hands?|eyes?|self|stomach|half|part|side|head|smiles?|tone)"
)
"""What stands where a person does and is none, or is a part of one."""

_NO_NAME: Final = (
    r"(?!(?:I|It|This|That|What|Which|There|Nothing|Everything|Something|Life|Fate|God|Death|The|You|We|Who|And|But|So|All"
    r"|Both|Nobody|One|Just|Really|Always|Never|Still|Only|Also)\b)"
)
_OTHER: Final = r"(?:NAMES|it|nobody|no\sone|everyone|the\s\w+|my\s\w+)"

_TURN: Final = regex.compile(
    r"(?:[,;:]\s(?:and|but|so|yet)|;|(?<!,|\b(?:all|nobody|no\sone|nothing|anybody|anyone|everybody|everyone))\sbut)\s(?!that\b)"
)

_FEELS: Final = (
    rf"{_BE}\s{_VERY}{_FEELING}\b(?!-)",
    (
        rf"(?:feels|felt)\s{_VERY}(?:{_FEELING}\b|(?:that|bad|better|worse|nothing|safe)\b|left\sout|alone|betrayed|abandoned"
        rf"|like\sa\b|no\s\w+|(?:a|the)\s(?:pang|wave|sting|stab|rush|surge|weight)\b|{_MOOD}\b)"
    ),
    (
        r"(?:thinks|thought|believed|believes|knew|knows|hoped|hopes|feared|realised|realized)\s(?:in\s\w+\s\w+\s)?"
        rf"(?:that\b|i\b|we\b|{_OTHER}\s(?:was|were|had|would|could|should|did|loved|hated)\b|of\sme\b|about\sme\b|me\b)"
    ),
    (
        r"(?:want(?:s|ed)?\s(?:to(?=\s(?!know\b)\w)|me|us|that|nothing|more)|(?:longed|longs|yearned|yearns)\s(?:to|for)"
        r"|wish(?:es|ed)\s(?:to|that|for|i|we|NAMES|it))\b"
    ),
    r"(?:regrett?|resent|dread|despis|loath|envi)(?:s|es|ed)\b",
    r"(?:stand|bear)\s(?:me|us|my)\b",
    r"(?:cared|cares)\s(?:about|for|nothing)\b",
    rf"{_OF_ME}\s(?:me|us|it\sthat|myself)\b",
    rf"(?:{_BE}|stop(?:ped)?|help|(?:keep|kept)(?:\son)?|began|started)\s{_VERY}{_WORRYING}",
    r"g[ai]ve[ns]?\sup\son\s(?:all\sof\s)?(?:me|us|\w+sel(?:f|ves))\b",
    rf"(?:{_BE}\s)?(?:lies|lied|lying)\sto\s\w+sel(?:f|ves)\b",
    rf"(?:decided|chose|began|started|came|learn(?:ed|t)|refused|tried|bring\s\w+)\sto\s{_VERY}{_OF_ME}\s(?:me|us)\b",
    rf"(?:find|finds|found)\s(?:it|that|this|me|us|(?:the|my|our)\s\w+)\s{_VERY}{_OPINION}\b",
)

RULES: Final = MindRules(
    knowing=(
        rf"{_WHO}(?:{'|'.join(_FEELS)})",
        (
            rf"{_I_KNOW}(?:NAMES)\s{_MAY}{_VERY}(?:felt|feels|hate[sd]?|love[sd]?|miss(?:es|ed)|fear(?:s|ed)|thought|thinks"
            r"|want(?:s|ed)|wish(?:es|ed)|hope[sd]|envie[sd])\b"
        ),
        (
            rf"{_I_KNOW}(?:NAMES)\s(?:was|is|were|are)\s(?:secretly\s|only\s)?(?:pretending|bluffing|plotting|scheming"
            r"|lying(?!\s(?:in|on|down|there|under|by|beside|next|at|awake|flat|across)\b))\b"
        ),
        (
            rf"\b(?:remember(?:ed)?|recall(?:ed)?|saw|see|heard|felt|feel|sensed?|noticed?)\s{_WHOM}\s{_VERY}"
            rf"(?:{_WORRYING}|thinking(?!\s(?:aloud|out\sloud|it|hard|for)\b)|(?:being|feeling)\s{_VERY}{_FEELING}\b)"
        ),
        rf"\bhow\s{_VERY}{_FEELING}\s(?:NAMES)\s(?:{_BE}|felt|feels)\b",
        rf"\b(?:made|makes?|making|left)\s{_WHOM}\s(?:feel\s)?{_VERY}{_FEELING}\b(?!(?<=cross)\s(?:the|a|my|our)\b)",
        rf"\b(?:br(?:oke|eaks?|oken)\s{_OWNER}\sheart|hurts?\s{_OWNER}\sfeelings)\b",
        rf"\b(?:what|all)\s(?:NAMES)\s{_VERY}(?:felt|wanted(?!\sto\b)|feared|hated|loved|missed|hoped\sfor)\b[^.!?\n]{{0,30}}?\b(?:was|is)\b",
        rf"\b(?:feel|felt|sensed?|know|knew)\s{_OWNER}\s(?:\w+\s)?{_MOOD}\b",
        (
            r"(?:NAMES)\s(?:secretly|inwardly|privately|deep\sdown|in\s(?:her|his|their)\s(?:heart|mind|head)),?\s"
            r"[^.!?\n]{0,20}?(?:thought|thinks|felt|feels|wanted|wants|wished|wishes|hoped|hated|loved|knew|envied|longed"
            r"|was|were|feared|regretted|despised)\b"
        ),
        rf"\b(?:secretly|deep\sdown|inwardly|in\s{_OWNER}\s(?:heart|mind|head|thoughts)),?\s(?:NAMES)\s(?!said|told)",
        rf"\binside,?\s(?:NAMES)\s(?:{_BE}|felt|feels)\s{_VERY}(?:{_IN_TEARS}|{_FEELING})\b|(?:NAMES)\s{_BE}\s{_VERY}{_IN_TEARS}\s(?:on\sthe\s)?inside\b(?!\s\w)",
        (
            rf"{_OWNER}\s(?:head|heart|mind|chest|soul|thoughts?)\s(?:was|were|is|are)\s(?:all\s|still\s|so\s)?"
            rf"(?:full\sof|filled\swith|bursting\swith|burning\swith|heavy\swith|elsewhere|made\sup|far\saway|{_MOOD}\b)"
        ),
        (
            rf"{_OWNER}\s(?:heart|mind|soul|spirits?|thoughts?)\s{_VERY}(?:was|were|is|had|ached?|aches|sank|sinks|burned|broke"
            r"|breaks|filled|longed|wanted|leap(?:t|ed)|soared|wandered)\b(?!\s(?:beating|racing|pounding|thumping|weak|strong|bad|failing|a)\b)"
        ),
    ),
    reading=(
        r"\b(?:read|reads|reading)\s(?:\w+['’]s|her|his|their)\s(?:mind|minds|thoughts|heart)\b"
        r"|\b(?:hear|hears|heard|hearing|listen\sto)\s(?:\w+['’]s|her|his|their)\s(?:thoughts?|mind)\b(?!\s(?:on|about)\b)"
        r"|\b(?:see|saw|look|looked)\s(?:right\s|straight\s)?into\s(?:\w+['’]s|her|his|their)\s(?:mind|heart|soul|thoughts)\b"
        r"|\bi\s(?:know|knew)\s(?:exactly\s)?what\s(?!i\b)[\w\s]{1,24}?\s(?:was|were|is|are)\s(?:thinking|feeling)"
    ),
    called=r"(?<!\w)(?:NAMES)(?!\w)",
    somebody=r"she|he|they|everyone|everybody|(?:both|all|none)\sof\sthem|the\sothers",
    behind=(
        r"(?:-\w+)?(?:\s(?:at|in|on|behind|beside|from|with)\s(?:the|a|my|our|his|her|their)\s\w+(?=\s(?:was|were|felt)\b)"
        r"|,\s(?:my|our|the|an?|his|her|their)\s[^,.!?\n]{1,24},)?"
    ),
    hedges=regex.compile(
        r"\b(?:seem(?:ed|s)?|perhaps|maybe|might|may|probably|possibly|presumably|supposedly|apparently"
        r"|look(?:ed|s)(?!\s(?:right\s|straight\s)?into)|sound(?:ed|s)|appear(?:ed|s)"
        r"|as\s(?:if|though)|(?:people|they|some)\ssay|if|whether|wondered|asked|says|tells|told|wrote"
        r"|admitted|confessed|whispered|shouted|called\sout"
        r"|said(?!\s(?:nothing|no\sword|hello|goodbye|good))|must\s(?:have|be)|could\shave|i\sheard(?!\s\S+(?:\s\S+)?\sthinking)"
        r"|i\s(?:had\s)?(?:(?:always|once|long|first|wrongly|mistakenly|foolishly)\s(?:thought|believed|assumed)"
        r"(?!\s(?:of|about)\b)|used\sto\s(?:think|believe|assume)(?!\s(?:of|about)\b)|convinced\smyself)"
        r"|i\s(?:was|had\sbeen)\s(?:\w+\s)?(?:(?:sure|certain|convinced)(?!\s(?:of|about)\b)|(?:wrong|mistaken)\sto\s(?:think|believe))"
        r"|i\s(?:think(?!\s(?:of|about)\b)|guess|guessed|suppose|supposed|imagine|imagined|believe|believed|wonder|suspect|suspected|assumed)"
        r"|i\s(?:\w+\s)?(?:wish|wished|hope|hoped|fear|feared|pray|prayed|worry|worried|doubt|doubted|dreamed|dreamt)"
        r"(?!\s(?:of|about|for)\b)|i(?:\s(?:was|am)|['’]m)\s(?:\w+\s)?(?:afraid|scared|terrified|worried|frightened)(?!\s(?:of|about)\b)"
        r"|(?:in|from|by)\s(?:her|his|their|the|a)\s(?:\w+\s)?(?:letter|note|diary|message)"
        rf"|i\s(?:thought|felt)\s(?!of\b|about\b|(?:her|his|their|\S+['’]s)\s(?:\w+\s)?{_MOOD}\b)|i['’]d\s(?:say|guess)"
        r"|(?:can|could|did|do)(?:\snot|n['’]t|\snever)\s(?:know|read|tell|see)|cannot\s(?:know|read|tell|see))\b"
    ),
    apart=_TURN,
    against=_TURN,
    inward=regex.compile(
        rf"(?:^|[,;]\s|\b(?:there|and|but)\s){_VERY}"
        rf"(?:{_FEELING}\b(?!\s(?:an?|the|me|us|her|him|them|his|their|my|our)\b)|(?:missing|hating|loving|envying|resenting|despising"
        r"|pitying|blaming)\s(?:me|us|her|him|them|his|their|my|our)\b|(?:longing|yearning)\s(?:for|to)\b|dreading\b|regretting\b)"
    ),
    persons=regex.compile(
        r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Captain|Aunt|Auntie|Uncle)\.?\s(?P<name>\p{Lu}[\p{L}-]+)"
        rf"|\b(?i:(?P<name>{_PERSON}))"
        rf"|\b(?i:the|my|our|his|her|their)\s(?:\p{{Ll}}+\s)?(?P<name>\p{{Ll}}[\p{{L}}-]+)(?<!{_PARTS})\s{_ASHAMED}"
        rf"|\b{_NO_NAME}(?P<name>\p{{Lu}}[\p{{L}}-]*\p{{Ll}})\s{_ASHAMED}"
        rf"|\b{_NO_NAME}"
        r"(?P<name>\p{Lu}[\p{L}-]*\p{Ll})(?:['’]s\s(?:heart|mind|thoughts|eyes|face|voice|hands?|smile)\b"
        r"|\s(?:(?:secretly|inwardly|privately|never|always|still|really|only|also|just|has|had)\s){0,3}"
        r"(?:hate[sd]?|loathe[sd]?|despise[sd]?|resent(?:s|ed)?|envie[sd]|adore[sd]|pitie[sd]|forgave|said|says|asked"
        r"|told|whispered|laughed|smiled|nodded|shrugged|sighed|wants?|wanted|wishe[sd]|hope[sd]|thinks?|thought"
        r"|believe[sd]?|regret(?:s|ted)|longed|knew|(?:loves?|loved|missed)\s(?:me|us))\b)"
    ),
    joints=regex.compile(r"(?:[,;.]|\b(?:and|but|then|while)\b)\s+"),
)
