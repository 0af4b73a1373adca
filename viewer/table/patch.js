// Makes a tree of elements equal to a fresh one, touching only what differs: from one event to the next a few tiles
// move, and drawing a whole table anew costs the browser several times as much. Elements with listeners are not for it.

function patch(old, fresh) {
  if (old.isEqualNode(fresh)) return old;
  if (old.nodeType !== Node.ELEMENT_NODE || old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return fresh;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  patchAll(old, [...fresh.childNodes]);
  return old;
}

// What both begin or end with alike stays; between, one is made the other in order.
function patchAll(parent, fresh) {
  const old = [...parent.childNodes];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head].isEqualNode(fresh[head])) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail).isEqualNode(fresh.at(-1 - tail))) tail += 1;
  const gone = old.slice(head, old.length - tail);
  const come = fresh.slice(head, fresh.length - tail);
  const after = tail ? old.at(-tail) : null;
  come.forEach((each, at) => (at < gone.length ? patch(gone[at], each) : parent.insertBefore(each, after)));
  gone.slice(come.length).forEach((each) => each.remove());
}
