"""Folders of decks as one library: what is read again, what is cached, what stands in the way."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest

from drillkit.content import deck as deck_room
from drillkit.content import shelf as room
from drillkit.content.files import content_files
from drillkit.content.library import Change, Place
from drillkit.content.shelf import Shelf

LONG_AGO_S = 1_600_000_000


def deck(name: str, *cards: tuple[str, str], head: str = "") -> str:
    lines = [f"deck: {name}", head, "cards:"]
    lines += [f"  - {{id: {one}, ask: {ask}, answer: x}}" for one, ask in cards]
    return "\n".join(line for line in lines if line) + "\n"


@pytest.fixture
def reads(monkeypatch):
    """The files whose text is read as YAML, in order."""
    seen = []
    read_deck = deck_room.read_deck

    def counted(raw, file):
        seen.append(Path(file).name)
        return read_deck(raw, file)

    monkeypatch.setattr(deck_room, "read_deck", counted)
    return seen


@pytest.fixture
def shelf(tmp_path):
    """Make a fresh shelf over home/decks, as the next start of drillkit would."""
    return lambda: Shelf([tmp_path / "home" / "decks"], tmp_path / "home" / "cache")


# --- what is read again --------------------------------------------------------------------------


def test_unchanged_files_are_the_same_library_and_are_not_read_again(shelf, write_deck, reads):
    write_deck("a.yaml", deck("a", ("one", "q")))
    write_deck("b.yaml", deck("b", ("one", "q")))
    one = shelf()
    first = one.read()
    assert one.read() is first
    assert (reads, first.files_read) == (["a.yaml", "b.yaml"], 2)


def test_next_start_reads_no_file_that_is_unchanged(shelf, write_deck, reads):
    write_deck("a.yaml", deck("a", ("one", "q")))
    write_deck("b.yaml", deck("b", ("one", "q"), ("bad", "a: b")))
    first = shelf().read()
    reads.clear()
    again = shelf().read()
    assert (reads, again.files_read) == ([], 0)
    assert (again.items, again.decks, again.diagnostics) == (
        first.items,
        first.decks,
        first.diagnostics,
    )


def test_only_the_changed_file_is_read(shelf, write_deck, reads):
    write_deck("a.yaml", deck("a", ("one", "q")))
    write_deck("b.yaml", deck("b", ("one", "q")))
    one = shelf()
    before = one.read()
    reads.clear()
    write_deck("b.yaml", deck("b", ("one", "q but better")), written_s=LONG_AGO_S + 9)
    after = one.read()
    assert (reads, after.files_read) == (["b.yaml"], 1)
    assert after.items["b/one"].question == "q but better"
    assert after.items["a/one"] == before.items["a/one"]
    assert after.change_from(before) == Change(edited=("b/one",))


@pytest.mark.parametrize("fresh_start", [False, True])
def test_edit_of_the_same_size_at_the_same_time_is_noticed(shelf, write_deck, fresh_start):
    """Some disks keep times to the second only: a stamp just made can hide a second edit."""
    path = write_deck("a.yaml", deck("a", ("one", "old")), written_s=None)
    stamp = path.stat().st_mtime_ns
    one = shelf()
    before = one.read()
    path.write_text(deck("a", ("one", "new")))
    os.utime(path, ns=(stamp, stamp))
    after = (shelf() if fresh_start else one).read()
    assert after.items["a/one"].question == "new"
    assert after.change_from(before) == Change(edited=("a/one",))


def test_file_just_written_is_the_same_library_while_its_text_is_the_same(shelf, write_deck):
    write_deck("a.yaml", deck("a", ("one", "q")), written_s=None)
    one = shelf()
    first = one.read()
    assert one.read() is first
    assert one.read() is first


def test_file_that_is_put_in_anothers_place_is_noticed(shelf, write_deck, tmp_path):
    path = write_deck("a.yaml", deck("a", ("one", "old")))
    one = shelf()
    one.read()
    draft = tmp_path / "draft"
    draft.write_text(deck("a", ("one", "new")))
    os.utime(draft, (LONG_AGO_S, LONG_AGO_S))
    draft.replace(path)
    assert one.read().items["a/one"].question == "new"


def test_added_and_deleted_files_are_noticed(shelf, write_deck):
    path = write_deck("a.yaml", deck("a", ("one", "q")))
    one = shelf()
    first = one.read()
    write_deck("b.yaml", deck("b", ("two", "q")))
    second = one.read()
    path.unlink()
    third = one.read()
    assert second.change_from(first) == Change(added=("b/two",))
    assert third.change_from(second) == Change(removed=("a/one",))
    assert list(third.items) == ["b/two"]


def test_cards_that_only_moved_are_not_edited(shelf, write_deck):
    write_deck("a.yaml", deck("a", ("one", "q"), ("two", "r")))
    one = shelf()
    before = one.read()
    write_deck("a.yaml", "# a remark\n\n" + deck("a", ("two", "r"), ("one", "q")), written_s=1)
    after = one.read()
    assert not after.change_from(before)
    assert str(after.change_from(before)) == ""
    assert [after.place(item).line for item in after.items] == [5, 6]


def test_change_is_told_in_words(shelf, write_deck):
    write_deck("a.yaml", deck("a", ("one", "q"), ("two", "r"), ("three", "s")))
    one = shelf()
    before = one.read()
    path = write_deck(
        "a.yaml", deck("a", ("one", "Q"), ("four", "t"), ("bad", "a: b")), written_s=1
    )
    change = one.read().change_from(before)
    assert str(change) == f"1 card added, 1 card edited, 2 cards removed, errors in {path}"


def test_a_second_error_in_a_file_is_told_too(shelf, write_deck):
    write_deck("a.yaml", deck("a", ("one", "q"), ("bad", "a: b")))
    one = shelf()
    before = one.read()
    path = write_deck(
        "a.yaml", "tiitle: x\n" + deck("a", ("one", "q"), ("bad", "a: b")), written_s=1
    )
    assert str(one.read().change_from(before)) == f"errors in {path}"


# --- the cache -----------------------------------------------------------------------------------


def entries(tmp_path):
    return sorted((tmp_path / "home" / "cache").rglob("*.msgpack"))


DAMAGE = {
    "empty": lambda raw: b"",
    "cut": lambda raw: raw[: len(raw) // 2],
    "flipped": lambda raw: bytes(byte ^ 0xFF for byte in raw),
    "something else": lambda raw: msgspec.msgpack.encode({"deck": 1}),
    "another version": lambda raw: raw.replace(room.CACHE_FORM.encode(), b"9.9.9/2", 1),
    "another file": lambda raw: raw.replace(b"a.yaml", b"z.yaml", 1),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_cache_that_does_not_fit_is_ignored_and_written_anew(
    shelf, write_deck, tmp_path, reads, damage
):
    write_deck("a.yaml", deck("a", ("one", "q")))
    expected = shelf().read().items
    (entry,) = entries(tmp_path)
    entry.write_bytes(damage(entry.read_bytes()))
    reads.clear()
    assert shelf().read().items == expected
    assert shelf().read().items == expected
    assert reads == ["a.yaml"]


@pytest.mark.parametrize("stands_in_the_way", ["home/cache", "home/cache/content"])
def test_cache_that_cannot_be_written_stops_nothing(shelf, write_deck, tmp_path, stands_in_the_way):
    """A file where the folder belongs holds for root too, whom no permission stops."""
    write_deck("a.yaml", deck("a", ("one", "q")))
    obstacle = tmp_path / stands_in_the_way
    obstacle.parent.mkdir(parents=True, exist_ok=True)
    obstacle.write_text("in the way")
    assert list(shelf().read().items) == ["a/one"]


def test_full_disk_stops_nothing(shelf, write_deck, monkeypatch):
    write_deck("a.yaml", deck("a", ("one", "q")))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert list(shelf().read().items) == ["a/one"]


def test_without_a_cache_folder_every_start_reads(write_deck, reads):
    path = write_deck("a.yaml", deck("a", ("one", "q")))
    for _ in range(2):
        assert list(Shelf([path.parent], None).read().items) == ["a/one"]
    assert reads == ["a.yaml", "a.yaml"]


def test_file_whose_name_is_no_text_is_read_and_not_cached(shelf, write_deck, tmp_path):
    path = write_deck("a.yaml", deck("a", ("one", "q")))
    path.rename(os.fsdecode(os.fsencode(path.parent) + b"/caf\xe9.yaml"))
    assert list(shelf().read().items) == ["a/one"]
    assert entries(tmp_path) == []


@pytest.mark.parametrize("kind", ["round", "script"])
def test_a_round_whose_folder_has_a_name_that_is_no_text_is_read_all_the_same(
    shelf, write_deck, kind
):
    small = Path(__file__).parents[1] / "cases" / "small_round.yaml"
    script = 'script: s\nround: small\nverdict: [hire]\nsteps:\n  - {at: "0:20", write: x}\n'
    path = write_deck("a.yaml", small.read_text("utf-8") if kind == "round" else script)
    path.rename(os.fsdecode(os.fsencode(path.parent) + b"/caf\xe9.yaml"))
    library = shelf().read()
    found = library.rounds["small"] if kind == "round" else library.scripts["small"][0]
    assert Path(found.path).name == "caf?.yaml"


# --- several decks -------------------------------------------------------------------------------


def test_decks_stand_by_their_order_then_by_file(shelf, write_deck):
    write_deck("a.yaml", deck("late", ("x", "q"), head="order: 900"))
    write_deck("b.yaml", deck("middle", ("x", "q")))
    write_deck("c.yaml", deck("early", ("x", "q"), head="order: 10"))
    write_deck("d.yaml", deck("middling", ("x", "q")))
    library = shelf().read()
    assert list(library.decks) == ["early", "middle", "middling", "late"]
    assert list(library.items) == ["early/x", "middle/x", "middling/x", "late/x"]


def test_one_deck_may_stand_in_two_files(shelf, write_deck):
    first = write_deck("a.yaml", deck("d", ("x", "q")))
    second = write_deck("b.yaml", deck("d", ("y", "q")))
    library = shelf().read()
    assert [card.id for card in library.decks["d"].cards] == ["x", "y"]
    assert [library.place(item).path for item in library.items] == [first, second]
    assert library.diagnostics == ()


def test_id_in_two_files_is_told_with_both_places_and_both_cards_are_kept(shelf, write_deck):
    first = write_deck("a.yaml", deck("d", ("x", "q")))
    second = write_deck("b.yaml", deck("d", ("w", "p"), ("x", "r")))
    library = shelf().read()
    (found,) = library.diagnostics
    assert (found.file, found.line, found.column, found.code) == (str(second), 4, 1, "duplicate-id")
    assert found.message == f"the id 'd/x' stands in {first}:3 and again in {second}:4"
    assert found.hint == "give one of the two cards another id"
    assert [card.question for card in library.items.values()] == ["q", "p", "r"]
    assert list(library.items) == ["d/x", "d/w", "d/x~2"]
    assert library.place("d/x~2") == Place(second, 4)


def test_parent_that_does_not_exist_is_told(shelf, write_deck):
    path = write_deck(
        "a.yaml",
        "deck: d\ncards:\n  - {id: x, ask: q, answer: a, after: gone}\n"
        "  - {id: y, ask: r, answer: a, after: x}\n",
    )
    (found,) = shelf().read().diagnostics
    assert (found.file, found.line, found.code, found.message) == (
        str(path),
        3,
        "unknown-parent",
        "`after: d/gone` names no card",
    )


def test_folder_that_is_named_twice_gives_its_cards_once(write_deck, tmp_path, monkeypatch):
    """As `--content .` does in a checkout, or a link to one's own decks in the settings."""
    path = write_deck("a.yaml", deck("d", ("x", "q")))
    (tmp_path / "link").symlink_to(path.parent)
    (path.parent / "again.yaml").symlink_to(path)
    monkeypatch.chdir(tmp_path)
    library = Shelf([path.parent, Path("home/decks"), tmp_path / "link"], None).read()
    assert (list(library.items), library.diagnostics) == (["d/x"], ())


