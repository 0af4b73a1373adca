// Why the event is as it is: who could have chosen what, or the clause that demands it; its bytes and their hash.

function whyPanel(frame, look, label, clauses) {
  const lang = look.lang;
  const parts = [];
  const tile = (code) => {
    const picture = svg("svg", { viewBox: "-1 -1 38 50", class: "small", role: "img", "aria-label": code });
    picture.append(tileAt(code, 0, 0, 36, { index: look.index }));
    return picture;
  };
  for (const choice of frame.could ?? []) {
    const acts = choice.acts.map((each) => html("li", { text: each[lang] }));
    if (choice.any) acts.unshift(html("li", { text: label("any_of_hand") }));
    if (choice.tiles.length) acts.unshift(html("li", {}, [html("span", { text: `${label("could_play")} ` }), ...choice.tiles.map(tile)]));
    parts.push(html("div", { class: "could" }, [html("b", { text: `${windOf(look, frame, choice.seat)} ${label("could")}` }), html("ul", {}, acts)]));
  }
  if (frame.clause && !frame.findings) {
    const known = clauses[frame.clause];
    parts.push(
      html("div", { class: "demands" }, [
        html("b", { text: `${label("demanded_by")} ` }),
        html("code", { text: frame.clause }),
        known ? html("p", { text: known[lang] }) : null,
        known ? html("p", { class: "second", text: known[lang === "zh" ? "en" : "zh"] }) : null,
      ]),
    );
  }
  const standing = { lawful: "as_expected", expected: "from_rules", recorded: "not_derived" }[frame.standing];
  if (!frame.findings) parts.push(html("p", { class: "standing", text: `${frame.standing === "lawful" ? "✓" : "⚠"} ${label(standing)}` }));
  if (frame.raw !== undefined) {
    const hash = html("code", { class: "leafhash", text: "…" });
    leafHash(frame.raw).then((found) => {
      hash.textContent = found ?? label("no_hash");
    });
    parts.push(
      html("div", { class: "bytes" }, [
        html("b", { text: `${label("bytes_of_event")} ${frame.seq}` }),
        html("pre", { text: frame.raw, tabindex: "0" }),
        html("span", { text: `${label("leaf_hash")} ` }),
        hash,
      ]),
    );
  }
  return parts;
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

// What a declined claim has locked, seat by seat: shown in words, for a sign alone says nothing.
function locksPanel(frame, look, label) {
  const found = [];
  frame.seats.forEach((seat, number) => {
    const locks = seat.locks;
    if (!locks) return;
    const parts = [];
    const name = (code) => (look.words.pieces[code] ? look.words.pieces[code][look.lang] : code);
    if (locks.win) parts.push(label("no_win"));
    if (locks.wins.length) parts.push(`${label("no_win_on")} ${locks.wins.map(name).join(", ")}`);
    if (locks.pungs.length) parts.push(`${label("no_pung_of")} ${locks.pungs.map(name).join(", ")}`);
    found.push(html("span", { class: "asked locked", text: `${windOf(look, frame, number)}: ${parts.join("; ")}` }));
  });
  return found;
}
