"""What a discussion costs in tokens, for each kind of call.

    python -m benchmarks.discussion [--json] [--local] [--sample NAME]

Each of the samples is brought into a store of its own, and its characters discuss one topic: once so that all
passes, and once so that every memory is written a second time. The prompts are the real ones; a scripted
model says what is of a usual length in the language of the sample. Tokens are as Omoide estimates them.
Without `--local` recall goes by words alone, so that the figures are the same on any machine.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from benchmarks.arguments import parser_of, print_json
from omoide import Omoide
from omoide.authoring import carry_in, read_folder
from omoide.characters import Characters
from omoide.domain.text import tokens
from omoide.factory import Factory
from omoide.factory.answers import Criterion, Danger
from omoide.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omoide.domain.chat import Turn

SAMPLES: Final = Path(__file__).parent.parent / "samples"
STEPS: Final = ("speak", "write", "judge", "check")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A sample, its topic, and what is said of it: aloud, in a diary, and as a reason."""

    topic: str
    aloud: str
    diary: str
    reason: str


TALKS: Final = {
    "sisters": Sample(
        topic="ロサンゼルスの学校の発表会",
        aloud=(
            "あの日の講堂、覚えてる? わたしは幕の裏で、譜面を三回も落としたんだ。"
            "拾うたびに手が冷たくなっていった。"
        ),
        diary=(
            "講堂の照明は思っていたより白くて、わたしは自分の靴の先ばかり見ていた。"
            "最初の音が出たとき、床がかすかに鳴った。あの音を今日の話でもう一度聞いた気がする。"
            "忘れたと思っていたのに、指のほうが先に思い出した。"
        ),
        reason="語り手自身の感覚で一貫して語られ、記憶とも食い違わない。",
    ),
    "brothers-ko": Sample(
        topic="항구 축제",
        aloud=(
            "그날 부두에서 등불 떠내려가던 거 기억나? 나는 제일 앞에 서 있다가 신발 한 짝을 물에 빠뜨렸잖아."
        ),
        diary=(
            "부두 끝에 앉으면 발이 물에 닿지 않았다. 나는 등불을 세다가 몇 번이나 처음부터 다시 셌다. "
            "오늘 이야기를 하다 보니 젖은 밧줄 냄새가 먼저 떠올랐다. 다 잊은 줄 알았는데 그렇지 않았다."
        ),
        reason="자기 목소리로 끝까지 말하고, 기억과 어긋나는 곳이 없다.",
    ),
    "siblings-en": Sample(
        topic="the night of the flood",
        aloud=(
            "Do you remember the kettle on the landing? I carried it up four times that night, and every "
            "time I spilled half of it."
        ),
        diary=(
            "I had forgotten how loud the house was that night. I sat on the stairs and counted the steps "
            "that were still dry until I ran out of them. Talking about it today, I felt the cold rail under "
            "my hand again before I could have said where I was. I thought I had lost all of it."
        ),
        reason="It is told from inside throughout, and nothing in it goes against what is remembered.",
    ),
}


@dataclass(kw_only=True, slots=True)
class Cost:
    """What the calls of one kind cost: the tokens of each prompt, and of each answer."""

    prompts: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """The calls of one kind in one discussion."""

    sample: str
    revised: bool
    step: str
    calls: int
    least: int
    most: int
    prompt: int
    answer: int


class Played:
    """Plays every part of one discussion, and counts."""

    def __init__(self, sample: Sample, *, revised: bool) -> None:
        self._sample = sample
        self._revised = revised
        self.costs = {step: Cost() for step in STEPS}

    def model(self) -> ScriptedModel:
        """As a model."""
        return ScriptedModel(replies=self._reply, answers=self._answer)

    def _reply(self, turns: Sequence[Turn]) -> str:
        self._count("speak", turns, self._sample.aloud)
        return self._sample.aloud

    def _answer(self, turns: Sequence[Turn]) -> dict[str, Any]:
        rules = turns[0].text
        if Criterion.OTHER_MINDS in rules:
            step, said = "judge", self._marks()
        elif Danger.SELF_HARM in rules:
            step, said = "check", {**{danger.value: 0 for danger in Danger}, "taboos": [], "reason": ""}
        else:
            step, said = "write", self._diary()
        self._count(step, turns, json.dumps(said, ensure_ascii=False))
        return said

    def _diary(self) -> dict[str, Any]:
        """Another one each time: nobody writes another's words, nor its own again."""
        number = len(self.costs["write"].prompts) + 1
        scores = [{"name": name, "value": 4} for name in ("joy", "sadness", "anxiety", "frustration")]
        text = f"{self._sample.diary} ({number})"
        return {"text": text, "scores": scores, "importance": 6, "thought": self._sample.aloud}

    def _marks(self) -> dict[str, Any]:
        """Where all is to be revised, every first writing is too weak and every second one is not."""
        weak = self._revised and len(self.costs["judge"].prompts) % 2 == 0
        mark = {"score": 3 if weak else 8, "reason": self._sample.reason}
        return {criterion.value: mark for criterion in Criterion}

    def _count(self, step: str, turns: Sequence[Turn], said: str) -> None:
        self.costs[step].prompts.append(sum(tokens(turn.text) for turn in turns))
        self.costs[step].answers.append(tokens(said))


def main() -> None:
    """Run all discussions, and print what they cost."""
    parser = parser_of(__doc__)
    parser.add_argument("--local", action="store_true", help="recall by meaning too, with the local embedder")
    parser.add_argument("--sample", action="append", choices=TALKS, help="only this one; may be repeated")
    options = parser.parse_args()
    embedder = "local" if options.local else "none"
    rows = [
        row
        for name in options.sample or TALKS
        for revised in (False, True)
        for row in asyncio.run(discussed(name, revised=revised, embedder=embedder))
    ]
    if options.json:
        print_json([asdict(row) for row in rows])
        return
    print("| Sample | Revised | Step | Calls | Prompt each | Prompts together | Answers together |")
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        each = f"{row.least:,}" if row.least == row.most else f"{row.least:,} to {row.most:,}"
        shown = (row.sample, "all" if row.revised else "none", row.step, row.calls, each)
        print(f"| {' | '.join(map(str, shown))} | {row.prompt:,} | {row.answer:,} |")


async def discussed(name: str, *, revised: bool, embedder: str) -> list[Row]:
    """What one discussion costs, a row for each kind of call, and one for all of it."""
    played = Played(TALKS[name], revised=revised)
    with TemporaryDirectory() as folder:
        given: dict[str, Any] = {"embedder": embedder, "master_key_file": Path(folder, "key")}
        async with Omoide.open(Path(folder, "life.db"), models=played.model(), **given) as omoide:
            lives = read_folder(SAMPLES / name)
            await carry_in(omoide, lives)
            factory = Factory(omoide, Characters.load(SAMPLES / name, samples=False))
            job = await factory.discuss(
                TALKS[name].topic, characters=[one.folder.name for one in lives.lives]
            )
    writings = {len(account.versions) for account in job.discussion.accounts}
    if writings != {2 if revised else 1}:
        msg = f"the discussion of {name} went another way than it was to go: {job.state}"
        raise RuntimeError(msg)
    every = Cost()
    for cost in played.costs.values():
        every.prompts += cost.prompts
        every.answers += cost.answers
    return [
        Row(
            sample=name,
            revised=revised,
            step=step,
            calls=len(cost.prompts),
            least=min(cost.prompts),
            most=max(cost.prompts),
            prompt=sum(cost.prompts),
            answer=sum(cost.answers),
        )
        for step, cost in {**played.costs, "together": every}.items()
    ]


if __name__ == "__main__":
    main()
