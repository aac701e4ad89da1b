// The shell: the state in the URL, the views, and the keyboard.
import { get } from "./api.js";
import { h, notice } from "./dom.js";
import { searchView } from "./search.js";
import { documentView } from "./document.js";
import { grepView } from "./grep.js";
import { queryView } from "./query.js";
import { overviewView } from "./overview.js";

const views = { search: searchView, document: documentView, grep: grepView, query: queryView, overview: overviewView };
const main = document.getElementById("main");
const source = document.getElementById("source");
let current = null;
let aborter = new AbortController();

/// The state of a URL: `#/search?db=demo&c=_default._default&q=harbour`.
function parse(hash) {
  const [path, text = ""] = hash.replace(/^#\/?/, "").split("?");
  return { view: views[path] ? path : "search", ...Object.fromEntries(new URLSearchParams(text)) };
}

export function link(state) {
  const { view, ...rest } = state;
  const entries = Object.entries(rest).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return `#/${view}?${new URLSearchParams(entries)}`;
}

/// Changes the URL and shows its state. While the user types, the URL is replaced, so that each search is one history
/// entry.
export function navigate(state, { replace = false, render = true } = {}) {
  const url = link(state);
  if (replace) history.replaceState(null, "", url); else history.pushState(null, "", url);
  if (render) show(); else update(parse(location.hash));
}

function update(state) {
  for (const anchor of document.querySelectorAll("nav a")) {
    const view = anchor.dataset.view;
    anchor.href = link({ view, db: state.db, c: state.c, q: view === "search" ? state.q : undefined });
    const isCurrent = view === state.view || (view === "search" && state.view === "document");
    if (isCurrent) anchor.setAttribute("aria-current", "page"); else anchor.removeAttribute("aria-current");
  }
}

async function sources() {
  const { databases } = await get("/databases");
  const groups = await Promise.all(databases.map(async ({ name }) => {
    const { collections } = await get(`/databases/${encodeURIComponent(name)}/collections`);
    return { name, collections };
  }));
  source.replaceChildren(...groups.map(({ name, collections }) =>
    h("optgroup", { label: name }, collections.map((one) => {
      const short = one.name.replace(/^_default\./, "");
      const label = short === "_default" ? name : `${name} · ${short}`;
      return h("option", { value: JSON.stringify([name, one.name]) }, label);
    }))));
  // The largest collection is selected, because the default collection is often empty.
  const all = groups.flatMap(({ name, collections }) => collections.map((one) => ({ db: name, c: one.name, n: one.documentCount })));
  return all.sort((a, b) => b.n - a.n)[0];
}

let first = null;

async function show() {
  aborter.abort();
  aborter = new AbortController();
  const { signal } = aborter;
  current?.end?.();
  current = null;
  let state = parse(location.hash);
  try {
    first ??= await sources();
    if (signal.aborted) return;
    if (!first) { main.replaceChildren(notice("The server has no databases.")); return; }
    if (!state.db || !state.c) {
      state = { ...first, ...state };
      delete state.n;
      history.replaceState(null, "", link(state));
    }
    source.value = JSON.stringify([state.db, state.c]);
    update(state);
    document.title = `${state.q || state.id || state.pattern || state.view[0].toUpperCase() + state.view.slice(1)} · Concordance`;
    current = views[state.view](main, state, signal) ?? null;
  } catch (error) {
    if (!signal.aborted) main.replaceChildren(notice("The server does not respond", error.message, "error"));
  }
}

source.addEventListener("change", () => {
  const [db, c] = JSON.parse(source.value);
  const state = parse(location.hash);
  const view = state.view === "document" ? "search" : state.view;
  navigate({ view, db, c, q: state.q, pattern: state.pattern });
});

document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !isTyping) {
    const input = main.querySelector("[data-focus]");
    event.preventDefault();
    if (input) { input.focus(); input.select(); } else navigate({ ...parse(location.hash), view: "search", id: undefined });
    return;
  }
  current?.key?.(event, isTyping);
});

window.addEventListener("popstate", show);
window.addEventListener("hashchange", show);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
show();
