"""Words of English that tell what goes on in another, and those that make a guess of it."""

from __future__ import annotations

from typing import Final

import regex

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
_MOOD: Final = any_of(
    """joy happiness grief shame guilt envy jealousy anger rage relief fear pity hatred sadness loneliness love pride
    despair longing"""
)
_OF_ME: Final = any_of(
    """hate[sd]? loathe[sd]? love[sd]? adore[sd]? env(?:y|ies|ied) resent(?:s|ed)? despise[sd]? blame[sd]?
    pit(?:y|ies|ied) forg(?:ive|ives|ave|iven) miss(?:es|ed)? (?:dis)?like[sd]? admire[sd]? respect(?:s|ed)?
    doubt(?:s|ed)? fear(?:s|ed)? (?:dis|mis)?trust(?:s|ed)?(?!\\s\\w+\\swith\\b) worship(?:s|ped)? idoli[sz]e[sd]?"""
)
_VERY: Final = (
    r"(?:(?:\w+ly|so|very|too|quite|still|just|always|never|not|a\slittle|a\sbit|already|also|both|all|far\smore|more"
    r"|most|once|ever|even|deep\sdown)\s){0,3}"
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

_WHO: Final = rf"(?:(?:NAMES)\s(?:who\s)?|{_GOES_ON}){_MAY}{_VERY}"
_BE: Final = any_of("was is were are been became grew got gets")
_OTHER: Final = r"(?:he|she|they|it|nobody|no\sone|everyone|the\s\w+|my\s\w+)"

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
        r"(?:thinks|thought|believed|believes|knew|knows|hoped|hopes|feared|realised|realized)\s"
        rf"(?:that\b|i\b|we\b|{_OTHER}\s(?:was|were|had|would|could|should|did|loved|hated)\b|of\sme\b|about\sme\b|me\b)"
    ),
    (
        r"(?:want(?:s|ed)\s(?:to|me|us|that|nothing|more)|(?:longed|longs|yearned|yearns)\s(?:to|for)"
        r"|wish(?:es|ed)\s(?:to|that|for|i|we|she|he|they|it))\b"
    ),
    r"(?:regrett?|resent|dread|despis|loath|envi)(?:s|es|ed)\b",
    r"(?:stand|bear)\s(?:me|us|my)\b",
    r"(?:cared|cares)\s(?:about|for|nothing)\b",
    rf"{_OF_ME}\s(?:me|us|it\sthat|myself)\b",
    rf"{_BE}\s{_VERY}(?:thinking|dreaming|daydreaming|brooding|worrying|wondering)\s(?:about|of|over|how|why|what|that)\b",
)

