"""Positions at the disputed places of the rules, each with the words of a rulebook that decide it.

What is expected was read off these words (`en p. 12` is page 12 of the English book; RULES.md, S-11), never off a run.
The printed values are fixed here: what anybody reads off a card later changes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from spyrium_log.sheet import Printed
from spyrium_log.title import FinalCount
from spyrium_log.titles.spyrium import SPYRIUM
from spyrium_log.titles.spyrium.moves import MatAt
from spyrium_log.titles.spyrium.options import EDITIONS, Options
from tests.scribe import market, mat, workers
from tests.spyrium.corpus import EIGHT, NEXT, At, at, buildings, done, on_event, you

PRINTED = {
    "mine-1": (2, 1),
    "workshop-1": (3, 2),
    "laboratory-1": (4, 3),
    "factory-1": (6, 5),
    "luxury-home": (5, 6),
    "residence-1": (3, 3),
    "apprentice": (0, None),
    "adviser": (2, None),
    "bureaucrat": (1, None),
    "architect": (2, None),
}
SHEET = SPYRIUM.sheet().with_readings(
    *(
        Printed(of=card, what=what, value=value, source="read")
        for card, values in PRINTED.items()
        for what, value in zip(("price", "points"), values, strict=True)
        if value is not None
    ),
    *(
        Printed(of="residence-track", what=f"space-{n}", value=value, source="read")
        for n, value in enumerate((2, 3, 4, 5, 7), 1)
    ),
)


class Disputed(NamedTuple):
    """`moved` is None where the act is refused. `corrected`: by how much seat 1's score was corrected before."""

    name: str
    words: str
    at: At
    act: Any
    moved: str | None
    facts: tuple[tuple[Any, ...], ...] = ()
    corrected: int = 0


def by(place: At, options: Options | str) -> At:
    """The position by an edition's preset, or by other options, on the sheet of this page."""
    chosen = options if isinstance(options, Options) else Options(**_by_fields(EDITIONS[options].readings))
    return replace(place, options=chosen, sheet=SHEET)


def _by_fields(readings: Mapping[str, str]) -> dict[str, Any]:
    """The readings by the fields of the options: `crane_discount` for `crane-discount`."""
    return {name.replace("-", "_"): reading for name, reading in readings.items()}


OTHERS = (mat(2, passed=True), mat(3, passed=True))
REVENUE = "money +2 revenue, 2 money +2 revenue, 3 money +2 revenue"
USUAL = Options()


def final(*cards: str, **own: Any) -> At:
    """The end of a game: seat 1 without anything but these buildings and what is said."""
    bare: dict[str, Any] = {"points": 0, "money": 0, "spyrium": 0, "bonuses": ()}
    return done(MatAt(seat=1, buildings=buildings(*cards), **{**bare, **own}), round=6)


ENGINEERS = final("workshop-1", "laboratory-1", "mine-1", techniques=("engineering",))
FACTORIES = final("factory-1", "laboratory-1", techniques=("engineering",))

ENGINEERING = (
    Disputed(
        "Engineering: the printed points of Workshop and Laboratory again",
        "en p. 12: the value of their buildings with a Factory symbol",
        by(ENGINEERS, "en"),
        FinalCount(),
        "points +6 final:buildings, points +5 final:engineering",
    ),
    Disputed(
        "Engineering: the same in Polish",
        "pl p. 12: ile wynosi suma wartości punktowej jego",
        by(ENGINEERS, "pl"),
        FinalCount(),
        "points +6 final:buildings, points +5 final:engineering",
    ),
    Disputed(
        "Engineering: one for Workshop and Laboratory each, none for the Mine",
        "ru-desktopgames p. 12: числу зданий",
        by(ENGINEERS, "ru-desktopgames"),
        FinalCount(),
        "points +6 final:buildings, points +2 final:engineering",
    ),
    Disputed(
        "Engineering: eight points are seven",
        "en p. 6: with a maximum of 7 points per technique",
        by(FACTORIES, "en"),
        FinalCount(),
        "points +8 final:buildings, points +7 final:engineering",
    ),
)

