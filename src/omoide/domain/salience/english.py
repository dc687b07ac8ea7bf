"""What signals look like in English. Patterns match folded text; an apostrophe may be curly or missing."""

from __future__ import annotations

from omoide.domain.salience.signal import Signal, compiled

_NOT = r"(?:don['’]?t|doesn['’]?t|didn['’]?t|do\snot|does\snot|never|can['’]?t\ssay\si)"
_VERY = r"(?:\s(?:really|also|still|just|absolutely|totally|do|always|actually|truly|even|too|so|both|all))*"
_FAMILY = r"""(?:mom|mum|mother|dad|father|parents|family|wife|husband|kids?|son|daughter|girlfriend|boyfriend
    |sister|brother|grand(?:ma|pa|mother|father|parents)|friends?)"""
# "love her" is love, "love her new album" is a liking.
_BELOVED = rf"""(?:you(?!r)|u|ya|him|me|each\sother|my\s(?:little\s|big\s)?{_FAMILY}
    |her(?=[.,!?]|$|\s(?:so|very|too|more|to|and|but|a\slot|with|even|dearly|still|already|forever)\b))\b"""

RULES = compiled(
    {
        Signal.LIKES: rf"""
            (?:i|we|they|(?<!if\s)(?<!would\s)(?<!as\s)you|who){_VERY}\s(?:liked?|loved?|enjoy(?:ed)?
                  |adored?|prefer)\b
                (?!\s{_BELOVED})(?!\sto\s(?:think|say))
          | (?:loves|enjoys|adores|prefers)\b(?!\s{_BELOVED}) | (?:he|she|it|who)\slikes\b
          | favou?rites?\b | fan\sof\b | big\sfan\b | fond\sof\b | obsessed\swith\b
          | (?:really|so|very|super|totally|big\stime)\sinto\b | hobb(?:y|ies)\b
          | can['’]?t\sget\senough\b
        """,
        Signal.DISLIKES: rf"""
            hate[sd]?\b(?!\sto\s(?:bother|say|break|ask|admit|interrupt|be\sthat)) | hating\b
          | dislik(?:e[sd]?|ing)\b
          | {_NOT}{_VERY}\s(?:much\s)?(?:liked?|loved?|enjoy|care\sfor)\b
          | can['’]?t\s(?:stand|bear|stomach)\b | detest | despise | loathe | disgust
          | not\s(?:much\sof\s)?(?:a\s|my\s)?(?:(?:big|huge)\s)?(?:fan\b|thing\b|cup\sof\stea)
          | sick\sof\b
          | fed\sup\swith\b | pet\speeve
        """,
        Signal.OCCASIONS: r"""
            b(?:irth|-)?days?\b | anniversar | weddings?\b | (?:re)?marr(?:y|ied|ying|ies)\b
          | (?:got|get|getting|are|we['’]re|i['’]m|is)\sengaged\b(?!\sin) | engagement\s(?:party|ring)
          | proposed\sto\b | graduat(?:ed|ion|ing)\b | graduates?\s(?:from|next|this|in\s)
        """,
        Signal.NAMES: r"""
            (?:my|your|his|her|their|our|its|whose|first|last|middle|family|maiden|pet|real
                  |full)\s(?:\w+\s)?names?\b
          | ['’]s\s(?:\w+\s)?names?\b
          | (?<!file\s)(?<!variable\s)(?<!domain\s)name(?:['’]s|\s(?:is|was))\b
          | nick-?name | named\b(?!\sas)
          | (?<!time\s)(?<!years\s)(?<!days\s)go(?:es)?\sby\s(?!the\sbook|bus|train|car|quick|fast|so\b|too\b)
          | (?:call|calling|calls)\s(?:me|you|him|her|them|it)\s
            (?!back|later|when|tomorrow|tonight|at\b|on\b|if\b|after|before|today|in\b|asap|now|up\b|out\b
                  |off\b|a\b|an\b
               |crazy|yesterday|last|about|again|every|and|to\b|from|for|so\b|as\s|or\b|soon|once|right)
        """,
        Signal.HABITS: r"""
            always\b(?!\swelcome) | never\b(?!\smind) | everyday\b(?!\s(?:life|use|carry|people|things))
          | every\s(?:single\s)?(?:day|morning|night|week|weekend|month|year|evening|time|\w+day|summer
                |winter)\b
          | habits?\b | routines?\b | on\s(?:mon|tues|wednes|thurs|fri|satur|sun)days\b
        """,
        Signal.FIRSTS: r"""
            first\s(?:ever|time|love|kiss|date|job|car|child|baby|kid|house|home|apartment|pet|crush
                  |marathon|concert)\b
          | (?:my|his|her|our|their|your|very)\s(?:very\s)?first\b(?!\s(?:names?|aid|few|floor))
          | (?:my|his|her|our|their|very)\slast\b(?!\s(?:names?|night|week|year|month|message|few
                |one\ssaid))
          | the\slast\s(?:time|day|one|words?|person|chance|ever)\b | for\sthe\slast\stime\b
          | (?:the|my|his|her|our)\sonly\b | only\s(?:child|son|daughter)\b | never\sbefore\b
          | once\sin\sa\slifetime\b
        """,
        Signal.WARMTH: rf"""
            (?<!no\s)thank(?:s|\syou|\su|ful)\b | thx\b | tysm\b | appreciate\b | grateful\b
          | (?:love|loves|loved|luv|adore)\s{_BELOVED} | in\slove\b | my\slove\b
          | miss(?:es|ed|ing)?\s(?:{_BELOVED}|them|us|home|those\sdays)
          | i{_VERY}\smiss\s(?!the\s(?:bus|train|point|flight|class|call|deadline)|out\b|a\s)
        """,
        Signal.HARDSHIP: r"""
            (?<!not\s)(?:scared|afraid(?!\s(?:i\scan|not\b|so\b|we\b))|terrified|frightened|lonely|sad
                  |depressed|anxious)\b
          | terrifying | frightening | scary\b | fears?\b | anxiety\b | panic\sattack
          | worried\b | (?<!don['’]t\s)(?<!dont\s)(?<!not\sto\s)worry\b | loneliness\b
          | all\salone\b | feel(?:ing)?\s(?:so\s)?alone\b
          | sadness\b | depress(?:ing|ion)\b | miserable\b | heartbr(?:oken|eak) | broke\sup\b
          | break-?up\b
          | (?:cry|cried|crying|sobbing)\b | in\stears\b | grie(?:f|v) | passed\saway\b | funeral\b
          | (?:mom|mum|mother|dad|father|grand\w+|dog|cat|friend|brother|sister|wife|husband|uncle|aunt|he
                |she)\s(?:just\s|has\s)?died\b
          | struggl | (?:hard|rough|tough|difficult)\s(?:time|day|week|month|year)s?\b | so\shard\son\b
          | (?<!de-)stress(?:ed|ful|ing)?\b | overwhelm | burn(?:ed|t)?[\s-]?out\b | laid\soff\b
          | got\sfired\b
          | lost\smy\s(?:job|mom|mum|dad|dog|cat|mother|father|grand\w+|friend|wife|husband)
          | hopeless\b | suicid | want\sto\sdie\b
        """,
    },
    before=r"\b(?=[a-z'’])",  # of the two edges of a word, the first
)
