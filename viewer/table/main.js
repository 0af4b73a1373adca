// The replay component: which frame is shown, keys, buttons, scrub rail, deep link. The frames come whole from Python;
// stepping asks no server. Streamlit owns the keys c and r, so they stay free.

async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

class Replay {
  constructor(root) {
    this.root = root;
    this.at = 0;
    this.look = { seat: 0, hide: false, index: false, wall: false, colours: false, why: true, lang: "en" };
    this.speed = 1;
    this.timer = 0;
    this.closed = -2; // hand whose settlement the reader has put away
    this.onKey = (event) => this.key(event);
    this.build();
  }

  gettext(message, values) {
    return this.look.speech.gettext(message, values);
  }

  build() {
    const make = (name, inside = []) => {
      this.parts[name] = html("div", { class: name }, inside);
      return this.parts[name];
    };
    this.parts = {};
    const felt = html("div", { class: "board" }, [make("stage"), make("summary")]);
    this.parts.rail = html("input", { type: "range", min: "0", step: "1" });
    this.parts.rail.addEventListener("input", () => this.go(this.view().first + Number(this.parts.rail.value)));
    this.parts.number = html("input", { type: "number", min: "0", class: "goto" });
    this.parts.number.addEventListener("change", () => this.seq(Number(this.parts.number.value)));
    this.parts.speech = html("div", { class: "speech", "aria-live": "polite" });
    this.parts.dialog = html("dialog", {});
    this.parts.dialog.addEventListener("close", () => this.focus());
    const left = html("div", { class: "left" }, [
      make("hands"),
      felt,
      html("div", { class: "railbox" }, [make("marks"), this.parts.rail]),
      make("buttons"),
      this.parts.speech,
      make("other"),
      make("wallstrip"),
      make("asking"),
      make("faults"),
      make("notes"),
      make("why"),
    ]);
    const right = html("div", { class: "right" }, [make("scores"), make("list")]);
    this.root.append(html("div", { class: "whole" }, [left, right]), this.parts.dialog);
    this.root.addEventListener("keydown", this.onKey);
  }

  async update(data, tell, call) {
    this.tell = tell;
    this.call = call;
    this.data = data;
    const fresh = data.digest !== this.digest;
    if (fresh) {
      const payload = await unpack(data.packed);
      if (this.data !== data) return; // a newer update came while this one was unpacked
      this.digest = data.digest;
      const other = !this.picture || this.picture.game !== payload.picture.game;
      this.picture = payload.picture;
      this.offset = this.picture.frames.length < this.total() ? this.picture.hands.find((each) => this.first(each))?.first ?? 0 : 0;
      const again = other && this.words;
      this.words = payload.words;
      if (other) this.start(again ? { ...data.start, hand: 0, step: 0, seq: -1 } : data.start);
      if (again) this.focus(); // whoever has chosen another game wants to step through it
    }
    const spoken = this.look.lang !== data.lang;
    if (fresh || spoken) this.look.speech = speech(this.words.messages, data.lang);
    this.root.lang = LOCALES[data.lang]; // a screen reader chooses its voice by it
    this.parts.other.lang = LOCALES[data.lang === "zh" ? "en" : "zh"];
    this.look = { ...this.look, words: this.words, lang: data.lang, notes: data.notes ?? {} };
    this.noted = JSON.stringify(this.look.notes);
    if (fresh || spoken) this.dress();
    if (this.pending !== undefined && this.frame(this.pending)) this.at = this.pending;
    this.pending = undefined;
    this.show();
  }

  first(hand) {
    return hand.hand === this.picture.frames[0]?.hand;
  }

  total() {
    return (this.picture.hands.at(-1)?.last ?? -1) + 1;
  }

  start(start) {
    const hands = this.picture.hands;
    const wanted = hands.find((each) => each.hand === start.hand) ?? hands.find((each) => each.hand === 0) ?? hands[0];
    this.at = Math.min(wanted.first + Math.max(0, start.step), wanted.last);
    const told = this.picture.frames.findIndex((frame) => frame.seq === start.seq);
    if (told >= 0) this.at = told + this.offset;
    this.look.seat = Math.min(Math.max(0, start.seat), this.picture.players.length - 1);
    this.look.hide = start.hide;
    this.closed = -2;
    this.sent = undefined;
    if (!document.activeElement || document.activeElement === document.body) this.focus();
  }