# Five workers and Taylorism as a round ends, on space 2 of the track like everybody.
ROUND_ENDS = done(MatAt(seat=1, points=0, workers=5, techniques=("taylorism",)))
DEAL = f"deal {NEXT} mine-1 {EIGHT}"

TAYLORISM_SCORES = (
    Disputed(
        "Taylorism: nothing as a round ends",
        "en p. 12: End of the game: the player scores 1 point for each worker owned",
        by(ROUND_ENDS, "en"),
        DEAL,
        REVENUE,
    ),
    Disputed(
        "Taylorism: five points as a round ends",
        "ru p. 14: Конец раунда: игрок получает по 1 победному очку за каждого своего рабочего",
        by(ROUND_ENDS, "ru"),
        DEAL,
        f"{REVENUE}, points +5 taylorism",
    ),
    Disputed(
        "Taylorism: the five points of a round that bring a bonus",
        "ru p. 9: игрок тут же получает бонус на выбор",
        by(done(MatAt(seat=1, points=4, workers=5, techniques=("taylorism",))), "ru"),
        DEAL,
        f"{REVENUE}, points +5 taylorism",
        (("BonusDue", 1),),
    ),
    Disputed(
        "Taylorism: five points at the end of the game",
        "pl p. 12: Koniec gry: gracz zdobywa 1 punkt zwycięstwa za każdego",
        by(final(techniques=("taylorism",), workers=5), "pl"),
        FinalCount(),
        "points +5 final:taylorism",
    ),
)

WORKS: dict[str, Any] = {"active": 3, "techniques": ("taylorism",)}
UPRIGHT = at(you(buildings=buildings("mine-2"), **WORKS), workers=())
INCLINED = at(you(buildings=buildings("mine-2/"), **WORKS), workers=())
SENT = ("WorkersSent", 1, 1, 1)

TAYLORISM_ACTION = (
    Disputed(
        "Taylorism takes a building that is inclined, in an action of its own",
        "en p. 12: can straighten an inclined building and immediately use it again (during the same action)",
        by(INCLINED, "en"),
        "r1.1",
        "spyrium +1 effect",
    ),
    Disputed(
        "Taylorism does not take a building that stands upright",
        "en p. 12: an inclined building",
        by(UPRIGHT, "en"),
        "r1.1",
        None,
    ),
    Disputed(
        "Taylorism is no part of the first use",
        "pl p. 12: przywrócić do pionu Budynek obrócony o 90°",
        by(UPRIGHT, "pl"),
        "u1.2.2",
        None,
    ),
    Disputed(
        "Taylorism in the turn of the first use, its worker paid again",
        "ru p. 14: повторно задействовать повёрнутое здание (в тот же ход)",
        by(UPRIGHT, "ru"),
        "u1.2.2",
        "spyrium +4 effect",
        (SENT, SENT),
    ),
    Disputed(
        "Taylorism in a turn of its own in the same book",
        "ru p. 14: Один раз за раунд игрок может повторно задействовать повёрнутое здание",
        by(INCLINED, "ru"),
        "r1.2",
        "spyrium +2 effect",
        (SENT,),
    ),
    Disputed(
        "Overtime in the same book, whose `in the same turn` chains nothing",
        "ru p. 10: тратит 1 £ и сразу же (в тот же ход) повторно задействует повёрнутое здание",
        by(on_event("overtime", you(active=3, buildings=buildings("mine-2/")), workers=()), "ru"),
        "e u1.1",
        "money -1 event, spyrium +1 effect",
    ),
    Disputed(
        "Taylorism for the second time in a round",
        "ru p. 14: Один раз за раунд",
        by(at(you(buildings=buildings("mine-2/"), tilted=("taylorism",), **WORKS), workers=()), "ru"),
        "r1.1",
        None,
    ),
    Disputed(
        "a table that only chains does not reuse in a turn of its own",
        "ru p. 14: (в тот же ход), read so that both uses are one turn",
        by(INCLINED, Options(taylorism_action="chained")),
        "r1.1",
        None,
    ),
)


