"""`paipu publish`: a ledger as static files. `paipu mirror`: fetch such a log, recompute all, keep it, cosign."""

import shutil
import tempfile
import time
from pathlib import Path

import click

from ledger.errors import Unavailable
from ledger.log import now_ms
from ledger.mirror import Mirrored, fetch, mirror
from ledger.policy import Policy
from ledger.publish import publish
from ledger.published import Source
from ledger.sealed import read_keys
from ledger.witness import Witness
from ledger.witness_state import StateFile
from viewer.commands.common import Place, ledger_option, need_ledger
from viewer.commands.verify import finding_text
from viewer.passphrase import asking, passphrase_option
from viewer.plain import many, read_bytes
from viewer.targets import published, read_policy, read_sound


@click.command(
    "publish",
    short_help="Write a ledger as static files for any web server.",
    epilog="Example: paipu publish /srv/www/log --ledger sqlite:///x.db",
)
@click.argument("folder", type=Place())
@click.option("--open", "open_too", is_flag=True, help="Also open and private streams with their blinds: for a mirror.")
@ledger_option
def publish_log(*, folder: Path, open_too: bool, ledger: str | None) -> None:
    """Write the newest checkpoint, all tiles and every closed game below FOLDER (C2SP tlog-tiles).

    Again and again into the same folder: files that stand are not changed. With --open whoever reads the folder sees
    hidden tiles.
    """
    reader = read_sound(need_ledger(ledger))
    try:
        done = publish(reader, folder, open_too=open_too)
    finally:
        reader.close()
    left = f", {done.withheld} open or private ones left out" if done.withheld else ""
    written = many(done.written, "file")
    click.echo(f"size {done.checkpoint.size}: {many(done.games, 'game')}{left}, {written} written -> {folder}")
    if open_too:
        click.echo(f"warning: {folder} holds hidden tiles: it is for a mirror, not for the public", err=True)


@click.command(
    "mirror",
    short_help="Mirror a published log: fetch, recompute, keep, cosign.",
    epilog="Example: paipu mirror https://club.example/log mirror/ --policy club.policy --key regulator.key",
)
@click.argument("source")
@click.argument("folder", type=Place())
@click.option("--policy", required=True, metavar="FILE", help="Pinned policy of the log.")
@click.option("--key", metavar="FILE", help="Key of type cosigner: cosign what holds.")
@click.option("--state", metavar="FILE", type=Place(), help="Witness state (default: FOLDER.witness).")
@click.option("--max-age", type=click.IntRange(0), metavar="SECONDS", help="Oldest cosignature allowed.")
@passphrase_option
def mirror_log(
    *,
    source: str,
    folder: Path,
    policy: str,
    key: str | None,
    state: Path | None,
    max_age: int | None,
    passphrase_file: str | None,
) -> int:
    """Fetch the published log at SOURCE (URL or folder), recompute everything, keep every byte in FOLDER, cosign.

    That is every hash and signature; whether play was lawful `paipu verify FOLDER` says. Exit code 1 with findings:
    then nothing is kept and nothing cosigned; both heads of a fork stay in the state.
    """
    data = read_bytes(policy)
    pinned = read_policy(Path(policy))
    witness = None
    if key is not None:
        signers = read_keys(Path(key), asking(passphrase_file))
        kept = StateFile(state or folder.with_name(f"{folder.name}.witness"))
        witness = Witness(pinned, signers, kept, lambda: int(time.time()))
    place = Path(tempfile.mkdtemp(prefix="paipu-mirror-"))
    try:
        fetch(_source(source, pinned), place)
        done = mirror(
            place,
            folder,
            policy=data,
            now_ms=now_ms(),
            max_age_ms=None if max_age is None else 1000 * max_age,
            witness=witness,
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return _tell(done, folder)


def _source(source: str, policy: Policy) -> Source:
    """Return the log at a folder or URL, or at the URL that the policy gives for an origin."""
    found = published(source)
    if found is None:
        urls = [key.url for key in policy.logs if key.url and key.verifier.name == source]
        found = published(urls[0]) if urls else None
    if found is None:
        raise Unavailable(source, "neither a URL nor a folder")
    return found


def _tell(done: Mirrored, folder: Path) -> int:
    audit = done.audit
    click.echo(f"log {audit.origin}, size {audit.size}, root {audit.root.hex()}: {many(done.games, 'game')} recomputed")
    for finding in done.findings:
        click.echo(finding_text(finding))
    if done.findings:
        click.echo(f"FAILED: {many(len(done.findings), 'finding')}; nothing was kept or cosigned")
        return 1
    click.echo(f"kept in {folder}")
    if done.answer is not None and done.answer.status == 200:
        click.echo(done.answer.body.decode(), nl=False)
    elif done.answer is not None:
        click.echo(f"not cosigned ({done.answer.status}): {done.answer.body.decode(errors='replace').strip()}")
        return 1
    return 0
