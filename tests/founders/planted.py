"""The defects that `tests.defects` plants in Founders: file, right text, and a mistake that a person could make.

They were chosen by reading the code, before any of them was tried. None is equivalent to the right text.
"""

from __future__ import annotations

from typing import NamedTuple


class Planted(NamedTuple):
    file: str
    right: str
    wrong: str


PLANTED = (
    # the actions of cards, and how far they are
    Planted(
        "rules/actions.py",
        'Instruction(does="road", optional=True, instead=True)',
        'Instruction(does="road", optional=True)',
    ),
    Planted("rules/actions.py", '_FOLLOWS.get(category_of(state, card) or "", _ANY', "_FOLLOWS.get(card, _ANY"),
    Planted("rules/actions.py", '(instruction.n if instruction.does == "road" else 1)', "1"),
    Planted("rules/actions.py", "if steps[at].has_choice and not steps[at].optional:", "if steps[at].has_choice:"),
    # what the game waits for
    Planted("rules/turn.py", "seat == active or state.mats[seat].conceded", "seat == active"),
    Planted("rules/turn.py", "not mats[seat].bases or _has_lost_race_base(state, seat)", "not mats[seat].bases"),
    Planted(
        "rules/turn.py",
        "for seat in backwards:\n        if seat not in owners:",
        "for seat in in_order:\n        if seat not in owners:",
    ),
    Planted(
        "rules/turn.py", "len([card for card in state.removed if card in state.printed.prestige])", "len(state.removed)"
    ),
    Planted(
        "rules/turn.py",
        'state.options.end_in_call == "stop" and state.markers >= LAST_COMPLETION',
        'state.options.end_in_call == "stop" and state.markers > LAST_COMPLETION',
    ),
    Planted("rules/turn.py", "(cards < len(row) and state.advisers_seen < ADVISERS_IN_ALL)", "cards < len(row)"),
    Planted("state.py", "len(could_be_down) <= self.unknown", "len(could_be_down) < self.unknown"),
    Planted("scoring.py", "return state.votes >= SOLO_ROUNDS - 1 and", "return state.votes >= SOLO_ROUNDS and"),
    # what speaks against a step
    Planted("scoring.py", "min(houses, PIECES_OF_A_KIND) - len(state.mat(seat).used)", "min(houses, PIECES_OF_A_KIND)"),
    Planted(
        "rules/steps.py", "if any(act.on in mat.used for mat in state.mats):", "if act.on in state.mat(act.seat).used:"
    ),
    Planted(
        "rules/steps.py", "if all(seat != act.seat for _, seat in building.delivered):", "if not building.delivered:"
    ),
    Planted("rules/steps.py", "            _add_breach_of_road_before(state, act, breaches)\n", ""),
    Planted(
        "rules/steps.py",
        "_add_breach_of_follow_terrain(state, tile.mask, breaches)",
        "_add_breach_of_follow_terrain(state, mask_of(cells_of((act.at,))), breaches)",
    ),
    Planted("rules/steps.py", "if card in left and card != step.but:", "if card in left:"),
    Planted(
        "rules/steps.py",
        "left = [card for index, card in enumerate(left) if card != state.played or index < len(left) - 1]",
        "left = list(mat.discard)",
    ),
    Planted("rules/steps.py", "return state.mat(seat).cards_in_hand > 1", "return state.mat(seat).cards_in_hand > 0"),
    Planted(
        "rules/steps.py",
        "return links.region(building.mask) if building else find_reach(state, seat, links)",
        "return find_reach(state, seat, links)",
    ),
    # what a step comes to
    Planted(
        "rules/outcomes.py",
        "tile.kind == resource and tile.owner == owner for tile in before.structures",
        "tile.kind == resource for tile in before.structures",
    ),
    Planted("rules/outcomes.py", "moves.BuildTile, moves.BuildBridge)", "moves.BuildTile)"),
    Planted("rules/outcomes.py", 'why = "recruit" if origin == "card" else origin', "why = origin"),
    Planted(
        "rules/outcomes.py",
        'if context.origin != "card" and before.options.adviser_recruit_bonus',
        "if before.options.adviser_recruit_bonus",
    ),
    Planted("rules/outcomes.py", 'is_adviser and not getattr(act, "down", False):', "is_adviser:"),
    # every way to carry out a step
    Planted("rules/choices.py", "(owner and state.markers < MARKERS_FOR_RIVALS)", "state.markers < MARKERS_FOR_RIVALS"),
    Planted("rules/tiles.py", "rest = tile._replace(ground=tile.ground & ~laid)", "rest = tile"),
    Planted("rules/tiles.py", "return self._is_possible(road, self._ahead.roads)", "return self._is_possible(road, 0)"),
    Planted("rules/tiles.py", "further = self._ahead.roads - bool(first.road)", "further = 0"),
    Planted(
        "rules/choices.py",
        "count_structures(state, seat, BRIDGE) < PIECES_OF_A_KIND",
        "count_structures(state, seat, BRIDGE) <= PIECES_OF_A_KIND",
    ),
    Planted(
        "rules/choices.py",
        'if UNSEEN in outcome.state.row and any(step.does == "recruit" for step in stage.steps):',
        "if False:",
    ),
    Planted("rules/choices.py", "for n in range(step.n + 1):", "for n in range(1, step.n + 1):"),
    # where something may be built
    Planted(
        "rules/build.py",
        "structure.kind == kind and (kind != HOUSE or structure.owner == owner)",
        "structure.kind == kind",
    ),
    Planted("rules/build.py", "kinds != list(recipe.inputs)", "sorted(kinds) != sorted(recipe.inputs)"),
    Planted(
        "rules/build.py",
        'recipe.shape.ways(mirror=state.options.tile_flip == "mirror")',
        "recipe.shape.ways(mirror=False)",
    ),
    Planted("rules/build.py", "if built >= PIECES_OF_A_KIND:", "if built > PIECES_OF_A_KIND:"),
    Planted("rules/build.py", "is_personal = kind in {HOUSE, BRIDGE}", "is_personal = kind == HOUSE"),
    # prices
    Planted("rules/spend.py", "Price(min(price for price in prices", "Price(max(price for price in prices"),
    Planted("rules/spend.py", "    if step.follow:\n        return 0\n", ""),
    Planted("rules/spend.py", "return step.off + saved_by_main", "return step.off"),
    Planted("rules/spend.py", '"money", price.due, "sold")', '"money", price.usual, "sold")'),
    Planted("rules/spend.py", 'house_no_workers_main == "two" else', 'house_no_workers_main == "one" else'),
    # deliveries
    Planted("rules/deliver.py", '        outcome.gain(supplier.owner, "points", -flag, "passed")\n', "        pass\n"),
    Planted("rules/deliver.py", "supplier is not None and supplier.owner and flag", "supplier is not None and flag"),
    Planted("rules/deliver.py", "find_links(state, tile.owner).region", "find_links(state, state.last).region"),
    Planted("rules/deliver.py", "resource=resource, seat=chooser)", "resource=resource, seat=state.last)"),
    Planted("rules/deliver.py", "    add_completion(outcome, act.building)\n", ""),
    # the draft
    Planted("rules/draft.py", 'place = 1 if step == "third" or len(mat.bases) > 1 else 0', "place = 0"),
    Planted(
        "rules/draft.py",
        "most = state.seats if state.seats > 1 else max(state.printed.board.numbers.values(), default=0)",
        "most = state.seats",
    ),
    Planted("rules/draft.py", "[card for card in cards if (seat, card[0]) not in state.displaced]", "cards"),
    Planted("rules/draft.py", 'outcome.gain(act.seat, "income", 1, "owned")', "pass"),
    # votes
    Planted(
        "rules/vote.py",
        "elif act.roads > count_roads(state, act.seat, act.roads):",
        "elif act.roads and not count_roads(state, act.seat, 1):",
    ),
    Planted("rules/vote.py", "2 * mat.lasting < claims * price_of_claim", "2 * mat.lasting <= claims * price_of_claim"),
    Planted(
        "rules/vote.py", "order = state.list_seats_from(state.caller)", "order = state.list_seats_from(state.first)"
    ),
    Planted(
        "rules/vote.py",
        '"fleeting", -mat.fleeting, "vote")\n        outcome.gain(seat, "lasting"',
        '"fleeting", -mat.bid.fleeting if mat.bid else 0, "vote")\n        outcome.gain(seat, "lasting"',
    ),
    Planted("rules/vote.py", " if fits_somewhere(state, state.proposals[each - 1])}", "}"),
    Planted("rules/placing.py", "            if not building.complete:\n", "            if True:\n"),
    Planted("rules/vote.py", "_MIDDLE_PRICE + state.markers,", "_MIDDLE_PRICE + 2 * state.markers,"),
    # what the table turns up
    Planted("rules/deal.py", "    if find_open_stage(outcome.state) is None:\n        add_goals(outcome)\n", ""),
    Planted("rules/deal.py", "        seen.append(card)\n", ""),
    Planted("rules/deal.py", "for card in (*mat.hand, *mat.discard)]", "for card in mat.hand]"),
    Planted(
        "rules/deal.py", "count_deck(state) >= due + len(act.put_back)", "count_deck(state) > due + len(act.put_back)"
    ),
    Planted(
        "rules/deal.py", "find_alike(state, (*state.proposals, *dealt, card))", "find_alike(state, (*dealt, card))"
    ),
    Planted("rules/deal.py", "max(min(empty, ADVISERS_IN_ALL - state.advisers_seen), 0)", "empty"),
    # achievements
    Planted("rules/goals.py", "    if met or deck:\n", "    if met:\n"),
    Planted("rules/goals.py", "state.markers >= _MARKERS_FOR_MID", "state.markers > _MARKERS_FOR_MID"),
    # which rules for which act
    Planted("rules/__init__.py", 'stage.kind == "follow" or stage.is_optional:', 'stage.kind == "follow":'),
    Planted("rules/__init__.py", "outcome.state.last and find_open_stage(outcome.state) is None", "outcome.state.last"),
    Planted("rules/__init__.py", "not state.roads_due and not is_stopped(state)", "not state.roads_due"),
    # the fold
    Planted("evolve/cards.py", "    state.row_taken = True\n", ""),
    Planted("evolve/pieces.py", "access = 0 if owner == act.seat else 1 << act.seat", "access = 0"),
    Planted("evolve/cards.py", '            loser.race_base = ""\n', "            pass\n"),
    Planted("evolve/votes.py", "state.spent = (state.spent + tuple(", "state.spent = (tuple("),
    Planted("evolve/votes.py", '        mat.bid = None\n        mat.seal = ""\n', "        mat.bid = None\n"),
    Planted("evolve/votes.py", "    mat.used = ()\n", ""),
    Planted("evolve/votes.py", "    mat.unknown = 0\n", ""),
    Planted("evolve/votes.py", "        _shuffle(state)\n    _remove_proposal", "        pass\n    _remove_proposal"),
    Planted("evolve/votes.py", "    state.reshuffled = len(state.buildings)\n", ""),
    Planted("evolve/pieces.py", "        state.covered |= building.mask\n", ""),
    Planted("evolve/pieces.py", "earned=tile.earned + fact.kept", "earned=tile.earned + fact.n"),
    Planted(
        "evolve/cards.py", "    if state.roads_due and act.seat == state.caller:\n        state.roads_due = 0\n", ""
    ),
    # counts and places
    Planted(
        "scoring.py",
        "order = state.list_seats_from(state.last or state.first)",
        "order = state.list_seats_from(state.first)",
    ),
    Planted("scoring.py", "if structure.kind != BRIDGE and structure.mask & section", "if structure.mask & section"),
    Planted("scoring.py", "counts[seat] > max(others, default=0)", "counts[seat] >= max(others, default=0)"),
    Planted(
        "scoring.py",
        "any(each == seat for _, each in building.delivered) for building",
        "sum(each == seat for _, each in building.delivered) for building",
    ),
    Planted("scoring.py", "if each.owner == seat and each.kind in TIERS", "if each.owner == seat"),
    # what touches, and what is connected
    Planted("links.py", "structure.owner == owner and structure.kind != BRIDGE and", "structure.owner == owner and"),
    Planted("links.py", "if region & mask:\n", "if region & reached:\n"),
    Planted("links.py", "shift(water, -row_step) & shift(", "shift(water, -row_step) | shift("),
    Planted("links.py", "if structure.kind == BRIDGE and structure.owner == seat:", "if structure.kind == BRIDGE:"),
    Planted("rules/outcomes.py", "if not outcome.state.due:", "if True:"),
    Planted("rules/__init__.py", "if before.due and not state.due and state.did:", "if False:"),
    Planted("rules/turn.py", "return is_short and not is_stopped(state)", "return is_short"),
    Planted("rules/vote.py", ' == "new-vote" and len(state.proposals) > 1:', ' == "new-vote":'),
    # where a prestige building may stand
    Planted("sites.py", "closed = state.covered | find_alike_ground(state, prestige)", "closed = state.covered"),
    Planted("sites.py", "if section == number + 1)", "if section == number)"),
    Planted("sites.py", "    if state.find_building(card) is not None:\n        return False\n", ""),
    Planted("sites.py", "if field.grow(mask) & field.terrains", "if mask & field.terrains"),
    # what is legal, and what is on offer
    Planted("legal.py", "card not in {CALL, moves.UNSEEN}", "card != CALL"),
    Planted("legal.py", "range(left + 1) if state.options", "range(left) if state.options"),
    Planted("legal.py", "if not acts or stage.is_optional:", "if stage.is_optional:"),
    Planted("legal.py", "    if any(each.seal for each in state.mats):\n        return\n", ""),
    Planted("legal.py", 'if stage.kind in {"bid", "choose"}:', 'if stage.kind == "bid":'),
    Planted("legal.py", "if tile.owner == seat or tile.has_access(seat)}", "if tile.owner == seat}"),
    Planted(
        "legal.py",
        "return max(abs(row - other_row), abs(column - other_column))",
        "return abs(row - other_row) + abs(column - other_column)",
    ),
)