def workshop(**own: Any) -> At:
    """One active worker, four Spyrium, a Workshop that stands upright and Taylorism."""
    usual: dict[str, Any] = {"active": 1, "spyrium": 4, "techniques": ("taylorism",), "points": 6}
    return at(you(buildings=buildings("workshop-1"), **{**usual, **own}), workers=())


TAKEN = ("BonusTaken", 1, "worker")

BONUS_AT_ONCE = (
    Disputed(
        "the first use passes 8, and the bonus worker is sent by the second",
        "ru p. 9: получает бонус на выбор … рабочего из запаса (он выставляется на стартовую карту уже активным)",
        by(workshop(), "ru"),
        "u1.1.1",
        "spyrium -2 effect, points +6 effect, workers +1 bonus",
        (SENT, SENT, TAKEN),
    ),
    Disputed(
        "the first use stays short of 8",
        "ru p. 9: Как только диск игрока оказывается на 8-м делении",
        by(workshop(points=4), "ru"),
        "u1.1.1",
        None,
    ),
    Disputed(
        "Engineering's point takes the first use to 8",
        "ru p. 14: по 1 дополнительному победному очку за каждого рабочего",
        by(workshop(points=4, techniques=("taylorism", "engineering")), "ru"),
        "u1.1.1",
        "spyrium -2 effect, points +6 effect, points +2 engineering, workers +1 bonus",
        (SENT, SENT, TAKEN),
    ),
    Disputed(
        "no worker is left to come as a bonus",
        "ru p. 2: 35 рабочих (по 7 каждого цвета)",
        by(workshop(workers=7), "ru"),
        "u1.1.1",
        None,
    ),
    Disputed(
        "no worker for the first use, which nothing brings before it",
        "ru p. 6: Если для выбранного эффекта нужны рабочие, игрок обязан взять их",
        by(workshop(active=0), "ru"),
        "u1.1.1",
        None,
    ),
    Disputed(
        "the worker that is left comes by itself at 20",
        "ru p. 9: он сразу же получает второй бонус",
        by(workshop(points=18, bonuses=("worker",)), "ru"),
        "u1.1.1",
        "spyrium -2 effect, points +6 effect, workers +1 bonus",
        (SENT, SENT, TAKEN),
    ),
    Disputed(
        "at 20 the £5 are left, and they are no worker",
        "ru p. 9: он сразу же получает второй бонус",
        by(workshop(points=18, bonuses=("money",)), "ru"),
        "u1.1.1",
        None,
    ),
    Disputed(
        "with both workers at hand the bonus is chosen afterwards",
        "ru p. 9: получает бонус на выбор",
        by(workshop(active=2), "ru"),
        "u1.1.1",
        "spyrium -2 effect, points +6 effect",
        (SENT, SENT, ("BonusDue", 1)),
    ),
    Disputed(
        "8 and 20 passed within one act: the worker for it, and the £5",
        "ru p. 9: второй оставшийся жетон кладётся рядом",
        by(
            at(
                you(points=6, active=3, spyrium=10, techniques=("taylorism",), buildings=buildings("factory-2")),
                workers=(),
            ),
            "ru",
        ),
        "u1.2.2",
        "spyrium -10 effect, points +30 effect, workers +1 bonus, money +5 bonus",
        (("WorkersSent", 1, 1, 2), ("WorkersSent", 1, 1, 2), TAKEN, ("BonusTaken", 1, "money")),
    ),
    Disputed(
        "a use alone that passes 8",
        "en p. 7: As soon as a player reaches or goes over 8 victory points",
        by(workshop(), "en"),
        "u1.1",
        "spyrium -1 effect, points +3 effect",
        (SENT, ("BonusDue", 1)),
    ),
)

