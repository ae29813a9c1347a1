"""The screen of a dialogue: what is asked or was reached, the choices, what is typed."""

from __future__ import annotations

from rich.text import Text

from spyrium_cli.recording.dialogue import Dialogue
from spyrium_cli.render.paper import stack, text
from spyrium_cli.render.text import translate
from spyrium_cli.tui.full_screen import FullScreen, add_rule, count_rows, draw_keys

# Rule, prompt, message and keys.
ROWS_BELOW = 5


class DialogueScreen(FullScreen):
    """Draws a dialogue and gives it every key, until it is over."""

    SIDE = ()
    BELOW = ("rule", "prompt", "message", "keys")
    CSS = f"{FullScreen.CSS} #top {{ overflow-y: auto; }} #message {{ height: 2; }}"

    def __init__(self, dialogue: Dialogue, *, light: bool = False) -> None:
        """`dialogue`: what is talked about; it has the language."""
        super().__init__(translate("beginning.screen-help", dialogue.language), dialogue.language, light=light)
        self.dialogue = dialogue

    def press(self, key: str) -> None:
        """Give a key to the dialogue; the arrows and pages move what has no room on the screen."""
        steps = {"up": -1, "down": 1, "pageup": 1 - self.size.height, "pagedown": self.size.height - 1}
        if key in steps:
            self.query_one("#top").scroll_relative(y=steps[key], animate=False)
            return
        self.dialogue.press(key)
        if self.dialogue.is_over:
            self.exit()

    def draw(self) -> None:
        """Draw everything."""
        if not self.size.width or self.draw_help():
            return
        dialogue = self.dialogue
        self.query_one("#top").set_class(True, "narrow")
        drawing = stack(*self._draw_sentences(), *self._draw_choices())
        self.show("board", drawing)
        enter = dialogue.describe_enter()
        self.show("rule", add_rule(text(f"━━ {enter} " if enter else "━━", "bold"), self.size.width))
        typed = text("▸ ", "bold").append_text(text(dialogue.text, "bold")).append(" ", "reverse")
        self.show("prompt", typed)
        self.show("message", text(dialogue.message, "bold"))
        # the arrows move what has no room above
        is_long = count_rows(drawing, self.size.width) > self.size.height - ROWS_BELOW
        names = (*((("↑↓", "recorder.more"),) if is_long else ()), *dialogue.KEYS)
        keys = [(key, translate(what, self._language)) for key, what in names]
        self.show("keys", draw_keys(keys, self.size.width))

    def _draw_sentences(self) -> list[Text]:
        """What is asked or was reached; the first sentence is its heading."""
        heading, *others = self.dialogue.describe()
        return [text(heading, "bold"), *map(text, others), text("")]

    def _draw_choices(self) -> list[Text]:
        """One line a choice: its key, and what it answers."""
        return [
            text(f" {'✓' if choice.is_taken else ' '} ")
            .append_text(text(choice.key, "bold"))
            .append_text(text(f"  {choice.label}"))
            for choice in self.dialogue.list_choices()
        ]
