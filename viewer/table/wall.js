// The wall unrolled into one strip, as the draw sequence runs: the head takes from the left, the tail from the right.
// Faces are never known here; what is taken, what is dead and where the wall was broken is all there is to see.

const STACK = 15;
const TILE = { width: 13, height: 17 };

// Place of the tail's draw number `step` in the draw sequence, 0 the first tile of all.
function tailPlace(wall, step) {
  return wall.reverse ? wall.size - 1 - step : wall.size - 2 - step + 2 * (step % 2);
}

function drawWall(frame, look, gettext) {
  const wall = frame.wall;
  if (!wall) return null;
  const stacks = wall.size / 2;
  const players = frame.players.length;
  const side = Math.floor(stacks / players);
  const taken = new Set(Array.from({ length: wall.tail }, (_, step) => tailPlace(wall, step)));
  const kept = new Set(Array.from({ length: wall.dead }, (_, step) => tailPlace(wall, wall.tail + step)));
  const width = stacks * STACK;
  const picture = svg("svg", { viewBox: `-8 0 ${width + 16} 92`, role: "img", class: "wallstrip" });
  const head = gettext("head {count}", { count: wall.head });
  const tail = gettext("tail {count}", { count: wall.tail });
  const left = look.speech.ngettext("{count} tile left", "{count} tiles left", frame.left);
  const dead = gettext("dead wall {count}", { count: wall.dead });
  const sentence = `${gettext("wall")}: ${head}, ${tail}, ${left}, ${dead}`;
  picture.setAttribute("aria-label", sentence);
  for (let place = 0; place < wall.size; place += 1) {
    const gone = place < wall.head ? "head" : taken.has(place) ? "tail" : "";
    const kind = gone ? "gone" : kept.has(place) ? "dead" : "there";
    const x = Math.floor(place / 2) * STACK + 1;
    const y = 28 + (place % 2) * (TILE.height + 2);
    picture.append(svg("rect", { x, y, width: TILE.width, height: TILE.height, rx: 2.5, class: `brick ${kind}` }));
    if (kind === "dead") picture.append(svg("path", { d: `M${x + 2.5} ${y + TILE.height - 3} L${x + TILE.width - 2.5} ${y + 3}`, class: "deadmark" }));
  }
  // Whose side of the wall each part is: side p begins at ((n - p) mod n) * side, counted clockwise.
  for (let seat = 0; seat < players; seat += 1) {
    const from = ((((players - seat) % players) * side - wall.first) % stacks + stacks) % stacks;
    const x = from * STACK;
    picture.append(svg("path", { d: `M${x} 22 V68`, class: "corner" }), text(`${windOf(look, frame, seat)} ▸`, { x: x + 3, y: 84, class: "sidename" }));
  }
  const next = Math.min(wall.head, wall.size - 1);
  picture.append(cursor(next, head, 22, width));
  const last = Math.max(tailPlace(wall, wall.tail), 0);
  picture.append(cursor(last, tail, 22, width));
  const dice = wall.dice.map((each) => each.join("+")).join(", ");
  const told = [dice ? gettext("dice {values}", { values: dice }) : "", gettext("broken at stack {number}", { number: String(wall.first) }), left, `${dead} ╱`];
  return html("div", { class: "wallbox" }, [picture, html("div", { class: "walltold", text: told.filter(Boolean).join(" · ") })]);
}

function cursor(place, words, y, width) {
  const x = Math.floor(place / 2) * STACK + 7.5;
  const late = x > width - 90;
  return svg("g", {}, [
    svg("path", { d: `M${x - 5} ${y - 6} h10 l-5 9 z`, class: "cursor" }),
    text(words, { x: late ? x - 8 : x + 8, y: y - 4, class: late ? "cursorname late" : "cursorname" }),
  ]);
}
