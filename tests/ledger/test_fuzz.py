"""Every reader against mutated and random bytes: never a traceback, never a second spelling accepted."""

import subprocess
import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

HERE = Path(__file__)
PROGRAM = HERE.with_name("fuzz_readers.py")


def load() -> Any:
    spec = spec_from_file_location("fuzz_readers", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


fuzz = load()
TARGETS: dict[str, Any] = fuzz.TARGETS


@st.composite
def mutated(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A valid input with a few edits: bits, pieces cut, doubled, swapped in from elsewhere."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        at, to = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        how = draw(st.integers(0, 6))
        if how == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << draw(st.integers(0, 7))]) + data[at + 1 :]
        elif how == 1:
            data = data[:at] + data[to:]
        elif how == 2:
            data = data[:to] + data[at:to] + data[to:]
        elif how == 3:
            data = data[:at] + draw(st.sampled_from(fuzz.TOKENS)) + data[at:]
        elif how == 4:
            data = data[:at] + draw(st.sampled_from(fuzz.TOKENS)) + data[to:]
        elif how == 5:
            other = draw(st.sampled_from(seeds))
            data = data[:at] + other[min(at, len(other)) :]
        else:
            data = data[:at] + draw(st.binary(max_size=8)) + data[at:]
    return data


@pytest.mark.parametrize("name", TARGETS)
def test_the_valid_inputs_are_taken(name: str) -> None:
    assert fuzz.judge(TARGETS[name], TARGETS[name].seeds[0])


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutation_is_read_as_something_else(name: str, request: pytest.FixtureRequest) -> None:
    count = 5000 if request.config.getoption("--long") else 150

    @settings(max_examples=count)
    @given(mutated(TARGETS[name].seeds))
    def run(data: bytes) -> None:
        fuzz.judge(TARGETS[name], data)

    run()


@pytest.mark.parametrize("name", TARGETS)
@given(st.binary(max_size=300))
@settings(max_examples=40)
def test_no_random_bytes_are_read_as_something_else(name: str, data: bytes) -> None:
    fuzz.judge(TARGETS[name], data)


@pytest.mark.parametrize("name", TARGETS)
def test_every_cut_of_a_valid_input_is_judged(name: str) -> None:
    for data in TARGETS[name].seeds:
        for at in range(len(data)) if len(data) < 1000 else range(0, len(data), 7):
            fuzz.judge(TARGETS[name], data[:at])
            fuzz.judge(TARGETS[name], data[at:])


@pytest.mark.parametrize("name", TARGETS)
def test_coverage_leads_nowhere_else(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    seconds = request.config.getoption("--fuzz")
    if not seconds:
        pytest.skip("minutes: give --fuzz SECONDS for each reader")
    if find_spec("atheris") is None:
        pytest.skip("atheris is not installed")
    for number, data in enumerate(TARGETS[name].seeds):
        (tmp_path / str(number)).write_bytes(data)
    command = [sys.executable, PROGRAM, name, f"-max_total_time={seconds}", "-max_len=8192", tmp_path]
    done = subprocess.run(command, cwd=HERE.parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
