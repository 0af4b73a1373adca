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

const SIGNS = { claim: "▼", kong: "◆", win: "★", draw: "▬", void: "∅", finding: "✗", follows: "↳" };

// A finding that only follows from an earlier one is shown, but not counted again.
function grave(frame) {
  return (frame.findings ?? []).some((each) => !each.follows);
}

function windOf(look, frame, number) {
  const wind = frame.winds[number];
  if (!wind) return look.lang === "zh" ? `${number}号位` : `Seat ${number}`;
  return look.lang === "zh" ? look.words.winds[wind].zh : look.words.winds[wind].en;
}

function scoresPanel(frame, hand, look, label) {
  const paid = hand.payments;
  const shown = frame.seq >= (look.settledAt ?? Infinity);
  const rows = frame.players.map((player, number) =>
    html("tr", { class: frame.turn === number ? "acting" : "" }, [
      html("td", { class: "wind" }, [
        html("span", { text: windOf(look, frame, number) }),
        number === frame.dealer ? html("span", { class: "dealer", text: look.lang === "zh" ? "庄" : "D", title: label("dealer") }) : null,
      ]),
      html("td", { class: "name", text: player, title: player }),
      html("td", { class: "number", text: paid && shown ? signed(paid[number]) : "" }),
      html("td", { class: "number total", text: signed(frame.scores[number] ?? 0) }),
    ]),
  );
  const heads = ["seat", "player", "this_hand", "total"].map((key, at) =>
    html("th", { text: label(key), scope: "col", class: at > 1 ? "number" : "" }),
  );
  return html("table", { class: "scores" }, [html("thead", {}, [html("tr", {}, heads)]), html("tbody", {}, rows)]);
}

function eventList(frames, look, label, go) {
  const rows = frames.map((frame, at) => {
    const sign = frame.findings ? (grave(frame) ? SIGNS.finding : SIGNS.follows) : (SIGNS[frame.mark] ?? "");
    const row = html("tr", { class: grave(frame) ? "bad" : "" }, [
      html("td", { class: "seq", text: String(frame.seq) }),
      html("td", { class: "sign", text: sign, "aria-hidden": "true" }),
      html("td", {}, [
        html("span", { text: frame.words[look.lang] }),
        frame.findings ? html("span", { class: "hidden", text: ` (${label("finding")})` }) : null,
      ]),
    ]);
    row.addEventListener("click", () => go(at));
    return row;
  });
  const caption = html("caption", { class: "hidden", text: label("list_of") });
  return { rows, table: html("table", { class: "events" }, [caption, html("tbody", {}, rows)]) };
}

function settlementPanel(frame, look, label, clauses) {
  const settlement = frame.settlement;
  const zh = look.lang === "zh";
  const both = (term) => (zh ? `${term.zh}` : `${term.en} ${term.zh}`);
  const parts = [html("h3", { text: look.drawn ? label("draw") : label("summary_of_hand") })];
  for (const fact of settlement.outcome ?? []) parts.push(html("div", { text: fact[look.lang] }));
  for (const winner of settlement.winners) {
    const patterns = winner.patterns.map((each) =>
      html("tr", {}, [
        html("td", { text: both(each.name) }),
        html("td", { class: "number", text: each.worth === undefined ? "" : `${each.worth} ${each.unit === "tai" ? label("tai") : each.unit}` }),
      ]),
    );
    const total = [winner.tai === undefined ? "" : `${winner.tai} ${label("tai")}`, `${winner.points} ${label("points")}`];
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
      html("td", { class: "number", text: String(line.amount) }),
      html("td", { text: both(line.reason) }),
      html("td", { class: "clause", text: line.clause, title: known ? known[look.lang] : "" }),
    ]);
  });
  if (lines.length) parts.push(html("table", { class: "lines" }, [html("tbody", {}, lines)]));
  else if (!settlement.payments.some(Boolean)) parts.push(html("p", { text: label("nobody_pays") }));
  const paid = settlement.payments.map((amount, number) =>
    html("span", { class: amount > 0 ? "gain" : amount < 0 ? "loss" : "" }, [
      html("b", { text: windOf(look, frame, number) }),
      html("span", { text: ` ${signed(amount)}` }),
    ]),
  );
  parts.push(html("div", { class: "payments" }, paid));
  return parts;
}

function findingsPanel(frame, look, label, clauses) {
  return (frame.findings ?? []).map((finding) => {
    const known = finding.text ?? clauses[finding.clause];
    const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    return html("div", { class: finding.follows ? "faultbox follows" : "faultbox" }, [
      html("strong", { text: `${finding.follows ? `↳ ${label("follows")}` : "✗"} ${label("finding")} · ${label("level")} ${finding.level} · ${finding.code} · ${finding.clause}` }),
      known ? html("p", { text: known[look.lang] }) : null,
      html("dl", {}, [
        html("dt", { text: label("expected") }),
        html("dd", { text: shown(finding.expected) }),
        html("dt", { text: label("found") }),
        html("dd", { text: shown(finding.found) }),
      ]),
    ]);
  });
}

function windowPanel(frame, look, label) {
  return (frame.window?.asked ?? []).map((asked) => {
    const term = (key) => (look.lang === "zh" ? look.words.answers[key].zh : look.words.answers[key].en);
    const answer = asked.answer === undefined ? "…" : term(asked.answer);
    const after = asked.after === undefined ? "" : ` (${(asked.after / 1000).toFixed(2)} s)`;
    const words = `${windOf(look, frame, asked.seat)} ${label("may")} ${asked.may.map(term).join("/")} → ${answer}${after}`;
    return html("span", { class: asked.answer === undefined ? "asked open" : "asked", text: words });
  });
}

function keysPanel(words, look) {
  const rows = Object.entries(words.keys).map(([keys, meaning]) =>
    html("tr", {}, [
      html("td", {}, keys.split(/\s+/).map((key) => html("kbd", { text: key }))),
      html("td", { text: meaning[look.lang] }),
    ]),
  );
  return html("table", {}, [html("tbody", {}, rows)]);
}