# A Mine over a Mine: one building stands, two were built. Then a Workshop on a new site.
REBUILT = at(
    you(money=20, active=1, buildings=buildings("mine-1")),
    *OTHERS,
    market=market("mine-1", "-", "workshop-1"),
    workers=workers(g12="1", g23="1"),
    before=["a12.1 o1"],
)

BUILDING_COUNT = (
    Disputed(
        "a site for the one building that stands",
        "en p. 5: £1 for each building the player already owns",
        by(REBUILT, "en"),
        "a23.3",
        "money -3 price, money -1 site",
    ),
    Disputed(
        "a site where the book can be read both ways",
        "ru p. 6: равна числу возведённых игроком зданий; p. 7: на возведённых в своих районах зданиях",
        by(REBUILT, "ru"),
        "a23.3",
        "money -3 price, money -1 site",
    ),
    Disputed(
        "a site for both buildings that were ever built",
        "ru p. 6: числу возведённых игроком зданий, read of all of them",
        by(REBUILT, Options(building_count="ever-built")),
        "a23.3",
        "money -3 price, money -2 site",
    ),
)

CRANE_REBUILT = at(
    you(active=2, points=0, bonuses=(), techniques=("crane",), buildings=buildings("mine-1")),
    *OTHERS,
    market=market("mine-1"),
    round=6,
    before=["a12.1 o1", "x"],
)

CRANE_SCORES = (
    Disputed(
        "the Crane: a point for the Mine that stands",
        "en p. 12: 1 point for each building owned",
        by(CRANE_REBUILT, "en"),
        FinalCount(),
        "points +1 final:buildings, points +1 final:crane",
    ),
    Disputed(
        "the Crane: the same in Polish",
        "pl p. 12: za każdy posiadany Budynek",
        by(CRANE_REBUILT, "pl"),
        FinalCount(),
        "points +1 final:buildings, points +1 final:crane",
    ),
    Disputed(
        "the Crane: the same in the first Russian book",
        "ru p. 14: за каждое своё здание",
        by(CRANE_REBUILT, "ru"),
        FinalCount(),
        "points +1 final:buildings, points +1 final:crane",
    ),
    Disputed(
        "the Crane: a point also for the Mine that was replaced",
        "ru-desktopgames p. 12: за каждое построенное здание",
        by(CRANE_REBUILT, "ru-desktopgames"),
        FinalCount(),
        "points +1 final:buildings, points +2 final:crane",
    ),
)

RESIDENCE = at(you(), market=market("residence-1"))
ARCHITECT = at(you(), market=market("architect:12"))
ESTATE = on_event("estate", you(residence=2), workers=())
AT_THE_END = on_event("estate", you(residence=5), workers=())

