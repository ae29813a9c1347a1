"""What the four rulebooks print where they differ (S-11). Where one is silent, or says two things, nothing stands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from spyrium_log.title import Edition

EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        "en": Edition(
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
        "pl": Edition(
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
        "ru": Edition(
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
        "ru-desktopgames": Edition(
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
