"""The readings of the rules that a table chooses from (S-11)."""

from __future__ import annotations

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