RESIDENCE_ACTION = (
    Disputed(
        "a Residence whose action is declined",
        "en p. 7: The player who benefits from it can, at their choice",
        by(RESIDENCE, "en"),
        "a12.1 rk",
        "money -3 price",
    ),
    Disputed(
        "an Architect whose action is declined: the token is paid",
        "pl p. 7: Gracz, który korzysta z symbolu może",
        by(ARCHITECT, "pl"),
        "a12.1 t2 rk",
        "money -2 price, money -2 token",
    ),
    Disputed(
        "the event's action is declined: the Spyrium is paid",
        "ru-desktopgames p. 7: игрок может выбрать одно из следующего",
        by(ESTATE, "ru-desktopgames"),
        "e rk",
        "spyrium -1 event",
    ),
    Disputed(
        "a Residence whose action has to be taken",
        "ru p. 8: игрок обязан сразу же",
        by(RESIDENCE, "ru"),
        "a12.1 rk",
        None,
    ),
    Disputed(
        "an Architect whose action has to be taken",
        "ru p. 8: игрок обязан сразу же",
        by(ARCHITECT, "ru"),
        "a12.1 t1 rk",
        None,
    ),
    Disputed(
        "the event's action has to be taken, and is: the disc moves",
        "ru p. 8: либо переместить диск своего цвета на счётчике резиденций на одно деление вправо",
        by(ESTATE, "ru"),
        "e rm",
        "spyrium -1 event, residence +1 event",
    ),
    Disputed(
        "the event's action scores the space of the disc",
        "en p. 7: or gain as many victory points as the current position of their disc",
        by(ESTATE, "en"),
        "e rs",
        "spyrium -1 event, points +3 event",
    ),
    Disputed(
        "no space to the right: no move, though the book says may",
        "en p. 7: either move their disc on the board's residence track one space to the right",
        by(AT_THE_END, "en"),
        "e rm",
        None,
    ),
    Disputed(
        "no space to the right: scoring is left",
        "en p. 7: or gain as many victory points",
        by(AT_THE_END, "en"),
        "e rs",
        "spyrium -1 event, points +7 event",
    ),
    Disputed(
        "no space to the right: both declined",
        "en p. 7: can, at their choice",
        by(AT_THE_END, "en"),
        "e rk",
        "spyrium -1 event",
    ),
    Disputed("nothing said of the action", "en p. 7: either … or", by(RESIDENCE, "en"), "a12.1", None),
)


def crane(*cards: str, crowd: str = "1", **own: Any) -> At:
    """A Mine for £2 and the Crane; `crowd` is who stands in the gap."""
    return at(
        you(**{"money": 20, "techniques": ("crane",), "buildings": buildings(*cards), **own}),
        mat(2, active=2),
        market=market("mine-1"),
        workers=workers(g12=crowd),
    )


FOUR = ("palace", "mansion", "luxury-home", "residence-1")

CRANE_DISCOUNT = (
    Disputed(
        "the Crane saves nothing of a site that is free",
        "en p. 12: they pay £3 less (to a minimum of £0) for that space",
        by(crane(crowd="12"), "en"),
        "a12.1",
        "money -2 price, money -1 crowd",
    ),
    Disputed(
        "the Crane saves £3 of all that is paid on a new site",
        "pl p. 12: wznosi Budynek w nowym miejscu płaci £3 mniej (minimum £0)",
        by(crane(crowd="12"), "pl"),
        "a12.1",
        "money -2 price, money -1 crowd, money +3 crane",
    ),
    Disputed(
        "the Crane saves £2 of £2",
        "pl p. 12: (minimum £0)",
        by(crane(), "pl"),
        "a12.1",
        "money -2 price, money +2 crane",
    ),
    Disputed(
        "the Crane saves £3 of the fifth site",
        "en p. 12: £3 less",
        by(crane(*FOUR), "en"),
        "a12.1",
        "money -2 price, money -4 site, money +3 crane",
    ),
    Disputed(
        "the Crane saves the third site, and no more",
        "ru p. 14: платит за это место на 3",
        by(crane("palace", "mansion"), "ru"),
        "a12.1",
        "money -2 price, money -2 site, money +2 crane",
    ),
    Disputed(
        "the Crane saves nothing where no new site is bought",
        "pl p. 12: Budynek w nowym miejscu",
        by(crane("palace"), "pl"),
        "a12.1 o1",
        "money -2 price",
    ),
)


def keeper(n: int, **own: Any) -> At:
    """A Bureaucrat with tokens 2 and 3 for somebody whose Commerce has kept so many."""
    return at(you(techniques=("commerce",), kept=(1,) * n, points=0, **own), market=market("bureaucrat:23"))


WINDFALL = on_event("windfall", you(techniques=("commerce",)), workers=())

