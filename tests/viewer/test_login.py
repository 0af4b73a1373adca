"""Who comes in: by the login of an OpenID provider, and by a trusted proxy's header; in Chromium, over the network."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from gates import Front, Provider, fronting, providing

from viewer import access
from viewer.games import games

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

Server = Callable[..., Iterator[str]]
HEADER = "X-User"
SECRETS = """[auth]
redirect_uri = "{url}/oauth2callback"
cookie_secret = "{cookie}"
client_id = "paipu"
client_secret = "a secret"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
"""


@pytest.fixture
def users(tmp_path: Path, club: str) -> Path:
    path = tmp_path / "users.toml"
    path.write_text(
        f"""[users."op@club"]
role = "operator"
[users."reg@club"]
role = "regulator"
[users."player@club"]
role = "player"
players = ["{games(club)[0].players[1]}"]
"""
    )
    return path


@pytest.fixture
def context(browser: "Browser") -> Iterator["BrowserContext"]:
    made = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    made.set_default_timeout(60_000)
    yield made
    made.close()


def tabs(page: "Page") -> set[str]:
    """The pages that the navigation offers."""
    page.locator("[data-testid=stTopNavLink]").first.wait_for()
    return {
        each.split("/")[-1]
        for each in page.eval_on_selector_all("[data-testid=stTopNavLink]", "all => all.map((e) => e.href)")
    }


def stranger(page: "Page") -> None:
    page.get_by_text("You are not known here.").wait_for()
    assert page.locator("[data-testid=stDataFrame]").count() == 0
    assert page.locator("[data-testid=stTopNavLink]").count() == 0


def test_a_login_brings_the_role_of_its_subject(
    context: "BrowserContext", club: str, users: Path, served: Server, tmp_path: Path
) -> None:
    pytest.importorskip("authlib", reason="the extra `login` is not installed")
    with providing(Provider("paipu", "a secret")) as provider:

        def prepare(url: str) -> None:
            folder = tmp_path / ".streamlit"
            folder.mkdir()
            told = SECRETS.format(url=url, cookie="c" * 40, issuer=provider.issuer)
            (folder / "secrets.toml").write_text(told)

        for site in served(club, folder=tmp_path, prepare=prepare, **{access.USERS: str(users)}):
            page = context.new_page()
            page.goto(site)
            stranger(page)
            provider.subject = "reg@club"
            page.get_by_role("button", name="Log in").click()
            page.get_by_text("Show players' ids").wait_for()
            assert "fairness" in tabs(page)


def test_a_proxys_header_brings_the_role_and_a_clients_does_not(
    context: "BrowserContext", club: str, users: Path, served: Server
) -> None:
    context.set_extra_http_headers({HEADER: "op@club"})
    for site in served(club, **{access.USERS: str(users), access.HEADER: HEADER}):
        with fronting(site, HEADER) as front:
            visit(context, front, "")
            assert visit(context, front, "player@club") == {"", "games", "replay", "payouts", "file", "disputes"} - {
                "games"
            }


def visit(context: "BrowserContext", front: Front, subject: str) -> set[str]:
    front.subject = subject
    page = context.new_page()
    page.goto(front.url)
    if not subject:
        stranger(page)
        found: set[str] = set()
    else:
        page.locator("[data-testid=stDataFrame]").wait_for()
        found = tabs(page)
    page.close()
    return found
