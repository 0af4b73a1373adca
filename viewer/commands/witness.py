"""`paipu witness`: ask for cosignatures, give them (offline files or an HTTP service), add them to a ledger."""

import sys
import time
from pathlib import Path

import click

from ledger.checkpoint import read_checkpoint
from ledger.errors import Unavailable, Untrusted
from ledger.merkle import leaf, prove_consistency
from ledger.policy import Policy
from ledger.publish import replace_file
from ledger.sealed import read_keys
from ledger.signing import add_cosignatures
from ledger.store import open_store
from ledger.witness import Submission, Witness
from ledger.witness_state import StateFile
from viewer.commands.common import Place, ledger_option, need_ledger
from viewer.passphrase import asking, passphrase_option
from viewer.plain import read_bytes
from viewer.recheck import fork_artefact
from viewer.remote import ask_witness
from viewer.targets import beside, read_policy, read_sound
from viewer.witness_http import WitnessServer

state_option = click.option(
    "--state", required=True, metavar="FILE", type=Place(), help="What the witness must not forget."
)
policy_option = click.option("--policy", required=True, metavar="FILE", help="Pins the keys of the logs it knows.")
key_option = click.option(
    "--key", required=True, metavar="FILE", help="Its key, made by: paipu keys new --type cosigner."
)


@click.group(
    short_help="Cosign logs; ask for cosignatures and add them.",
    epilog="Example: paipu witness collect --ledger sqlite:///x.db --policy club.policy",
)
def witness() -> None:
    """Cosign only what continues the head cosigned last (C2SP tlog-witness), and bring cosignatures into a ledger."""


def _witness(policy: str, key: str, state: Path, passphrase_file: str | None) -> Witness:
    signers = read_keys(Path(key), asking(passphrase_file))
    return Witness(read_policy(Path(policy)), signers, StateFile(state), lambda: int(time.time()))


@witness.command(
    short_help="Answer HTTP requests as a witness.",
    epilog="Example: paipu witness serve --policy logs.policy --key w.key --state w.db --port 8600",
)
@policy_option
@key_option
@state_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8600, show_default=True, help="Port; 0: any free one.")
@passphrase_option
def serve(*, policy: str, key: str, state: Path, host: str, port: int, passphrase_file: str | None) -> None:
    """Serve POST /add-checkpoint and GET /<origin hash>/checkpoint until interrupted."""
    server = WitnessServer((host, port), _witness(policy, key, state, passphrase_file))
    click.echo(f"witness on http://{server.server_address[0]!s}:{server.server_address[1]}", err=True)
    with server:
        server.serve_forever()


@witness.command(
    short_help="Answer one request, given as a file.",
    epilog="Example: paipu witness cosign request.txt --policy logs.policy --key w.key --state w.db > lines.txt",
)
@click.argument("request")
@policy_option
@key_option
@state_option
@passphrase_option
def cosign(*, request: str, policy: str, key: str, state: Path, passphrase_file: str | None) -> int:
    """Judge the add-checkpoint REQUEST (`-`: standard input); print the cosignature lines.

    Exit code 1 where it is refused: the status and the reason stand on standard error.
    """
    answer = _witness(policy, key, state, passphrase_file).add_checkpoint(read_bytes(request))
    if answer.status == 200:
        click.echo(answer.body.decode(), nl=False)
        return 0
    click.echo(f"refused ({answer.status}): {answer.body.decode(errors='replace').strip()}", err=True)
    return 1


@witness.command(
    short_help="List the forks that a witness saw.",
    epilog="Example: paipu witness conflicts --state w.db --policy logs.policy -o evidence/",
)
@state_option
@policy_option
@click.option("-o", "--output", metavar="DIR", type=Place(), help="Write an artefact of each there.")
def conflicts(*, state: Path, policy: str, output: Path | None) -> int:
    """List every conflict kept; with -o write each pair of signed heads for `recheck`. Exit code 1 with any."""
    if not state.exists():
        raise Unavailable(str(state), "no such file")
    found = StateFile(state).conflicts()
    for number, each in enumerate(found, 1):
        click.echo(f"{number:04} {each.origin}: {each.reason}")
        if output is not None:
            replace_file(output / f"{number:04}.json", fork_artefact(each, read_bytes(policy)))
    return 1 if found else 0


@witness.command(
    "request",
    short_help="Write the request for a ledger's newest checkpoint.",
    epilog="Example: paipu witness request --old 812 --ledger sqlite:///x.db > request.txt",
)
@click.option("--old", type=click.IntRange(0), default=0, show_default=True, help="Size the witness cosigned last.")
@ledger_option
def make_request(*, old: int, ledger: str | None) -> None:
    """Print the add-checkpoint request that a witness judges, with the proof from size --old."""
    note, leaves = _newest(need_ledger(ledger))
    if old > len(leaves):
        raise click.UsageError(f"--old {old} is above the ledger's size {len(leaves)}")
    proof = prove_consistency(leaves, old) if old else ()
    sys.stdout.buffer.write(Submission(old, proof, note).format())
    sys.stdout.buffer.flush()


@witness.command(
    short_help="Add cosignature lines to the ledger's checkpoint.",
    epilog="Example: paipu witness add lines.txt --ledger sqlite:///x.db --policy club.policy",
)
@click.argument("lines")
@click.option("--policy", metavar="FILE", help="Policy that names the witnesses (default: <db>.policy).")
@ledger_option
def add(*, lines: str, policy: str | None, ledger: str | None) -> None:
    """Add the lines in the file LINES (`-`: standard input), as a witness or mirror printed them."""
    url = need_ledger(ledger)
    size = _add(url, read_policy(beside(url, policy).policy), read_bytes(lines))
    click.echo(f"cosigned: the checkpoint of size {size}")


@witness.command(
    short_help="Ask every witness of the policy and add what they answer.",
    epilog="Example: paipu witness collect --ledger sqlite:///x.db --policy club.policy",
)
@click.option("--policy", metavar="FILE", help="Policy that names the witnesses and their URLs (default: <db>.policy).")
@ledger_option
def collect(*, policy: str | None, ledger: str | None) -> int:
    """Submit the newest checkpoint to each witness with a URL. Exit code 1 where the quorum is not met."""
    url = need_ledger(ledger)
    pinned = read_policy(beside(url, policy).policy)
    note, leaves = _newest(url)
    answered = []
    for each in pinned.witnesses:
        if each.url:
            try:
                status, body = ask_witness(each.url, note, leaves)
                if status == 200:
                    _add(url, pinned, body)
                    answered.append(each.name)
                click.echo(f"{each.name}: {status} {'' if status == 200 else body.decode(errors='replace').strip()}")
            except (Unavailable, Untrusted) as error:
                click.echo(f"{each.name}: {error}")
    met = pinned.met(answered)
    click.echo(f"size {len(leaves)}: {len(answered)} cosignatures, quorum {'met' if met else 'not met'}")
    return 0 if met else 1


def _newest(url: str) -> tuple[bytes, list[bytes]]:
    reader = read_sound(url)
    try:
        row = reader.checkpoint()
        if row is None:
            raise Unavailable(url, "there is no checkpoint")
        return row.note, [leaf(entry.data) for entry in reader.entries(0, read_checkpoint(row.note).size)]
    finally:
        reader.close()


def _add(url: str, pinned: Policy, lines: bytes) -> int:
    store = open_store(url)
    try:
        return add_cosignatures(store, lines, [each.verifier for each in pinned.witnesses])
    finally:
        store.close()