COMMERCE = (
    Disputed(
        "the seventh token is kept",
        "pl p. 7: (maksymalnie do 7 sztuk)",
        by(keeper(6), "pl"),
        "a12.1 t3",
        "money -1 price, points +3 token",
        (("TokenKept", 1, 3),),
    ),
    Disputed(
        "the eighth token is discarded",
        "ru p. 8: (игрок не может собрать их больше 7)",
        by(keeper(7), "ru"),
        "a12.1 t3",
        "money -1 price, points +3 token",
    ),
    Disputed(
        "the eighth token where the limit is one of points",
        "en p. 12: (to a maximum of 7 points)",
        by(keeper(7), Options(commerce_limit="seven-points")),
        "a12.1 t3",
        "money -1 price, points +3 token",
        (("TokenKept", 1, 3),),
    ),
    Disputed(
        "eight tokens kept are seven points",
        "en p. 12: (to a maximum of 7 points)",
        by(final(techniques=("commerce",), kept=(1,) * 8), Options(commerce_limit="seven-points")),
        FinalCount(),
        "points +7 final:commerce",
    ),
    Disputed(
        "the event's token stays",
        "en p. 7: This token remains in place until the event is discarded",
        by(WINDFALL, "en"),
        "e money",
        "money +2 token",
    ),
    Disputed(
        "the event's token stays where the book says both",
        "pl p. 7: Żeton pozostaje na karcie; p. 12: Wydarzenie z żetonem, gracz zabierając żeton",
        by(WINDFALL, "pl"),
        "e money",
        "money +2 token",
    ),
    Disputed(
        "the event's token is taken",
        "pl p. 12: Wydarzenie z żetonem, gracz zabierając żeton",
        by(WINDFALL, Options(commerce_event_token="taken")),
        "e money c3",
        "money +2 token, money +1 commerce",
        (("EventTokenTaken", 1),),
    ),
)


def recruits(**own: Any) -> At:
    return on_event("recruitment", you(**own), workers=())


RECRUITMENT = (
    Disputed(
        "recruitment: £3 for three workers, one new one",
        "en p. 8: spends £1 for each worker they possess to take a new worker",
        by(recruits(workers=3, active=2), "en"),
        "e",
        "money -3 event, workers +1 event",
    ),
    Disputed(
        "recruitment: a plural without a number is one",
        "ru-desktopgames p. 8: берет из банка новых рабочих",
        by(recruits(workers=3, active=2), "ru-desktopgames"),
        "e",
        "money -3 event, workers +1 event",
    ),
    Disputed(
        "recruitment: a new worker for each pound",
        "ru-desktopgames p. 8: тратит 1£ за каждого своего рабочего и берет из банка новых рабочих",
        by(recruits(workers=3, active=2), Options(recruitment_count="one-per-pound")),
        "e",
        "money -3 event, workers +3 event",
    ),
    Disputed(
        "recruitment: a worker for each pound, as far as there are seven",
        "ru-desktopgames p. 2: 35 рабочих (по 7 каждого цвета)",
        by(recruits(workers=5, active=4), Options(recruitment_count="one-per-pound")),
        "e",
        "money -5 event, workers +2 event",
    ),
    Disputed(
        "recruitment: £2 for three workers",
        "en p. 8: £1 for each worker they possess",
        by(recruits(workers=3, active=2, money=2), "en"),
        "e",
        None,
    ),
)

EMPTY_GAP = at(you(techniques=("capitalization",)), workers=workers(g58="1"))

CAPITALIZATION = (
    Disputed(
        "Capitalization between two empty spaces",
        "en p. 12: Each time the player removes a worker to gain money, the player gains £2 more",
        by(EMPTY_GAP, "en"),
        "g58",
        "money +2 capitalization",
    ),
    Disputed(
        "Capitalization, read by the other sentence",
        "en p. 5: the player gains nothing",
        by(EMPTY_GAP, Options(empty_gap_capitalization="nothing")),
        "g58",
        "",
    ),
    Disputed(
        "Capitalization beside a card, nobody else around",
        "en p. 5: £1 from the bank for each other worker adjacent to that card",
        by(at(you(techniques=("capitalization",))), Options(empty_gap_capitalization="nothing")),
        "g12.1",
        "money +2 capitalization",
    ),
)