  // Everything that depends on the game and the language, but not on the step.
  dress() {
    const { gettext } = this.look.speech;
    const button = ([key, name, sign, act]) => {
      const element = html("button", { type: "button", "aria-label": gettext(name), title: gettext(name), "data-key": key }, icon(sign, SOLID.has(key)));
      element.addEventListener("click", () => {
        act(this);
        if (key !== "help" && !this.may(key)) this.focus();
      });
      return element;
    };
    this.parts.speedword = html("span", { class: "speed" });
    const number = html("label", {}, [html("span", { text: "# " }), this.parts.number]);
    this.parts.number.setAttribute("aria-label", `${gettext("event")} (g)`);
    this.parts.rail.setAttribute("aria-label", gettext("position in the hand"));
    this.parts.buttons.replaceChildren(
      html("span", { class: "group" }, BUTTONS.map(button)),
      this.parts.speedword,
      number,
      html("span", { class: "group" }, ACTS.filter(([key]) => this.may(key)).map(button)),
      html("span", { class: "group end" }, SWITCHES.map(button)),
    );
    this.parts.strip = this.picture.hands.map((hand) => {
      const wind = hand.round_wind ? this.words.winds[hand.round_wind] : null;
      const title = hand.hand < 0 ? gettext("Opening") : `${hand.hand}${wind ? (this.look.lang === "zh" ? wind.zh : hand.round_wind) : ""}`;
      const element = html("button", { type: "button", class: hand.findings ? "bad" : "" }, [
        html("b", { text: hand.findings ? `✗ ${title}` : title }),
        html("span", { text: hand.result[this.look.lang] }),
      ]);
      element.addEventListener("click", () => {
        this.go(hand.first);
        this.focus();
      });
      return element;
    });
    this.parts.hands.replaceChildren(...this.parts.strip);
    this.listed = undefined;
    this.root.setAttribute("aria-label", `${gettext("mahjong table")}, ${gettext("Game")} ${this.picture.game}`);
  }

  view() {
    return this.picture.hands.find((each) => this.at >= each.first && this.at <= each.last);
  }

  frame(at) {
    return this.picture.frames[at - this.offset];
  }

  go(at) {
    if (!this.picture || at < 0 || at >= this.total()) return;
    if (!this.frame(at)) {
      this.pending = at;
      this.tell("hand", this.picture.hands.find((each) => at >= each.first && at <= each.last).hand);
      return;
    }
    this.at = at;
    this.show();
  }

  step(by, held = false) {
    // A key held down stops at a result, so that nobody runs past a win (viewer.md 1).
    if (held && this.frame(this.at).settlement) return;
    this.go(this.at + by);
  }

  edge(by) {
    const view = this.view();
    if (by < 0) this.go(this.at === view.first ? view.first - 1 : view.first);
    else this.go(this.at === view.last ? view.last + 1 : view.last);
  }

  hand(by) {
    const hands = this.picture.hands;
    const next = hands[hands.indexOf(this.view()) + by];
    if (next) this.go(next.first);
  }

  find(by, wanted) {
    for (let at = this.at + by; at >= 0 && at < this.total() && this.frame(at); at += by) if (wanted(this.frame(at))) return at;
    return -1;
  }

  mark(by) {
    this.go(this.find(by, (frame) => frame.mark || frame.findings));
  }

  // The next or previous choice of the seat that sits below.
  decision(by) {
    this.go(this.find(by, (frame) => frame.decision === this.look.seat));
  }

  finding() {
    const next = this.find(1, grave);
    this.go(next >= 0 ? next : this.picture.frames.findIndex(grave) + this.offset);
  }

  seq(number) {
    const at = this.picture.frames.findIndex((frame) => frame.seq === number);
    if (at >= 0) this.go(at + this.offset);
    this.focus();
  }

  turn(seat) {
    const count = this.picture.players.length;
    this.look.seat = seat === undefined ? (this.look.seat + 1) % count : seat % count;
    this.show();
  }

  may(name) {
    return (this.data.acts ?? []).includes(name);
  }

  // A case or a note begins at the event shown: the page asks the rest.
  act(name) {
    if (!this.may(name)) return;
    if (this.timer) this.play();
    this.call("asked", { act: name, hand: this.view().hand, seq: this.frame(this.at).seq });
  }

  toggle(name) {
    this.look[name] = !this.look[name];
    this.show();
  }

  settlement() {
    this.closed = this.closed === this.view().hand ? -2 : this.view().hand;
    this.show();
  }

