"""The viewer in Debian's Chromium: steps, jumps, numbers, safety. AppTest cannot drive a component (viewer.md 0.10)."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine.events import load
from viewer import frames
from viewer.games import games, lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Opener = Callable[..., "Page"]
Server = Callable[..., Iterator[str]]


@pytest.fixture(scope="module")
def site(browser: "Browser", club: str, served: Server) -> Iterator[str]:
    assert browser
    yield from served(club)


DIALOGS = {"help": "dialog[open]", "dispute": "[role=dialog]", "note": "[role=dialog]"}
"""What opens over the table, by its control."""
IDLE = '[data-testid=stApp][data-test-script-state="notRunning"]'
FOCUSED = "() => document.activeElement?.shadowRoot?.activeElement?.classList[0]"


def label(page: "Page") -> str:
    return str(page.locator("svg.felt").get_attribute("aria-label"))


def at(page: "Page", seq: int) -> None:
    page.locator(f'svg.felt[aria-label^="{seq}: "]').wait_for()


def drawing(page: "Page") -> str:
    return str(page.locator(".stage").inner_html())


@pytest.fixture(scope="module")
def game(club: str) -> str:
    return games(club)[0].id


@pytest.fixture(scope="module")
def picture(club: str, game: str) -> Any:
    return frames.picture(lines(club, game))


def link(site: str, game: str, hand: int, step: int = 0) -> str:
    return f"{site}/?game={game}&hand={hand}&step={step}"


def test_a_deep_link_opens_and_nothing_is_logged(
    watched: tuple[Opener, list[str]], site: str, game: str, picture: Any, screenshots: Path
) -> None:
    open_page, said = watched
    page = open_page(link(site, game, 1, 30))
    frame = picture["frames"][picture["hands"][2]["first"] + 30]
    assert label(page) == f"{frame['seq']}: {frame['words']['en']}"
    assert page.locator(".other").inner_text() == frame["words"]["zh"]
    assert page.locator(".list tr[aria-current=step] .seq").inner_text() == str(frame["seq"])
    page.get_by_text("✓").or_(page.get_by_text("holds")).first.wait_for(state="attached")
    page.screenshot(path=screenshots / "table.png")
    assert (screenshots / "table.png").stat().st_size > 50_000
    assert said == []


STEPS = """async ([first, count]) => {
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.paipu'));
  const root = host.shadowRoot.querySelector('.paipu');
  const drawn = () => [...root.querySelectorAll('.stage, .summary, .scores, .speech')].map((e) => e.innerHTML).join('');
  const press = (key) => root.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
  const stepped = [drawn()];
  for (let at = 1; at < count; at += 1) {
    press('ArrowRight');
    stepped.push(drawn());
  }
  const differ = [];
  const number = root.querySelector('input.goto');
  // Backwards, forwards and from far away: 7 has no factor in common with most counts.
  for (let at = 0; at < count; at += 1) {
    const to = (at * 7 + 3) % count;
    number.value = String(first + to);
    number.dispatchEvent(new Event('change'));
    if (drawn() !== stepped[to]) differ.push(to);
  }
  return { steps: new Set(stepped).size, differ };
}"""


def test_every_jump_shows_what_as_many_steps_show(
    watched: tuple[Opener, list[str]], site: str, game: str, picture: Any
) -> None:
    open_page, said = watched
    page = open_page(link(site, game, 1))
    view = picture["hands"][2]
    count = view["last"] - view["first"] + 1
    found = page.evaluate(STEPS, [view["first"], count])
    assert found == {"steps": count, "differ": []}
    assert said == []


def test_a_reload_shows_the_same(watched: tuple[Opener, list[str]], site: str, game: str, picture: Any) -> None:
    open_page, said = watched
    page = open_page(link(site, game, 0, 30))
    for key in ("ArrowRight", "]", "ArrowRight", "ArrowRight", "v", "h"):
        page.keyboard.press(key)
    at(page, picture["hands"][2]["first"] + 2)
    before = drawing(page)
    address = page.url.replace("%3D", "=")
    assert "hand=1&step=2&seat=1&hands=0" in address
    page.reload()
    at(page, picture["hands"][2]["first"] + 2)
    assert drawing(page) == before
    assert page.url.replace("%3D", "=") == address
    assert said == []


def test_home_end_and_the_hands(watched: tuple[Opener, list[str]], site: str, game: str, picture: Any) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 1, 5))
    hands = picture["hands"]
    for key, seq in (
        ("End", hands[2]["last"]),
        ("End", hands[3]["first"]),
        ("[", hands[2]["first"]),
        ("]", hands[3]["first"]),
        ("Home", hands[2]["last"]),
        ("Home", hands[2]["first"]),
    ):
        page.keyboard.press(key)
        at(page, seq)


def test_n_and_p_go_from_mark_to_mark(watched: tuple[Opener, list[str]], site: str, game: str, picture: Any) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0))
    first = picture["hands"][1]["first"]
    marks = [frame["seq"] for frame in picture["frames"] if "mark" in frame and frame["seq"] > first]
    for seq in marks[:4]:
        page.keyboard.press("n")
        at(page, seq)
    page.keyboard.press("p")
    at(page, marks[2])


def test_the_settlement_shows_the_numbers_of_the_log(
    watched: tuple[Opener, list[str]], site: str, club: str, game: str, picture: Any
) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0))
    ended = [load(line) for line in lines(club, game) if b'"type":"hand_ended"' in line]
    for view, end in zip(picture["hands"][1:], ended, strict=True):
        page.keyboard.press("End")
        at(page, view["last"])
        settled = load(next(x for x in lines(club, game)[view["first"] :] if b'"type":"settled"' in x))
        shown = [text.split()[-1] for text in page.locator(".payments > span").all_inner_texts()]
        assert [int(text.replace("−", "-")) for text in shown] == settled["payments"]
        amounts = page.locator(".summary .lines td.number").all_inner_texts()
        assert [int(text) for text in amounts] == [line["amount"] for line in settled["lines"]]
        totals = page.locator("table.scores td.total").all_inner_texts()
        assert [int(text.replace("−", "-")) for text in totals] == end["scores"]
        page.keyboard.press("]")


def test_hiding_and_turning_the_table(watched: tuple[Opener, list[str]], site: str, game: str) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0, 10))
    backs = page.locator('svg.felt use[href="#t-back"]')
    assert backs.count() == 0
    page.keyboard.press("h")
    assert backs.count() in {39, 40}
    assert "hands=0" in page.url
    page.keyboard.press("v")
    assert "seat=1" in page.url
    page.keyboard.press("h")
    assert backs.count() == 0
    page.keyboard.press("i")
    assert page.locator('svg.felt use[href^="#i-"]').count() > 50


def test_buttons_give_the_focus_back(watched: tuple[Opener, list[str]], site: str, game: str, picture: Any) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0))
    first = picture["hands"][1]["first"]
    page.locator('button[data-key="hide_hands"]').click()
    page.locator('button[data-key="forward"]').click()
    page.keyboard.press("ArrowRight")
    at(page, first + 2)
    page.locator(".list tbody tr").nth(9).click()
    at(page, first + 9)
    page.keyboard.press("g")
    page.keyboard.type(f"{first + 40}\n")
    at(page, first + 40)
    page.keyboard.press("ArrowLeft")
    at(page, first + 39)
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("x")
    page.keyboard.press("ArrowLeft")
    at(page, first + 38)


def test_the_table_has_the_focus_after_every_control(
    watched: tuple[Opener, list[str]], site: str, game: str, picture: Any
) -> None:
    open_page, said = watched
    page = open_page(link(site, game, 1, 40))
    keys = page.locator("button[data-key]").evaluate_all("(all) => all.map((each) => each.dataset.key)")
    assert len(keys) == len(set(keys)) >= 14
    for key in keys:
        page.locator(f'button[data-key="{key}"]').click()
        if key in DIALOGS:
            dialog = page.locator(DIALOGS[key])
            dialog.wait_for()
            page.locator(IDLE).wait_for()
            page.keyboard.press("Escape")
            dialog.wait_for(state="detached")
            page.keyboard.press("ArrowLeft")  # whoever has closed a dialog goes on with the next key
        if key == "play":
            page.keyboard.press("Space")
        assert page.evaluate(FOCUSED) == "paipu", key
    for part in (".hands button", ".marks button", ".list tbody tr"):
        page.locator(part).nth(1).click()
        assert page.evaluate(FOCUSED) == "paipu", part
    page.locator("input.goto").fill(str(picture["hands"][2]["last"]))
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "paipu", "goto"
    page.locator(".summary button.close").click()
    assert page.evaluate(FOCUSED) == "paipu", "close"
    assert said == []


def test_play_stops_at_the_end_of_the_hand(
    watched: tuple[Opener, list[str]], site: str, game: str, picture: Any
) -> None:
    open_page, _ = watched
    view = picture["hands"][1]
    page = open_page(link(site, game, 0, view["last"] - view["first"] - 3))
    for _ in range(4):
        page.keyboard.press("+")
    page.keyboard.press("Space")
    assert page.locator(".speech").get_attribute("aria-live") == "off"
    at(page, view["last"])
    page.locator('.speech[aria-live="polite"]').wait_for()


def test_tab_leaves_the_table(watched: tuple[Opener, list[str]], site: str, game: str) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0))
    inside = "() => document.activeElement?.shadowRoot !== null && document.activeElement?.shadowRoot !== undefined"
    page.locator(".paipu").focus()
    assert page.evaluate(inside)
    for _ in range(60):
        page.keyboard.press("Tab")
        if not page.evaluate(inside):
            return
    pytest.fail("Tab does not leave the table")


def test_chinese(watched: tuple[Opener, list[str]], site: str, game: str, picture: Any) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0, 12))
    frame = picture["frames"][picture["hands"][1]["first"] + 12]
    page.get_by_text("中文", exact=True).click()
    page.locator(f'svg.felt[aria-label="{frame["seq"]}: {frame["words"]["zh"]}"]').wait_for()
    assert page.locator(".other").inner_text() == frame["words"]["en"]
    assert page.locator(".paipu").get_attribute("lang") == "zh-Hans"
    assert page.locator(".other").get_attribute("lang") == "en"
    assert f"{game} · 临海麻将（144张）" in page.locator("[data-testid=stSelectbox] input").first.input_value()
    page.get_by_text("核验结果", exact=True).first.click()
    page.get_by_text("各层均成立").wait_for()
    page.get_by_text("重放", exact=True).first.click()
    page.locator("svg.felt").wait_for()
    assert f"game={game}" in page.url


def test_the_table_turns_to_another_game(watched: tuple[Opener, list[str]], site: str, club: str, game: str) -> None:
    open_page, said = watched
    page = open_page(link(site, game, 2, 9))
    other = games(club)[1].id
    page.locator("[data-testid=stSelectbox] input").click()
    page.get_by_text(f"{other} ·").last.click()
    page.wait_for_url(f"**game={other}&hand=0&step=0**")
    page.keyboard.press("]")
    page.wait_for_url("**hand=1&step=0**")
    assert said == []


def test_a_narrow_screen_needs_no_sideways_scrolling(
    watched: tuple[Opener, list[str]], site: str, game: str, screenshots: Path
) -> None:
    open_page, _ = watched
    page = open_page(link(site, game, 0, 40), width=390, height=844)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "() => [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.whole')).filter(Boolean)"
        ".every((e) => e.scrollWidth <= e.clientWidth + 1)"
    )
    page.screenshot(path=screenshots / "table-narrow.png")


def test_card_games_are_drawn_too(watched: tuple[Opener, list[str]], site: str, club: str) -> None:
    open_page, said = watched
    page = open_page(link(site, games(club)[2].id, 0))
    page.keyboard.press("End")
    page.locator(".payments").wait_for()
    assert page.locator("svg.felt use").count() >= 20
    assert said == []


def test_a_finding_is_marked_on_the_rail_with_a_sign(
    watched: tuple[Opener, list[str]], forged_club: str, served: Server, screenshots: Path
) -> None:
    open_page, said = watched
    game = games(forged_club)[0].id
    drawn = list(frames.film(lines(forged_club, game)))
    wrong = next(frame for frame in drawn if "findings" in frame)
    for site in served(forged_club):
        page = open_page(link(site, game, wrong["hand"]))
        assert page.locator(".mark.finding").inner_text() == "✗"
        page.keyboard.press("f")
        at(page, wrong["seq"])
        box = page.locator(".faultbox")
        finding = wrong["findings"][0]
        assert finding["clause"] in box.locator("strong").inner_text()
        shown = [json.loads(text) for text in box.locator("dd").all_inner_texts()]
        assert shown == [finding["expected"], finding["found"]]
        told = page.locator(".summary .wrong").inner_text()  # over the table, where nobody must scroll for it
        assert json.dumps(finding["expected"], separators=(",", ":")) in told
        page.screenshot(path=screenshots / "table-finding.png")
        page.close()
    assert said == []


def test_hostile_names_are_text(watched: tuple[Opener, list[str]], hostile_club: str, served: Server) -> None:
    open_page, said = watched
    for site in served(hostile_club):
        for address, wait in (
            (f"{site}/?game=hostile&hand=0&step=20", ".paipu svg.felt"),
            (site, "[data-testid=stDataFrame]"),
            (f"{site}/payouts?game=hostile", "[data-testid=stVegaLiteChart]"),
            (f"{site}/proof?game=hostile", "[data-testid=stDownloadButton]"),
            (f"{site}/compare?game=hostile", "[data-testid=stTable]"),
        ):
            page = open_page(address, wait)
            page.wait_for_timeout(700)
            assert page.title() != "owned"
            assert page.locator("img[src=x]").count() == 0
            assert page.locator('a[href^="javascript"]').count() == 0
            page.close()
        names = {load(lines(hostile_club, "hostile")[0])["seats"][at]["player"] for at in range(4)}
        page = open_page(f"{site}/?game=hostile&hand=0&step=20")
        assert set(page.locator("table.scores td.name").all_text_contents()) == names
        page.close()
    assert said == []


def test_headers_and_foreign_hosts(site: str) -> None:
    with urllib.request.urlopen(site, timeout=20) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy
        assert "script-src 'self' blob: 'sha256-" in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
    request = urllib.request.Request(site, headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    assert refused.value.code == 400
    refused.value.close()