BESIDE_ADVISER = at(you(), market=market("mine-1", "adviser"))
BESIDE_APPRENTICE = at(you(), market=market("mine-1", "apprentice"))

EFFECTS = (
    Disputed(
        "an event without its effect",
        "en p. 5: The player uses the effect of the turn's Event card",
        by(at(you(), workers=()), "en"),
        "e no",
        None,
    ),
    Disputed(
        "an event without its effect, where the table lets it fizzle",
        "ru p. 4: должны воспользоваться только одним из них, read of a choice",
        by(at(you(), workers=()), Options(event_effect="may-fizzle")),
        "e no",
        "",
    ),
    Disputed(
        "a character paid and declined",
        "ru-desktopgames p. 5: Теперь он может потратить 1 кристалл спирия",
        by(BESIDE_ADVISER, "ru-desktopgames"),
        "a12.2 no",
        "money -2 price",
    ),
    Disputed(
        "a character's Spyrium is not due where its effect is declined",
        "ru-desktopgames p. 5: может потратить 1 кристалл спирия и получить 3 победных очка",
        by(at(you(spyrium=0), market=market("mine-1", "apprentice")), "ru-desktopgames"),
        "a12.2 no",
        "",
    ),
    Disputed(
        "a character without tokens cannot be hired to decline it",
        "ru-desktopgames p. 7: Если жетонов больше нет, то персонаж … более не может быть нанят",
        by(at(you(), market=market("miner")), "ru-desktopgames"),
        "a12.1 no",
        None,
    ),
    Disputed(
        "a character that must be used",
        "en p. 5: the player immediately benefits once from the character's effect",
        by(BESIDE_APPRENTICE, "en"),
        "a12.2 no",
        None,
    ),
)

OVER_WORKERS = at(you(active=1, buildings=buildings("workshop-1/1")), market=market("mine-1"))

REPLACED = (
    Disputed(
        "the worker on a replaced building lies inactive",
        "en p. 5: The old building is discarded; no book says more",
        by(OVER_WORKERS, "en"),
        "a12.1 o1",
        "money -2 price",
    ),
    Disputed(
        "the worker on a replaced building comes back active",
        "no book says; a table may",
        by(OVER_WORKERS, Options(replaced_workers="active")),
        "a12.1 o1",
        "money -2 price",
        (("WorkersFreed", 1, 1),),
    ),
)

# All tokens lie on Commerce cards but two of value 3: one in the reserve, one discarded.
LAST_TOKEN = done(
    MatAt(seat=1, kept=(1,) * 8 + (2,) * 8 + (3,) * 6), market=market("mine-1", "apprentice", "crane"), discard=(3,)
)
LAST_DEAL = f"deal {NEXT} university-1:3 {EIGHT}"

RESHUFFLE = (
    Disputed(
        "the last token of the reserve leaves the discard pile alone",
        "en p. 7: a discard pile which will be reshuffled if required",
        by(LAST_TOKEN, "en"),
        LAST_DEAL,
        REVENUE,
    ),
    Disputed(
        "the last token of the reserve brings the discard pile back",
        "ru p. 8: Когда закрытые жетоны заканчиваются",
        by(LAST_TOKEN, "ru"),
        LAST_DEAL,
        REVENUE,
        (("TokensReturned",),),
    ),
)