  play() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = 0;
    } else {
      this.timer = setInterval(() => {
        if (this.at >= this.view().last) this.play();
        else this.step(1);
      }, SPEEDS[this.speed]);
    }
    this.show();
  }

  faster(by) {
    this.speed = Math.min(Math.max(0, this.speed + by), SPEEDS.length - 1);
    if (this.timer) {
      this.play();
      this.play();
    }
    this.show();
  }

  async copy() {
    this.link();
    try {
      await navigator.clipboard.writeText(location.href);
      this.parts.speech.textContent = this.gettext("link copied");
    } catch {
      this.parts.speech.textContent = location.href;
    }
  }

  help() {
    const close = html("button", { type: "button", text: this.gettext("close") });
    close.addEventListener("click", () => this.parts.dialog.close());
    this.parts.dialog.replaceChildren(keysPanel(this.look), close);
    this.parts.dialog.showModal();
  }

  focus() {
    this.root.focus({ preventScroll: true });
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.picture) return;
    const target = event.composedPath()[0];
    if (this.parts.dialog.open) {
      if (event.key.length === 1 && event.key !== " ") this.parts.dialog.close();
      return;
    }
    const typing = target instanceof HTMLElement && target.matches("input:not([type=range]), select, textarea, [contenteditable]");
    if (typing) {
      if (event.key === "Escape") this.focus();
      return;
    }
    if (event.key === " " && target instanceof HTMLButtonElement) return;
    const seat = /^[1-4]$/.test(event.key) ? Number(event.key) - 1 : -1;
    const act = KEYS[event.key];
    if (!act && seat < 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (seat >= 0) this.turn(seat);
    else act(this, event);
  }

  // The address names game, hand and step, so that it can be sent to somebody (viewer.md 0.5).
  link() {
    if (this.data.linked === false) return; // a file that was dropped in has no address
    const url = this.address();
    if (location.href !== url.href) history.replaceState(history.state, "", url);
  }

  address() {
    const view = this.view();
    const url = new URL(location.href);
    url.pathname = url.pathname.replace(/\/replay\/?$/, "/"); // the front page sends such a link to the replay
    url.searchParams.set("game", this.picture.game);
    url.searchParams.set("hand", String(view.hand));
    url.searchParams.set("step", String(this.at - view.first));
    url.searchParams.delete("seq");
    for (const [name, value] of [["seat", this.look.seat || ""], ["hands", this.look.hide ? "0" : ""]]) {
      if (value) url.searchParams.set(name, String(value));
      else url.searchParams.delete(name);
    }
    return url;
  }

  // Streamlit writes the address it knows back after each run; ours is the newer one. Not on the way to another page.
  moved() {
    const ours = /[?&]game=/.test(location.search) || /\/replay\/?$/.test(location.pathname);
    if (ours && this.picture && this.data.linked !== false) this.link();
  }

  show() {
    const frame = this.frame(this.at);
    if (!frame) return;
    const view = this.view();
    const lang = this.look.lang;
    const { gettext } = this.look.speech;
    const frames = this.picture.frames.slice(view.first - this.offset, view.last + 1 - this.offset);
    const settled = frames.find((each) => each.settlement);
    this.look.settledAt = settled?.seq;
    this.look.drawn = frames.some((each) => each.mark === "draw") ? this.picture.draw[lang] : "";
    const picture = drawTable(frame, this.look);
    const sentence = `${frame.seq}: ${frame.words[lang]}`;
    picture.setAttribute("aria-label", sentence);
    patchAll(this.parts.stage, [picture]);
    this.parts.stage.classList.toggle("bad", grave(frame));
    this.parts.speech.setAttribute("aria-live", this.timer ? "off" : "polite");
    this.parts.speech.textContent = sentence;
    const notes = [frame.words[lang === "zh" ? "en" : "zh"]];
    if (frame.standing === "recorded") notes.push(`⚠ ${gettext("after the first fault: shown as recorded, not replayed")}`);
    this.parts.other.textContent = notes.join(" · ");
    patchAll(this.parts.asking, [...windowPanel(frame, this.look, gettext), ...locksPanel(frame, this.look, gettext)]);
    const wall = this.look.wall ? drawWall(frame, this.look, gettext) : null;
    patchAll(this.parts.wallstrip, wall ? [wall] : []);
    this.root.classList.toggle("four", this.look.colours);
    this.parts.why.replaceChildren(...(this.look.why ? whyPanel(frame, this.look, gettext, this.picture.clauses) : []));
    this.parts.notes.replaceChildren(...notesPanel(frame, this.look, gettext));
    this.parts.faults.replaceChildren(...findingsPanel(frame, this.look, gettext, this.picture.clauses));
    this.showSummary(frame, view, settled, gettext);
    patchAll(this.parts.scores, [scoresPanel(frame, view, this.look, gettext)]);
    this.showList(frames, view, gettext);
    this.showRail(frames, view, sentence);
    this.showButtons(gettext);
    this.parts.strip.forEach((element, at) => {
      const here = this.picture.hands[at] === view;
      if (here) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
      if (here) this.parts.hands.scrollLeft = element.offsetLeft - this.parts.hands.clientWidth / 2;
    });
    this.parts.number.value = String(frame.seq);
    this.link();
    if (this.sent !== view.hand) {
      this.sent = view.hand;
      this.tell("hand", view.hand);
    }
  }

  showSummary(frame, view, settled, gettext) {
    const shown = settled && frame.seq >= settled.seq && this.closed !== view.hand;
    this.parts.summary.hidden = !shown;
    if (!shown) return this.parts.summary.replaceChildren();
    const close = html("button", { type: "button", class: "close", "aria-label": `${gettext("close")} (s)`, text: "×" });
    close.addEventListener("click", () => {
      this.settlement();
      this.focus();
    });
    this.parts.summary.replaceChildren(close, ...settlementPanel(settled, this.look, gettext, this.picture.clauses));
  }

  showList(frames, view, gettext) {
    const name = `${view.hand} ${this.look.lang} ${this.digest} ${this.noted}`;
    if (this.listed !== name) {
      this.listed = name;
      const list = eventList(frames, this.look, gettext, (at) => {
        this.go(view.first + at);
        this.focus();
      });
      this.parts.rows = list.rows;
      this.parts.list.replaceChildren(list.table);
    }
    this.parts.rows.forEach((row) => row.removeAttribute("aria-current"));
    const row = this.parts.rows[this.at - view.first];
    row.setAttribute("aria-current", "step");
    const box = this.parts.list;
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }

  showRail(frames, view, sentence) {
    const last = view.last - view.first;
    this.parts.rail.max = String(last);
    this.parts.rail.value = String(this.at - view.first);
    this.parts.rail.setAttribute("aria-valuetext", sentence);
    if (this.railed === this.listed) return;
    this.railed = this.listed;
    const marks = [];
    frames.forEach((frame, at) => {
      const style = `left:${last ? (100 * at) / last : 0}%`;
      const kinds = [frame.findings ? (grave(frame) ? "finding" : "follows") : frame.mark, this.look.notes[frame.seq] && "note"];
      for (const kind of kinds.filter(Boolean)) {
        const above = kind === "note" && kinds[0] ? " above" : "";
        const mark = html("button", { type: "button", tabindex: "-1", class: `mark ${kind}${above}`, style, text: SIGNS[kind] });
        mark.title = `${frame.seq}: ${frame.words[this.look.lang]}`;
        mark.addEventListener("click", () => {
          this.go(view.first + at);
          this.focus();
        });
        marks.push(mark);
      }
    });
    this.parts.marks.replaceChildren(...marks);
  }

  showButtons(gettext) {
    for (const element of this.parts.buttons.querySelectorAll("button")) {
      const key = element.dataset.key;
      if (key === "play") {
        element.replaceChildren(icon(this.timer ? PAUSE : BUTTONS[3][2], true));
        element.title = gettext(this.timer ? N_("pause (Space)") : N_("play (Space)"));
        element.setAttribute("aria-label", element.title);
      } else if (key === "hide_hands") {
        element.title = gettext(this.look.hide ? N_("show all hands (h)") : N_("hide the other hands (h)"));
        element.setAttribute("aria-label", element.title);
        element.setAttribute("aria-pressed", String(this.look.hide));
      } else if (key in PRESSED) {
        element.setAttribute("aria-pressed", String(this.look[PRESSED[key]]));
      }
    }
    this.parts.speedword.textContent = `${this.speed + 1}/${SPEEDS.length}`;
    this.parts.speedword.title = `${gettext("speed")} (+ −)`;
  }

  // Keys that nobody else has the focus for belong to the table.
  listen() {
    this.outside = (event) => {
      if (document.activeElement !== document.body) return;
      this.key(event);
      if (event.defaultPrevented) this.focus(); // a dialog of the page leaves it to nobody
    };
    document.addEventListener("keydown", this.outside);
    this.renamed = () => this.moved();
    window.navigation?.addEventListener("currententrychange", this.renamed);
  }

  leave() {
    document.removeEventListener("keydown", this.outside);
    window.navigation?.removeEventListener("currententrychange", this.renamed);
    if (this.timer) clearInterval(this.timer);
    this.timer = 0;
  }
}

export default function (component) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  const root = parentElement.querySelector(".paipu");
  root.replay ??= new Replay(root);
  root.replay.leave();
  root.replay.listen();
  root.replay.update(data, setStateValue, setTriggerValue);
  return () => root.replay.leave();
}
