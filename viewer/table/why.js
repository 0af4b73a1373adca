// Why the event is as it is: who could have chosen what, or the clause that demands it; its bytes and their hash.

const STANDINGS = {
  lawful: N_("exactly what replay expects here"),
  expected: N_("after a fault: the table as the rules demand it"),
  recorded: N_("after the first fault: shown as recorded, not replayed"),
};

function whyPanel(frame, look, gettext, clauses) {
  const lang = look.lang;
  const parts = [];
  const tile = (code) => {
    const picture = svg("svg", { viewBox: "-1 -1 38 50", class: "small", role: "img", "aria-label": nameOf(look, code) });
    picture.append(tileAt(code, 0, 0, 36, { index: look.index }));
    return picture;
  };
  for (const choice of frame.could ?? []) {
    const acts = choice.acts.map((each) => html("li", { text: each[lang] }));
    if (choice.any) acts.unshift(html("li", { text: gettext(frame.winds.length ? N_("let go any tile of the hand") : N_("play any card of the hand")) }));
    if (choice.tiles.length) acts.unshift(html("li", {}, [html("span", { text: `${gettext(frame.winds.length ? N_("let go") : N_("play"))} ` }), ...choice.tiles.map(tile)]));
    parts.push(html("div", { class: "could" }, [html("b", { text: `${windOf(look, frame, choice.seat)} ${gettext("could")}` }), html("ul", {}, acts)]));
  }
  if (frame.clause && !frame.findings) {
    const known = clauses[frame.clause];
    parts.push(
      html("div", { class: "demands" }, [
        html("b", { text: `${gettext("Demanded by")} ` }),
        html("code", { text: frame.clause }),
        known ? html("p", { text: known[lang] }) : null,
        known ? html("p", { class: "second", text: known[lang === "zh" ? "en" : "zh"] }) : null,
      ]),
    );
  }
  const standing = STANDINGS[frame.standing];
  if (!frame.findings) parts.push(html("p", { class: "standing", text: `${frame.standing === "lawful" ? "✓" : "⚠"} ${gettext(standing)}` }));
  if (frame.raw !== undefined) {
    const hash = html("code", { class: "leafhash", text: frame.cut ? gettext("not shown: you see a part of this event, and it would tell the rest") : "…" });
    if (!frame.cut) leafHash(frame.raw).then((found) => {
      hash.textContent = found ?? gettext("no secure context: the browser computes no hash here");
    });
    parts.push(
      html("div", { class: "bytes" }, [
        html("b", { text: `${gettext("Bytes of event")} ${frame.seq}` }),
        html("pre", { text: frame.raw, tabindex: "0" }),
        html("span", { text: `${gettext("leaf hash, computed here:")} ` }),
        hash,
      ]),
    );
  }
  return parts;
}

// What the reader's own role has noted at the event; words of people, so text only.
function notesPanel(frame, look, gettext) {
  return (look.notes[frame.seq] ?? []).map((note) =>
    html("p", { class: "noted", role: "note", "aria-label": gettext("note") }, [
      html("span", { text: `${SIGNS.note} ${note.words}` }),
      html("small", { text: ` — ${note.by}, ${note.at}` }),
    ]),
  );
}

// SHA-256(0x00 || bytes), as in the ledger's tree (ledger.md 2): computed here, from the bytes shown.
async function leafHash(raw) {
  if (!globalThis.crypto?.subtle) return null; // no secure context
  const bytes = new TextEncoder().encode(raw);
  const whole = new Uint8Array(bytes.length + 1);
  whole.set(bytes, 1);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return Array.from(digest, (each) => each.toString(16).padStart(2, "0")).join("");
}

function nameOf(look, code) {
  return look.words.pieces[code]?.[look.lang] ?? code;
}

// What a declined claim has locked, seat by seat: shown in words, for a sign alone says nothing.
function locksPanel(frame, look, gettext) {
  const found = [];
  frame.seats.forEach((seat, number) => {
    const locks = seat.locks;
    if (!locks) return;
    const parts = [];
    const name = (code) => nameOf(look, code);
    if (locks.win) parts.push(gettext("may not win for now"));
    if (locks.wins.length) parts.push(`${gettext("may not win on")} ${locks.wins.map(name).join(", ")}`);
    if (locks.pungs.length) parts.push(`${gettext("may not pung")} ${locks.pungs.map(name).join(", ")}`);
    found.push(html("span", { class: "asked locked", text: `${windOf(look, frame, number)}: ${parts.join("; ")}` }));
  });
  return found;
}
