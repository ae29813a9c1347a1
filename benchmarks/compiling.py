"""The build hook: with `SPYRIUM_COMPILE=1` the hot modules are compiled into the wheel as well. Without it, nothing.

The sources are what they are without it, and stay in the wheel: Python prefers a compiled module where there is one. It
lives here because it is about speed, and because nothing here is shipped.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "SPYRIUM_COMPILE"
# Where most of the time goes. A module that defines a Struct cannot be among them: mypyc drops what a class is told
# besides its name, and `frozen` is such a word.
MODULES = (
    "spyrium_log/folding.py",
    "spyrium_log/log/chain.py",
    "spyrium_log/log/fast_reader.py",
    "spyrium_log/titles/founders/cards.py",
    "spyrium_log/titles/founders/evolve/*.py",
    "spyrium_log/titles/founders/ground.py",
    "spyrium_log/titles/founders/legal.py",
    "spyrium_log/titles/founders/links.py",
    "spyrium_log/titles/founders/programme.py",
    "spyrium_log/titles/founders/rules/*.py",
    "spyrium_log/titles/founders/scoring.py",
    "spyrium_log/titles/founders/sites.py",
    "spyrium_log/titles/founders/state.py",
    "spyrium_log/titles/founders/worth.py",
    "spyrium_log/titles/spyrium/cards.py",
    "spyrium_log/titles/spyrium/evolve.py",
    "spyrium_log/titles/spyrium/legal.py",
    "spyrium_log/titles/spyrium/rules/*.py",
    "spyrium_log/titles/spyrium/scoring.py",
    "spyrium_log/titles/spyrium/state.py",
)
# What a build needs for it: the compiler's front end, and what the sources import, to know its types.
NEEDS = ("mypy[mypyc]>=1.18", "msgspec>=0.20")


class CompiledBuildHook(BuildHookInterface[Any]):
    """Asks mypyc and a C compiler for the modules, and puts what they make beside the sources."""

    out: Path | None = None

    def dependencies(self) -> list[str]:
        return list(NEEDS) if is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not is_wanted():
            return
        if version == "editable":
            message = f"{SWITCH} compiles what is installed; a compiled module would hide the source that is edited"
            raise RuntimeError(message)
        self.out = Path(tempfile.mkdtemp(prefix="spyrium-compiled-"))
        build_data["force_include"].update({str(path): name for path, name in compiled(Path(self.root), self.out)})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self.out is not None:
            shutil.rmtree(self.out)


def is_wanted() -> bool:
    return os.environ.get(SWITCH) == "1"


def sources(root: Path) -> list[str]:
    """The modules to compile, as paths below the root."""
    return sorted(path.relative_to(root).as_posix() for pattern in MODULES for path in root.glob(pattern))


def compiled(root: Path, out: Path) -> Iterator[tuple[Path, str]]:
    """Each extension made, and where it belongs in the wheel."""
    # only a build that compiles has these
    mypyc: Any = import_module("mypyc.build")
    setuptools: Any = import_module("setuptools")
    commands: Any = import_module("setuptools.command.build_ext")
    options = ["--config-file=", f"--cache-dir={out / 'cache'}", "--explicit-package-bases", "--follow-imports=silent"]
    with chdir(root):
        made = mypyc.mypycify(
            [*options, *sources(root)],
            opt_level="3",
            debug_level="0",
            target_dir=str(out / "c"),
            group_name="spyrium_log",
        )
        command = commands.build_ext(setuptools.Distribution({"ext_modules": made}))
        command.build_lib, command.build_temp = str(out / "lib"), str(out / "objects")
        command.ensure_finalized()
        command.run()
    for extension in made:
        path = Path(command.get_ext_fullpath(extension.name))
        yield path, path.relative_to(out / "lib").as_posix()
