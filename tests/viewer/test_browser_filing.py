"""Cases and notes in Chromium: begun from the table by key and button, written once, hostile words inert."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from colour_vision import THEMES

from ledger.store import place_of
from viewer import cases, notes
from viewer.games import games, lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

try:
    from playwright.sync_api import TimeoutError as TimeoutError_
except ImportError:  # the browser's tests skip with a reason
    TimeoutError_ = TimeoutError  # type: ignore[misc,assignment]

pytestmark = pytest.mark.browser

Opener = Callable[..., "Page"]
Server = Callable[..., Iterator[str]]
HOSTILE = "<img src=x onerror=document.title='owned'> ![x](https://evil.example/p.png) 付错"
DIALOG = "[role=dialog]"


@pytest.fixture(scope="module")
def ledger(club: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A copy, keys beside it, for these tests to write in."""
    place, folder = place_of(club), tmp_path_factory.mktemp("filing")
    for path in place.parent.glob(f"{place.name}*"):
        shutil.copy(path, folder)
    return f"sqlite:///{folder / place.name}"


@pytest.fixture(scope="module")
def site(browser: "Browser", ledger: str, served: Server) -> Iterator[str]:
    assert browser
    yield from served(ledger)


def told(page: "Page") -> str:
    return str(page.locator(DIALOG).inner_text())


def reviewed(page: "Page", by: str, words: str) -> None:
    """Fill in the form and go on to the second look, again where a busy server drew the form anew under the typing."""
    looked_at = page.locator(f"{DIALOG} [data-testid=stTable]")
    for _ in range(5):
        if not looked_at.count():
            page.locator(f"{DIALOG} input[type=text]").first.fill(by)
            page.locator(f"{DIALOG} textarea").fill(words)
            page.get_by_role("button", name="Continue").click()
        with suppress(TimeoutError_):
            looked_at.wait_for(timeout=12_000)
            return
    looked_at.wait_for(timeout=1)


def test_a_case_and_a_note_from_the_table(watched: tuple[Opener, list[str]], site: str, ledger: str) -> None:
    open_page, said = watched
    game = games(ledger)[0].id
    page = open_page(f"{site}/?game={game}&hand=0&step=20")
    page.keyboard.press("ArrowRight")
    seq = int(str(page.locator("svg.felt").get_attribute("aria-label")).split(":")[0])
    page.keyboard.press("m")
    page.locator(f"{DIALOG} textarea").fill(HOSTILE)
    page.get_by_role("button", name="Keep the note").click()
    page.locator(".noted").wait_for()
    assert page.locator(".noted").inner_text().startswith(f"✎ {HOSTILE}")
    assert page.locator(".mark.note").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator(".noted").count() == 0
    page.keyboard.press("ArrowLeft")
    (note,) = notes.read(Path(f"{place_of(ledger)}.notes"), game, lines(ledger, game), role="operator")
    assert (note.seq, note.words) == (seq, HOSTILE)

    page.keyboard.press("d")
    page.locator(f"{DIALOG} textarea").wait_for()
    page.keyboard.press("Escape")
    page.locator(DIALOG).wait_for(state="detached")
    page.get_by_role("button", name="open a case at this event (d)").click()
    reviewed(page, "judge", HOSTILE)
    assert HOSTILE in told(page)
    assert f"event {seq}" in told(page)
    page.get_by_role("button", name="Write it").dblclick()
    page.get_by_text("The case is open.").wait_for()
    page.get_by_role("button", name="Go to the case").click()
    page.get_by_role("button", name="Decide…").wait_for()
    page.locator(DIALOG).wait_for(state="detached")
    assert HOSTILE in page.locator("[data-testid=stMain]").inner_text()
    with cases.reading(ledger) as reader:
        (case,) = cases.cases(reader)
    assert case.opened is not None
    assert (case.opened.subject.game, case.opened.subject.seq) == (game, seq)
    assert f"case={case.id}" in page.url
    assert page.title() != "owned"
    assert said == []


def test_the_themes_are_those_that_the_colours_are_held_to(browser: "Browser", site: str) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site}/replay")
    page.locator(".paipu svg.felt").wait_for()
    root = page.locator(".paipu").first
    read = "(element, name) => getComputedStyle(element).getPropertyValue(name)"
    for scheme in ("dark", "light"):  # Streamlit follows the browser while the page is open
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(300)
        for name, colour in THEMES[scheme].items():
            assert str(root.evaluate(read, f"--st-{name}")).lower() == colour
    context.close()