# --- folders as they are -------------------------------------------------------------------------


def found_in(folder):
    faults = []
    files = [path for path, _ in content_files(folder, faults)]
    names = [str(path.relative_to(folder)) for path in files]
    return names, [(Path(fault.file).name, fault.code, fault.message) for fault in faults]


def test_folders_are_read_in_order_and_hidden_ones_are_left(tmp_path):
    for name in (
        "b.yaml",
        "a.yml",
        ".hidden.yaml",
        "notes.txt",
        "z.yaml",
        "sub/c.yaml",
        ".git/d.yaml",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert found_in(tmp_path) == (["a.yml", "b.yaml", "z.yaml", "sub/c.yaml"], [])


def test_missing_folder_holds_nothing(tmp_path):
    assert content_files(tmp_path / "nowhere", []) == []


def test_loop_of_links_ends_and_a_linked_folder_is_read_once(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.yaml").write_text("")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "sub")
    (tmp_path / "self").symlink_to("self")
    names, faults = found_in(tmp_path)
    assert len(names) == 1
    assert names[0].endswith("a.yaml")
    assert faults == []


def test_links_that_lead_nowhere_or_in_a_circle_are_told(tmp_path):
    (tmp_path / "dangling.yaml").symlink_to(tmp_path / "gone.yaml")
    (tmp_path / "circle.yaml").symlink_to("circle.yaml")
    (tmp_path / "good.yaml").write_text("")
    assert found_in(tmp_path) == (
        ["good.yaml"],
        [
            ("circle.yaml", "unreadable", "cannot be read: Too many levels of symbolic links"),
            ("dangling.yaml", "unreadable", "cannot be read: No such file or directory"),
        ],
    )


def test_pipe_is_told_and_never_opened(tmp_path):
    os.mkfifo(tmp_path / "x.yaml")
    (tmp_path / "good.yaml").write_text("")
    assert found_in(tmp_path) == (["good.yaml"], [("x.yaml", "not-a-file", "not a plain file")])
    faults = []
    assert content_files(tmp_path / "x.yaml", faults) == []
    assert [fault.code for fault in faults] == ["not-a-file"]


def test_folder_called_like_a_deck_is_entered(tmp_path):
    (tmp_path / "old.yaml").mkdir()
    (tmp_path / "old.yaml" / "a.yaml").write_text("")
    assert found_in(tmp_path) == (["old.yaml/a.yaml"], [])


def test_file_that_vanishes_between_listing_and_reading_is_told(shelf, write_deck, monkeypatch):
    write_deck("a.yaml", deck("a", ("one", "q")))
    gone = write_deck("b.yaml", deck("b", ("one", "q")))
    open_file = Path.open

    def vanishing(path, *args, **kwargs):
        if path == gone:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        return open_file(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", vanishing)
    library = shelf().read()
    assert list(library.items) == ["a/one"]
    assert [(d.file, d.code) for d in library.diagnostics] == [(str(gone), "unreadable")]


NOBODY = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from drillkit.content.shelf import Shelf
    # Loads what Python itself may not be allowed to read later.
    Shelf([Path(sys.argv[1])], None).read()
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    library = Shelf([Path(sys.argv[1])], Path(sys.argv[1]) / "cache").read()
    print(*library.items)
    for found in library.diagnostics:
        print(Path(found.file).name, found.code, found.message, found.hint, sep="; ")
    """
)


@pytest.fixture
def open_folder():
    """A folder that every user may enter, which pytest's own are not."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_what_may_not_be_read_is_told_and_hides_nothing_else(open_folder):
    """In a process of its own, that gives up root's rights if it has them."""
    closed = open_folder / "closed"
    closed.mkdir()
    (closed / "a.yaml").write_text(deck("a", ("one", "q")))
    (open_folder / "good.yaml").write_text(deck("b", ("one", "q")))
    (open_folder / "mine.yaml").write_text(deck("c", ("one", "q")))
    closed.chmod(0)
    (open_folder / "mine.yaml").chmod(0)
    try:
        done = subprocess.run(
            [sys.executable, "-c", NOBODY, str(open_folder)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"PYTHONPATH": str(Path(room.__file__).parents[2])},
        )
    finally:
        closed.chmod(0o755)
    hint = "check its permissions, or remove it from the content folders"
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "b/one",
        f"closed; unreadable; cannot be read: Permission denied; {hint}",
        f"mine.yaml; unreadable; cannot be read: Permission denied; {hint}",
    ]


def test_folder_that_cannot_be_listed_is_told_as_root_too(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    (tmp_path / "good.yaml").write_text("")
    scan = os.scandir

    def closed(path):
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", closed)
    assert found_in(tmp_path) == (
        ["good.yaml"],
        [("closed", "unreadable", "cannot be read: Permission denied")],
    )


def test_place_of_an_unknown_item_is_a_key_error(shelf):
    with pytest.raises(KeyError):
        shelf().read().place("d/x")
