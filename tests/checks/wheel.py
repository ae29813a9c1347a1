"""What is shipped is what is tested: the wheel, installed by itself, without the tree and the tools."""

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = {"spyrium_log": ROOT / "spyrium_log", "spyrium_cli": ROOT / "cli" / "spyrium_cli"}
SHIPPED_DATA = {"spyrium_log/py.typed", "spyrium_log/titles/spyrium/sheet.toml"}
SDIST_NEEDS = {"LICENSE", "Makefile", "README.md", "constraints.txt", "pyproject.toml", "tests/checks/wheel.py"}
TOOLS = ("build", "chess", "coverage", "hatchling", "hypothesis", "importlinter", "mypy", "pytest", "ruff")
IMPORT_ALL = """
import importlib, importlib.util, sys
for name in sys.argv[2].split(","):
    assert importlib.util.find_spec(name) is None, f"{name} is a tool, found {importlib.util.find_spec(name)}"
for name in sys.argv[1].split(","):
    origin = importlib.import_module(name).__file__
    assert origin is not None and origin.startswith(sys.prefix), f"{name} comes from {origin}"
"""


def build(out: Path) -> tuple[Path, Path]:
    """The source archive, and the wheel built from what the archive holds."""
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)], cwd=out)
    (sdist,) = out.glob("*.tar.gz")
    (wheel,) = out.glob("*.whl")
    return sdist, wheel


def run(command: list[str], cwd: Path) -> str:
    env = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "PYTHONHOME"}}
    env["SPYRIUM_ARCHIVE"] = str(cwd / "archive")
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}\nexit {done.returncode}")
    return done.stdout


def sources() -> set[str]:
    return {
        f"{package}/{path.relative_to(folder).as_posix()}"
        for package, folder in SOURCES.items()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def check_sdist(sdist: Path) -> int:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = SDIST_NEEDS - names
    hidden = {name for name in names if name.startswith(".") and name != ".gitignore"}
    if missing or hidden:
        sys.exit(f"source archive: missing {sorted(missing)}, unexpected {sorted(hidden)}")
    return len(names)


def check_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = sources() | SHIPPED_DATA
    if names != expected:
        sys.exit(f"wheel: missing {sorted(expected - names)}, unexpected {sorted(names - expected)}")
    return names


def modules(names: set[str]) -> list[str]:
    stems = (name.removesuffix(".py").removesuffix("/__init__") for name in names if name.endswith(".py"))
    # `__main__` runs on import.
    return sorted(stem.replace("/", ".") for stem in stems if not stem.endswith("__main__"))


def install(wheel: Path, env: Path) -> Path:
    venv.create(env, with_pip=True)
    bin_folder = env / "bin"
    pip = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, str(wheel)], cwd=env)
    return bin_folder


def check_use(bin_folder: Path, names: set[str], empty: Path) -> None:
    imported = modules(names)
    python = str(bin_folder / "python")
    run([python, "-W", "error", "-c", IMPORT_ALL, ",".join(imported), ",".join(TOOLS)], cwd=empty)
    print(f"imported {len(imported)} modules; none of {len(TOOLS)} development tools is importable")
    for arguments in (["--version"], ["--help"], ["demo"]):
        for command in ("spyrium", "spyrium-log"):
            said = run([str(bin_folder / command), *arguments], cwd=empty)
            if not said.strip():
                sys.exit(f"{command} {' '.join(arguments)}: said nothing")
            print(f"{command} {' '.join(arguments)}: exit 0, {len(said.splitlines())} lines")
    check_evening(bin_folder / "spyrium", empty)


def check_evening(spyrium: Path, empty: Path) -> None:
    """A game from the first command to a question, in every language, with what ships in the wheel alone."""
    archive = ["--archive", str(empty / "archive")]
    deal = "deal exchange estate mine-1 mine-1 mine-2 mine-2 workshop-1 crane miner:1 luxury-home mine-1"
    run([str(spyrium), *archive, "new", "--players", "Anna,Bob"], cwd=empty)
    run([str(spyrium), *archive, "play", "@last", deal, "p12", "p12"], cwd=empty)
    for language in ("en", "pl", "ru", "ru-desktopgames"):
        run([str(spyrium), *archive, "--lang", language, "replay", "@last"], cwd=empty)
    for arguments in (["validate"], ["show", "@last"], ["query", "SELECT count(*) FROM ledger"], ["report", "scores"]):
        run([str(spyrium), *archive, *arguments], cwd=empty)
    print("a game recorded, told in four languages, checked, shown and asked")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        dist, empty = folder / "dist", folder / "empty"
        dist.mkdir()
        empty.mkdir()
        sdist, wheel = build(dist)
        print(f"{sdist.name}: {check_sdist(sdist)} files")
        names = check_files(wheel)
        print(f"{wheel.name}: {len(names)} files, each file of both packages and nothing else")
        check_use(install(wheel, folder / "env"), names, empty)


if __name__ == "__main__":
    main()
