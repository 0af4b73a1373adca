"""Shared fixtures: the specification's vectors, a PostgreSQL server of our own, and the long suites' option."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest

MAIN = sys.modules["__main__"]
SHARED = Path(os.environ.get("PAIPU_SHARED", Path(__file__).parents[2] / "shared"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the suites that take minutes, too")
    parser.addoption("--hands", type=int, default=5000, metavar="N", help="hands of the ledger that every page opens; "
                     "from 20,000 on it is made once and kept in the user's cache folder")  # fmt: skip
    parser.addoption("--fuzz", type=int, default=0, metavar="SECONDS", help="fuzz each reader for so long with atheris")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public vectors and cases; absent on a lone clone."""
    if not SHARED.is_dir():
        pytest.skip("the public vectors are not beside this clone; set PAIPU_SHARED to their folder")
    return SHARED


class Cluster:
    """A PostgreSQL server in a temporary folder, on a socket only; it runs as an unprivileged user."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        self.server: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root, who may become whoever it is for.
        self.user = None if os.geteuid() else next(name for name in ("postgres", "nobody") if _known(name))
        if self.user is not None:
            os.chown(folder, pwd.getpwnam(self.user).pw_uid, -1)
        # Rows must come in the order of their bytes although this database sorts as English does.
        english = ["--locale-provider=icu", "--icu-locale=en"]
        plain = ["initdb", "-A", "trust", "-U", "paipu", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-D", "data"]
        if self._run([*plain, *english]).returncode:
            done = self._run(plain)
            assert done.returncode == 0, done.stderr

    def _run(self, command: list[str]) -> "subprocess.CompletedProcess[bytes]":
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        command[0] = str(self.programs / command[0])
        return subprocess.run(command, cwd=self.folder, user=self.user, capture_output=True, check=False)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        import psycopg

        command = [self.programs / "postgres", "-D", "data", "-k", self.folder, "-c", "listen_addresses="]
        with (self.folder / "log").open("ab") as log:
            self.server = subprocess.Popen(
                command, cwd=self.folder, user=self.user, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        for _ in range(600):
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                assert self.server.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server; SIGQUIT is an immediate shutdown, as in a crash."""
        assert self.server is not None
        self.server.send_signal(how)
        self.server.wait(30)

    def url(self, schema: str = "public") -> str:
        """Give the libpq URL of a schema."""
        return f"postgresql://paipu@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"

    def run(self, statement: str) -> None:
        """Run one statement."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]  # our own text


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def postgres_programs() -> Path:
    """Find PostgreSQL's programs; the test is skipped where there are none."""
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: the extra [postgres]")
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    path = shutil.which("initdb")
    if path:
        found.append(Path(path).resolve().parent)
    if not found:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    return found[0]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL server."""
    programs = postgres_programs()
    with tempfile.TemporaryDirectory(prefix="paipu-pg-", ignore_cleanup_errors=True) as name:
        made = Cluster(programs, Path(name))
        made.start()
        try:
            yield made
        finally:
            made.stop()


_schemas = count()


@pytest.fixture(scope="session")
def postgres(cluster: Cluster) -> Callable[[], str]:
    """A function that gives the URL of an empty schema, ready for a new ledger."""

    def fresh() -> str:
        schema = f"t{next(_schemas)}"
        cluster.run(f"CREATE SCHEMA {schema}")
        return cluster.url(schema)

    return fresh


_TSA = """
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[signer]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, {usage}
[tsa]
serial = serial
signer_cert = signer.pem
signer_key = signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ordering = yes
"""


class Authority:
    """A time-stamping authority of our own: OpenSSL, one certificate in its answers, SHA-512 among its digests."""

    def __init__(self, folder: Path, name: str, usage: str = "timeStamping") -> None:
        self.folder = folder
        self.before_ms = self.after_ms = 0
        (folder / "tsa.cnf").write_text(_TSA.format(name=name, usage=usage))
        (folder / "serial").write_text("01\n")
        new = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config tsa.cnf"
        self._openssl(f"req -x509 {new} -keyout root.key -out root.pem -days 30 -extensions root")
        self._openssl(f"req -new {new} -keyout signer.key -out signer.csr")
        issue = "x509 -req -in signer.csr -CA root.pem -CAkey root.key -CAcreateserial -out signer.pem -days 30"
        self._openssl(f"{issue} -extfile tsa.cnf -extensions signer")
        self.root = (folder / "root.pem").read_bytes()

    def _openssl(self, command: str) -> None:
        subprocess.run(["openssl", *command.split()], cwd=self.folder, capture_output=True, check=True)

    @staticmethod
    def now_ms() -> int:
        """Read the clock that the authority reads."""
        return time.time_ns() // 1_000_000

    def answer(self, request: bytes) -> bytes:
        """Answer a request for a token, in DER."""
        (self.folder / "request").write_bytes(request)
        self.before_ms = self.now_ms()
        self._openssl("ts -reply -config tsa.cnf -section tsa -queryfile request -out answer")
        self.after_ms = self.now_ms()
        return (self.folder / "answer").read_bytes()


def _authority(factory: pytest.TempPathFactory, name: str, usage: str = "timeStamping") -> Authority:
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed: no authority to ask")
    return Authority(factory.mktemp("tsa"), name, usage)


@pytest.fixture(scope="session")
def tsa(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """A time-stamping authority."""
    return _authority(tmp_path_factory, "Time stamps")


@pytest.fixture(scope="session")
def other_tsa(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Another authority, under a root of its own."""
    return _authority(tmp_path_factory, "Other time stamps")


@pytest.fixture(scope="session")
def wrong_tsa(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority whose certificate was made for something else."""
    return _authority(tmp_path_factory, "Mail", "emailProtection")


def pytest_runtest_setup() -> None:
    """Put the main module back: a page under AppTest takes its place, and worker processes would run it anew."""
    sys.modules["__main__"] = MAIN