CORRECTED = (
    Disputed(
        "a correction past 8: the worker is recorded",
        "en p. 7: an extra worker from the reserve, which is placed, active",
        by(at(you(points=6)), USUAL),
        "@1 bw",
        "workers +1 bonus",
        corrected=3,
    ),
    Disputed(
        "a correction to 8 itself: the £5 are recorded",
        "en p. 7: reaches or goes over 8 victory points … or £5 from the bank",
        by(at(you(points=6)), USUAL),
        "@1 b5",
        "money +5 bonus",
        corrected=2,
    ),
    Disputed(
        "a correction past 8 asks for nothing: the turn goes on",
        "S-7.3: allowed, not awaited",
        by(at(you(points=6)), USUAL),
        "g12.1",
        "",
        corrected=3,
    ),
    Disputed(
        "a correction short of 8",
        "en p. 7: As soon as a player reaches or goes over 8 victory points",
        by(at(you(points=6)), USUAL),
        "@1 bw",
        None,
        corrected=1,
    ),
    Disputed(
        "a correction beyond 8, which a position had passed before",
        "S-7.3: a position says which bonuses are left",
        by(at(you(points=9)), USUAL),
        "@1 bw",
        None,
        corrected=1,
    ),
    Disputed(
        "a correction past 20: what is left is recorded",
        "en p. 7: they immediately gain the other bonus",
        by(at(you(points=18, bonuses=("money",))), USUAL),
        "@1 b5",
        "money +5 bonus",
        corrected=3,
    ),
    Disputed(
        "a correction past 20: the bonus that was taken is not recorded again",
        "en p. 7: The token of their color corresponding to the chosen bonus is discarded",
        by(at(you(points=18, bonuses=("money",))), USUAL),
        "@1 bw",
        None,
        corrected=3,
    ),
    Disputed(
        "a correction past both: one is chosen, the other comes",
        "en p. 7: the other token is placed next to space 20 on the score track",
        by(at(you(points=5)), USUAL),
        "@1 b5",
        "money +5 bonus, workers +1 bonus",
        (TAKEN,),
        corrected=20,
    ),
    Disputed(
        "a gain after a correction past 8 asks as ever",
        "S-7.3: a gain after which the score is at 8 or more with the bonus untaken",
        by(at(you(points=6), market=market("mine-1", "apprentice")), USUAL),
        "a12.2",
        "spyrium -1 effect, points +3 effect",
        (("BonusDue", 1),),
        corrected=3,
    ),
    Disputed(
        "a correction past 8 with seven workers: the worker brings nothing",
        "en p. 2: 35 workers (7 of each color)",
        by(at(you(points=6, workers=7, active=6)), USUAL),
        "@1 bw",
        "",
        corrected=3,
    ),
    Disputed(
        "a correction down to 8 from more",
        "en p. 7: As soon as a player reaches or goes over 8 victory points",
        by(at(you(points=11)), USUAL),
        "@1 bw",
        None,
        corrected=-3,
    ),
)

LUXURY = done(MatAt(seat=1, points=6, buildings=buildings("luxury-home")), round=6)

BONUS_IN_THE_END = (
    Disputed(
        "the final count passes 8",
        "en p. 7: As soon as a player reaches or goes over 8; no book says it of the final count",
        by(LUXURY, "en"),
        FinalCount(),
        "points +6 final:buildings",
    ),
    Disputed(
        "the final count passes 8 at a table that gives bonuses there",
        "no book says; a table may",
        by(LUXURY, Options(bonus_in_final_scoring="yes")),
        FinalCount(),
        "points +6 final:buildings",
        (("BonusDue", 1),),
    ),
)

DISPUTED = (
    *ENGINEERING,
    *TAYLORISM_SCORES,
    *TAYLORISM_ACTION,
    *BONUS_AT_ONCE,
    *BUILDING_COUNT,
    *CRANE_SCORES,
    *RESIDENCE_ACTION,
    *CRANE_DISCOUNT,
    *COMMERCE,
    *RECRUITMENT,
    *CAPITALIZATION,
    *EFFECTS,
    *REPLACED,
    *RESHUFFLE,
    *CORRECTED,
    *BONUS_IN_THE_END,
)
