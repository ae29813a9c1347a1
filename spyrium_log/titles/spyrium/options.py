"""The readings of the rules that a table chooses from, and what the four rulebooks print (S-11)."""

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
    crane_scores: Literal["owned", "built"] = "owned"
    residence_action: Literal["required", "may-decline"] = "required"
    crane_discount: Literal["site", "whole-cost"] = "site"
    commerce_limit: Literal["seven-tokens", "seven-points"] = "seven-tokens"
    commerce_event_token: Literal["stays", "taken"] = "stays"
    recruitment_count: Literal["one", "one-per-pound"] = "one"
    empty_gap_capitalization: Literal["pays", "nothing"] = "pays"
    bonus_in_final_scoring: Literal["no", "yes"] = "no"
    bonus_worker_at_seven: Literal["nothing", "five-pounds"] = "nothing"


_RULEBOOKS = {
    "en": "the publisher's English rulebook",
    "pl": "the Polish rulebook, translated for REBEL.PL",
    "ru": "the Russian rulebook by Igroved",
    "ru-desktopgames": "the Russian rulebook translated for DesktopGames",
}
# By option, how each of the rulebooks reads it, in their order; '' where one is silent or says two things. RULES.md
# quotes the words (S-11).
_READINGS = {
    "engineering-scores": ("printed-vp", "printed-vp", "printed-vp", "count"),
    # in the third most likely a slip of the translator, but it is what stands there
    "taylorism-scores": ("end-of-game", "end-of-game", "end-of-round", "end-of-game"),
    # the third says "in the same turn" of Overtime as well, where it chains nothing
    "taylorism-action": ("own-use", "own-use", "either", "own-use"),
    "tie": ("", "shared", "shared", ""),
    "token-reshuffle": ("when-needed", "when-needed", "when-empty", "when-needed"),
    "event-effect": ("required", "required", "", "required"),
    "character-effect": ("", "", "", "may-decline"),
    # the third has one word for the buildings that make a site dearer and for those that stand at the end
    "building-count": ("owned", "owned", "", "owned"),
    "crane-scores": ("owned", "owned", "owned", "built"),
    "residence-action": ("may-decline", "may-decline", "required", "may-decline"),
    "crane-discount": ("site", "whole-cost", "site", "site"),
    "commerce-limit": ("", "seven-tokens", "seven-tokens", ""),
    "commerce-event-token": ("stays", "", "stays", "stays"),
    # the fourth has new workers in the plural, and no number
    "recruitment-count": ("one", "one", "one", ""),
}
EDITIONS: Mapping[str, title.Edition] = MappingProxyType(
    {
        key: title.Edition(name, {option: reads[column] for option, reads in _READINGS.items() if reads[column]})
        for column, (key, name) in enumerate(_RULEBOOKS.items())
    }
)
