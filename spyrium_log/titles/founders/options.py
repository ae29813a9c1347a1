"""The readings of the rules that a table chooses from, and the one rulebook there is (F, Rulings)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from spyrium_log import title


class Options(title.Options, frozen=True, kw_only=True):
    """The side of the board, the variants, and how this table reads the rules where the rulebook leaves a choice."""

    side: Literal["thematic", "symmetric"] = "thematic"
    workers: Literal["with", "without"] = "with"
    achievements: Literal["without", "with"] = "without"
    river_corner: Literal["adjacent", "parted"] = "adjacent"
    site_section: Literal["none", "named"] = "none"
    site_terrain: Literal["site", "both"] = "site"
    tile_flip: Literal["turn", "mirror"] = "turn"
    draft_displace: Literal["second", "any"] = "second"
    draft_third: Literal["displace", "forbidden"] = "displace"
    aesther_forbids: Literal["both", "mat"] = "both"
    follow_neutral_access: Literal["yes", "no"] = "yes"
    rival_built_income: Literal["rises", "stays"] = "rises"
    upgrade_road_first: Literal["both", "tile"] = "both"
    house_no_workers_main: Literal["one", "two"] = "one"
    row_refill: Literal["end-of-turn", "at-once"] = "end-of-turn"
    discount_from: Literal["usual", "main"] = "usual"
    adviser_recruit_bonus: Literal["printed", "always"] = "printed"
    prestige_deck_short: Literal["deal-first", "shuffle-first"] = "deal-first"
    unplaceable: Literal["next-card", "second-best", "new-vote"] = "next-card"
    no_workers_card: Literal["leaves", "discard"] = "leaves"
    placement_chooser: Literal["placer", "caller"] = "placer"
    end_in_call: Literal["play-on", "stop"] = "play-on"
    solo_end: Literal["round-7", "sixth"] = "round-7"
    solo_change: Literal["overpay", "exact"] = "overpay"
    solo_achievements: Literal["allowed", "none"] = "allowed"
    own_link: Literal["passes", "stays"] = "passes"
    worker_incomplete: Literal["on-board", "completed"] = "on-board"
    call_bonus: Literal["each", "waive"] = "each"


EDITIONS: Mapping[str, title.Edition] = MappingProxyType(
    {"ru": title.Edition("the Russian rulebook", {"upgrade-road-first": "both", "end-in-call": "play-on"})}
)
