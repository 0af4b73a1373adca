"""One page of the application by itself, without a browser: opened for a role over a ledger, and what it says."""

import pytest
from streamlit.testing.v1 import AppTest

from viewer import access

KINDS = ("markdown", "caption", "info", "error", "warning", "success")


def page() -> None:
    """Draw the page that PAIPU_TEST_PAGE names, as the application does; streamlit runs the text of this function."""
    import os
    from importlib import import_module

    from viewer.page import desk, shelf

    name = os.environ["PAIPU_TEST_PAGE"]
    desk.guarded(name, import_module(f"viewer.page.{name}").show, shelf.language)()


def ran(found: AppTest) -> AppTest:
    assert not found.exception
    return found


def fresh() -> AppTest:
    """Return the application with the page that was opened last, not yet run."""
    return AppTest.from_function(page, default_timeout=120)


def open_page(monkeypatch: pytest.MonkeyPatch, ledger: str, name: str, role: str, **query: str) -> AppTest:
    """Open a page for a role; `query` is the address's."""
    monkeypatch.setenv("PAIPU_LEDGER", ledger)
    monkeypatch.setenv(access.AS, role)
    monkeypatch.setenv("PAIPU_TEST_PAGE", name)
    monkeypatch.setattr("sys.argv", ["app.py"])
    found = fresh()
    for key, value in query.items():
        found.query_params[key] = value
    return ran(found.run())


def told(found: AppTest, *more: str) -> str:
    """Return what a page says in words and tables, with elements of more kinds."""
    texts = [str(element.value) for kind in (*KINDS, *more) for element in found.get(kind)]
    return "\n".join([*texts, *(table.value.to_string() for table in found.table)])
