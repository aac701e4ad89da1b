// Elements and text. The text of documents is inserted only as text nodes, never as HTML.

/// Creates an element. A property that begins with "on" is a listener; children are nodes or strings.
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key in element && key !== "list" && key !== "role") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// Control characters except tab and line feed, and characters that change the direction of text.
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

function control(character) {
  const code = character.codePointAt(0);
  const name = "U+" + code.toString(16).toUpperCase().padStart(4, "0");
  return h("span", { class: "control" }, name);
}

/// Returns nodes for a text in which control and bidirectional characters are visible.
export function visible(text) {
  if (!unsafe.test(text)) return [text];
  const nodes = [];
  let plain = "";
  for (const character of text) {
    if (!unsafe.test(character)) { plain += character; continue; }
    if (plain) nodes.push(plain);
    nodes.push(control(character));
    plain = "";
  }
  if (plain) nodes.push(plain);
  return nodes;
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
  const decoder = new TextDecoder();
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

/// Returns a message to show in place of results.
export function notice(title, detail, kind = "") {
  return h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : undefined },
    h("strong", {}, ...visible(title)), detail ? h("p", {}, ...visible(detail)) : null);
}

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