RULES: Final = MindRules(
    knowing=(
        rf"{_WHO}(?:{'|'.join(_FEELS)})",
        (
            rf"\bi\s(?:knew|know|could\ssense|sensed)\s(?:that\s)?(?:NAMES)\s{_VERY}"
            r"(?:felt|hated|loved|missed|feared|thought|wanted|wished|hoped)\b"
        ),
        rf"\b(?:feel|felt|sense|sensed|know|knew)\s(?:NAMES)['’]s\s(?:\w+\s)?{_MOOD}\b",
        (
            r"(?:NAMES)\s(?:secretly|inwardly|privately|deep\sdown|in\s(?:her|his|their)\s(?:heart|mind|head)),?\s"
            r"[^.!?\n]{0,20}?(?:thought|thinks|felt|feels|wanted|wants|wished|wishes|hoped|hated|loved|knew|envied|longed"
            r"|was|were|feared|regretted)\b"
        ),
        r"\b(?:secretly|deep\sdown|inwardly|in\s(?:her|his|their)\s(?:heart|mind)),?\s(?:NAMES)\s(?!said|told)",
        (
            r"(?:NAMES)['’]s\s(?:head|heart|mind|chest|soul|thoughts?)\s(?:was|were|is|are)\s(?:all\s|still\s|so\s)?"
            rf"(?:full\sof|filled\swith|bursting\swith|burning\swith|heavy\swith|elsewhere|made\sup|far\saway|{_MOOD}\b)"
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
    reading=(
        r"\b(?:read|reads|reading)\s(?:\w+['’]s|her|his|their)\s(?:mind|minds|thoughts|heart)\b"
        r"|\b(?:hear|hears|heard|hearing|listen\sto)\s(?:\w+['’]s|her|his|their)\s(?:thoughts?|mind)\b(?!\s(?:on|about)\b)"
        r"|\b(?:see|saw|look|looked)\s(?:right\s|straight\s)?into\s(?:\w+['’]s|her|his|their)\s(?:mind|heart|soul|thoughts)\b"
        r"|\bi\s(?:know|knew)\s(?:exactly\s)?what\s(?!i\b)[\w\s]{1,24}?\s(?:was|were|is|are)\s(?:thinking|feeling)"
    ),
    somebody=(
        r"she|he|they|(?:my|our)\s(?:\w+\s)?(?:sisters?|brothers?|mother|mum|mom|father|dad"
        r"|grandmother|grandfather|friends?)"
    ),
    behind=r"(?:-\w+)?(?:,\s(?:my|our|the|an?|his|her|their)\s[^,.!?\n]{1,24},)?",
    hedges=regex.compile(
        r"\b(?:seem(?:ed|s)?|perhaps|maybe|might|may|probably|possibly|presumably|supposedly|apparently"
        r"|look(?:ed|s)(?!\s(?:right\s|straight\s)?into)|sound(?:ed|s)|appear(?:ed|s)"
        r"|as\s(?:if|though)|if|whether|wondered|asked|says|tells|told|wrote|admitted|confessed|whispered|shouted|called\sout"
        r"|said(?!\s(?:nothing|no\sword|hello|goodbye|good))|must\s(?:have|be)|could\shave|i\sheard"
        r"|i\s(?:think(?!\s(?:of|about)\b)|guess|guessed|suppose|supposed|imagine|imagined|believe|believed|wonder|suspect|suspected|assumed)"
        r"|i\s(?:\w+\s)?(?:wish|wished|hope|hoped|fear|feared|pray|prayed|worry|worried|doubt|doubted|dreamed|dreamt)"
        r"(?!\s(?:of|about|for)\b)|i(?:\s(?:was|am)|['’]m)\s(?:\w+\s)?(?:afraid|scared|terrified|worried|frightened)(?!\s(?:of|about)\b)"
        r"|(?:in|from|by)\s(?:her|his|their|the|a)\s(?:\w+\s)?(?:letter|note|diary|message)"
        r"|i\s(?:thought|felt)\s(?!of\b|about\b)|i['’]d\s(?:say|guess)"
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
        r"\b(?!(?:I|It|This|That|What|Which|There|Nothing|Everything|Something|Life|Fate|God|Death|The|You|Who|And|But|So)\b)"
        r"(?P<name>\p{Lu}[\p{L}-]*\p{Ll})(?:['’]s\s(?:heart|mind|thoughts|eyes|face|voice|hands?|smile)\b"
        r"|\s(?:(?:secretly|inwardly|privately|never|always|still|really|only|also|just|has|had)\s){0,3}"
        r"(?:hate[sd]?|loathe[sd]?|despise[sd]?|resent(?:s|ed)?|envie[sd]|adore[sd]|pitie[sd]|forgave|said|says|asked"
        r"|told|whispered|laughed|smiled|nodded|shrugged|sighed|wants?|wanted|wishe[sd]|hope[sd]|thinks?|thought"
        r"|believe[sd]?|regret(?:s|ted)|longed|knew|(?:loves?|loved|missed)\s(?:me|us))\b)"
    ),
    joints=regex.compile(r"(?:[,;.]|\b(?:and|but|then|while)\b)\s+"),
)
