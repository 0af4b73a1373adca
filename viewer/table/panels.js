// What stands beside the table: scores, the list of events (the accessible twin), the settlement, the keys.
// Plain elements; every foreign word goes in through textContent.

function html(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") element.textContent = value;
    else if (value !== false && value !== undefined) element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of [].concat(children)) if (child) element.append(child);
  return element;
}

const SIGNS = { claim: "▼", kong: "◆", win: "★", draw: "▬", void: "∅", finding: "✗", follows: "↳", note: "✎" };

// A finding that only follows from an earlier one is shown, but not counted again.
function grave(frame) {
  return (frame.findings ?? []).some((each) => !each.follows);
}

function windOf(look, frame, number) {
  const wind = frame.winds[number];
  return wind ? look.words.winds[wind][look.lang] : look.speech.gettext("Seat {number}", { number: String(number) });
}

function scoresPanel(frame, hand, look, gettext) {
  const paid = hand.payments;
  const shown = frame.seq >= (look.settledAt ?? Infinity);
  const rows = frame.players.map((player, number) =>
    html("tr", { class: frame.turn === number ? "acting" : "" }, [
      html("td", { class: "wind" }, [
        html("span", { text: windOf(look, frame, number) }),
        number === frame.dealer ? html("span", { class: "dealer", text: gettext("D"), title: gettext("dealer") }) : null,
      ]),
      html("td", { class: "name", text: player, title: player }),
      html("td", { class: "number", text: paid && shown ? look.speech.signed(paid[number]) : "" }),
      html("td", { class: "number total", text: look.speech.signed(frame.scores[number] ?? 0) }),
    ]),
  );
  const heads = [N_("Seat"), N_("Player"), N_("This hand"), N_("Total")].map((key, at) =>
    html("th", { text: gettext(key), scope: "col", class: at > 1 ? "number" : "" }),
  );
  return html("table", { class: "scores" }, [html("thead", {}, [html("tr", {}, heads)]), html("tbody", {}, rows)]);
}

function eventList(frames, look, gettext, go) {
  const rows = frames.map((frame, at) => {
    const sign = frame.findings ? (grave(frame) ? SIGNS.finding : SIGNS.follows) : (SIGNS[frame.mark] ?? "");
    const row = html("tr", { class: grave(frame) ? "bad" : "" }, [
      html("td", { class: "seq", text: String(frame.seq) }),
      html("td", { class: "sign", text: sign, "aria-hidden": "true" }),
      html("td", {}, [
        html("span", { text: frame.words[look.lang] }),
        frame.findings ? html("span", { class: "hidden", text: ` (${gettext("finding")})` }) : null,
        look.notes[frame.seq] ? html("span", { text: ` ${SIGNS.note}`, title: gettext("note"), "aria-label": gettext("note") }) : null,
      ]),
    ]);
    row.addEventListener("click", () => go(at));
    return row;
  });
  const caption = html("caption", { class: "hidden", text: gettext("Events of the hand") });
  return { rows, table: html("table", { class: "events" }, [caption, html("tbody", {}, rows)]) };
}

function valueText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function settlementPanel(frame, look, gettext, clauses) {
  const settlement = frame.settlement;
  const { ngettext, number, signed } = look.speech;
  const both = (term) => (look.lang === "zh" ? term.zh : `${term.en} ${term.zh}`);
  const units = (worth, unit) => `${number(worth)} ${look.words.units[unit]?.[look.lang] ?? unit ?? ""}`;
  const parts = [html("h3", { text: look.drawn || gettext("Settlement") })];
  for (const fact of settlement.outcome ?? []) parts.push(html("div", { text: fact[look.lang] }));
  for (const winner of settlement.winners) {
    const patterns = winner.patterns.map((each) =>
      html("tr", {}, [
        html("td", { text: both(each.name) }),
        html("td", { class: "number", text: each.worth === undefined ? "" : units(each.worth, each.unit) }),
      ]),
    );
    const total = [winner.tai === undefined ? "" : units(winner.tai, "tai"), ngettext("{count} point", "{count} points", winner.points)];
    parts.push(
      html("div", { class: "winner" }, [
        html("strong", { text: `★ ${windOf(look, frame, winner.seat)} ` }),
        html("span", { class: "name", text: frame.players[winner.seat] ?? "" }),
        html("table", {}, [html("tbody", {}, patterns)]),
        html("div", { class: "worth", text: `= ${total.filter(Boolean).join(" · ")}` }),
      ]),
    );
  }
  const lines = settlement.lines.map((line) => {
    const known = clauses[line.clause];
    return html("tr", {}, [
      html("td", { text: `${windOf(look, frame, line.payer)} → ${windOf(look, frame, line.payee)}` }),
      html("td", { class: "number", text: number(line.amount) }),
      html("td", { text: both(line.reason) }),
      html("td", { class: "clause", text: line.clause, title: known ? known[look.lang] : "" }),
    ]);
  });
  if (lines.length) parts.push(html("table", { class: "lines" }, [html("tbody", {}, lines)]));
  else if (!settlement.payments.some(Boolean)) parts.push(html("p", { text: gettext("Nobody pays.") }));
  const paid = settlement.payments.map((amount, number) =>
    html("span", { class: amount > 0 ? "gain" : amount < 0 ? "loss" : "" }, [
      html("b", { text: windOf(look, frame, number) }),
      html("span", { text: ` ${signed(amount)}` }),
    ]),
  );
  parts.push(html("div", { class: "payments" }, paid));
  for (const { expected, found } of frame.findings ?? []) {
    const told = [[gettext("Expected"), expected], [gettext("Found"), found]].map(([name, value]) => `${name} ${valueText(value)}`);
    parts.push(html("p", { class: "wrong", text: `✗ ${told.join(" · ")}` }));
  }
  return parts;
}

function findingsPanel(frame, look, gettext, clauses) {
  return (frame.findings ?? []).map((finding) => {
    const known = finding.text ?? clauses[finding.clause];
    return html("div", { class: finding.follows ? "faultbox follows" : "faultbox" }, [
      html("strong", { text: `${finding.follows ? `↳ ${gettext("follows from an earlier")}` : "✗"} ${gettext("finding")} · ${gettext("Level {number}", { number: String(finding.level) })} · ${finding.code} · ${finding.clause}` }),
      known ? html("p", { text: known[look.lang] }) : null,
      html("dl", {}, [
        html("dt", { text: gettext("Expected") }),
        html("dd", { text: valueText(finding.expected) }),
        html("dt", { text: gettext("Found") }),
        html("dd", { text: valueText(finding.found) }),
      ]),
    ]);
  });
}

function windowPanel(frame, look, gettext) {
  return (frame.window?.asked ?? []).map((asked) => {
    const term = (key) => look.words.answers[key][look.lang];
    const answer = asked.answer === undefined ? "…" : term(asked.answer);
    const after = asked.after === undefined ? "" : ` (${gettext("{seconds} s", { seconds: look.speech.seconds(asked.after) })})`;
    const words = `${windOf(look, frame, asked.seat)} ${gettext("may")} ${asked.may.map(term).join("/")} → ${answer}${after}`;
    return html("span", { class: asked.answer === undefined ? "asked open" : "asked", text: words });
  });
}

function keysPanel(look) {
  const rows = HELP.map(([keys, meaning]) =>
    html("tr", {}, [
      html("td", {}, keys.split(/\s+/).map((key) => html("kbd", { text: key }))),
      html("td", { text: look.speech.gettext(meaning) }),
    ]),
  );
  return html("table", {}, [html("tbody", {}, rows)]);
}
