// Elements and text. The text of documents is inserted only as text nodes, never as HTML.

/// Creates an element. A property that begins with "on" is a listener; children are nodes or strings.
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    // An attribute whose absence does not mean false.
    if (key === "spellcheck") { element.setAttribute(key, String(value)); continue; }
    if (value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key in element && key !== "list" && key !== "role") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Scripts in which joiners (U+200C and U+200D) change how the preceding letter is written.
const joining = "Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt".split(" ").map((one) => `\\p{scx=${one}}`).join("");

// Characters that are not visible, each as one match.
const hidden = new RegExp([
  // Control characters except tab and line feed.
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]",
  // Characters that change the direction of text.
  "[\\u061c\\u200e\\u200f\\u202a-\\u202e]",
  // Characters without width: spaces, operators, fillers, annotations, tags.
  "[\\u115f\\u1160\\u180e\\u200b\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]",
  // Joiners that do not join letters or emoji.
  `\\u200c(?<![${joining}].)|\\u200d(?<![${joining}].)(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f].(?=\\p{Extended_Pictographic}))`,
  // Variation selectors after another one. Text can be hidden in a sequence of them.
  "(?<=[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]",
].join("|"), "gsu");

/// Returns the code point of a character, such as U+202E.
export const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

/// Returns nodes for a text in which hidden characters are shown as code points.
export function visible(text) {
  const nodes = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > end) nodes.push(text.slice(end, index));
    nodes.push(h("span", { class: "control" }, codePoint(character)));
    end = index + character.length;
  }
  if (end < text.length || !nodes.length) nodes.push(text.slice(end));
  return nodes;
}

/// Returns a text for places without elements, such as the title of the window, in which hidden characters are shown as
/// code points.
export const visibleText = (text) => text.replace(hidden, (character) => `[${codePoint(character)}]`);

/// Returns the text of a link to a document: its title, else the last part of its id. A link without visible text cannot be
/// selected, so an id that is only white space is shown as JSON.
export function titleOf(title, id) {
  if (title?.trim()) return title;
  const name = id.split("/").filter(Boolean).pop()?.trim() || id;
  return name.trim() ? name : JSON.stringify(id);
}

/// Replaces the children of an element. If the focus is in it, the new child with the same `data-key` receives the focus,
/// otherwise the heading of the page.
export function replace(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(...children);
  if (!active) return;
  const next = [...element.querySelectorAll("[data-key]:enabled, a[data-key]")].find((one) => one.dataset.key === active.dataset.key);
  (next ?? document.querySelector("main h1"))?.focus({ preventScroll: true });
}

/// Returns the number of UTF-16 units before an offset in UTF-8 bytes.
export function unitOffset(text, bytes) {
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0);
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes < size) break;
    bytes -= size;
    units += character.length;
  }
  return units;
}

/// Returns nodes for a text whose ranges, in bytes of UTF-8 and ascending, are marked.
export function marked(text, ranges) {
  if (!ranges || !ranges.length) return visible(text);
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const nodes = [];
  let end = 0;
  for (const range of ranges) {
    if (range.start < end) continue;
    nodes.push(...visible(decoder.decode(bytes.subarray(end, range.start))));
    nodes.push(h("mark", {}, ...visible(decoder.decode(bytes.subarray(range.start, range.end)))));
    end = range.end;
  }
  nodes.push(...visible(decoder.decode(bytes.subarray(end))));
  return nodes;
}

/// Announces a text to screen readers.
export function announce(text) { document.getElementById("status").textContent = text; }

export const number = (value) => Number(value).toLocaleString("en-US");

export function size(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) { bytes /= 1000; unit += 1; }
  return `${unit === 0 || bytes >= 100 ? Math.round(bytes) : bytes.toFixed(1)} ${units[unit]}`;
}

export const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

/// Returns a message to show in place of results, with buttons to continue.
export function notice(title, detail, kind = "", ...buttons) {
  return h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : undefined },
    h("strong", {}, ...visible(title)), detail ? h("p", {}, ...visible(detail)) : null,
    buttons.length ? h("div", { class: "buttons" }, buttons) : null);
}

/// Returns the hidden heading of a view. It receives the focus when the view replaces another.
export const heading = (text) => h("h1", { class: "hidden", tabIndex: -1 }, ...visible(text));

/// Returns JSON text with line breaks and indentation. Numbers keep their digits.
export function indented(json) {
  let depth = 0, result = "", previous = "";
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const line = "\n" + "  ".repeat(Math.max(0, depth - (token === "}" || token === "]" ? 1 : 0)));
    if (token === "{" || token === "[") { if (/[,{[]/.test(previous) && previous) result += line; result += token; depth += 1; }
    else if (token === "}" || token === "]") { depth -= 1; result += (/[{[]/.test(previous) ? "" : line) + token; }
    else if (token === ",") result += token;
    else if (token === ":") result += ": ";
    else result += (/^[,{[]$/.test(previous) ? line : "") + token;
    previous = token;
  }
  return result;
}
