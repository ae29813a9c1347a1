"""The readings of the rules that a table chooses from, and what the four rulebooks print (S-11)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from spyrium_log import title


class Options(title.Options, frozen=True, kw_only=True):
    """How this table reads the rules where the editions differ or are silent (S-11)."""

    engineering_scores: Literal["printed-vp", "count"] = "printed-vp"
    taylorism_scores: Literal["end-of-game", "end-of-round"] = "end-of-game"
    taylorism_action: Literal["own-use", "chained", "either"] = "own-use"
    tie: Literal["shared"] = "shared"
    token_reshuffle: Literal["when-needed", "when-empty"] = "when-needed"
    event_effect: Literal["required", "may-fizzle"] = "required"
    character_effect: Literal["required", "may-decline"] = "required"
    replaced_workers: Literal["inactive", "active"] = "inactive"
    building_count: Literal["owned", "ever-built"] = "owned"
    crane_discount: Literal["site", "whole-cost"] = "site"
    commerce_limit: Literal["seven-tokens", "seven-points"] = "seven-tokens"
    commerce_event_token: Literal["stays", "taken"] = "stays"
    recruitment_count: Literal["one", "one-per-pound"] = "one"
    empty_gap_capitalization: Literal["pays", "nothing"] = "pays"
    bonus_in_final_scoring: Literal["no", "yes"] = "no"
    bonus_worker_at_seven: Literal["nothing", "five-pounds"] = "nothing"


# Where a rulebook is silent, or says two things, it has no reading.
EDITIONS: Mapping[str, title.Edition] = MappingProxyType(
    {
        "en": title.Edition(
            "the publisher's English rulebook",
            {
                "engineering-scores": "printed-vp",
                "taylorism-scores": "end-of-game",
                "taylorism-action": "own-use",
                "token-reshuffle": "when-needed",
                "event-effect": "required",
                "building-count": "owned",
                "crane-discount": "site",
                "commerce-event-token": "stays",
                "recruitment-count": "one",
            },
        ),
        "pl": title.Edition(
            "the Polish rulebook, translated for REBEL.PL",
            {
                "engineering-scores": "printed-vp",
                "taylorism-scores": "end-of-game",
                "taylorism-action": "own-use",
                "tie": "shared",
                "token-reshuffle": "when-needed",
                "event-effect": "required",
                "building-count": "owned",
                "crane-discount": "whole-cost",
                "commerce-limit": "seven-tokens",
                "recruitment-count": "one",
            },
        ),
        "ru": title.Edition(
            "the Russian rulebook by Igroved",
            {
                "engineering-scores": "printed-vp",
                # most likely a slip of the translator, but it is what stands there
                "taylorism-scores": "end-of-round",
                "taylorism-action": "chained",
                "tie": "shared",
                "token-reshuffle": "when-empty",
                "building-count": "ever-built",
                "crane-discount": "site",
                "commerce-limit": "seven-tokens",
                "commerce-event-token": "stays",
                "recruitment-count": "one",
            },
        ),
        "ru-desktopgames": title.Edition(
            "the Russian rulebook translated for DesktopGames",
            {
                "engineering-scores": "count",
                "taylorism-scores": "end-of-game",
                "taylorism-action": "own-use",
                "token-reshuffle": "when-needed",
                "event-effect": "required",
                "character-effect": "may-decline",
                "building-count": "owned",
                "crane-discount": "site",
                "commerce-event-token": "stays",
                "recruitment-count": "one-per-pound",
            },
        ),
    }
)
