// The shell: the state in the URL, the views, and the keyboard.
import { Problem } from "./api.js";
import { h, notice, visibleText } from "./dom.js";
import { chosenSource, showSource } from "./sources.js";
import { noResponse } from "./waiting.js";
import { searchView } from "./search.js";
import { documentView } from "./document.js";
import { grepView } from "./grep.js";
import { queryView } from "./query.js";
import { overviewView } from "./overview.js";

const views = { search: searchView, document: documentView, grep: grepView, query: queryView, overview: overviewView };
const main = document.getElementById("main");
const source = document.getElementById("source");
const singleKeys = document.getElementById("single-keys");
const shortcuts = document.getElementById("shortcuts");
let current = null;
let aborter = new AbortController();

/// The state of a URL: `#/search?db=demo&c=_default._default&q=harbour`.
function parse(hash) {
  const [, path, text = ""] = hash.match(/^#?\/?([^?]*)\??(.*)$/s);
  const state = Object.fromEntries(new URLSearchParams(text));
  const isView = Object.hasOwn(views, path) && (path !== "document" || state.id);
  return { ...state, view: isView ? path : "search" };
}

export function link(state) {
  const { view, ...rest } = state;
  const entries = Object.entries(rest).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  return `#/${view}?${new URLSearchParams(entries)}`;
}

/// Changes the URL and shows its state.
///
/// replace: whether the entry of the browser's history is changed instead of adding one. `draftHistory` does so while the
///   user types.
export function navigate(state, { replace = false, render = true } = {}) {
  const url = link(state);
  if (replace) history.replaceState(history.state, "", url); else history.pushState(null, "", url);
  if (render) show(); else update(parse(location.hash));
}

function update(state) {
  for (const anchor of document.querySelectorAll("nav a")) {
    const view = anchor.dataset.view;
    const search = view === "search" && state.view !== "query" ? { q: state.q, index: state.index } : {};
    anchor.href = link({ view, db: state.db, c: state.c, ...search });
    const isCurrent = view === state.view || (view === "search" && state.view === "document");
    if (isCurrent) anchor.setAttribute("aria-current", "page"); else anchor.removeAttribute("aria-current");
  }
  const subject = state.q || state.id || state.pattern || state.view[0].toUpperCase() + state.view.slice(1);
  document.title = `${visibleText(subject)} · Concordance`;
}

/// Ends the current view and returns the signal of the next one.
function end() {
  aborter.abort();
  aborter = new AbortController();
  current?.end?.();
  current = null;
  return aborter.signal;
}

async function show({ isInitial = false } = {}) {
  const signal = end();
  let state = parse(location.hash);
  try {
    const chosen = await chosenSource(state);
    if (signal.aborted) return;
    if (!chosen) { main.replaceChildren(notice("The server has no databases.")); return; }
    if (!state.db || !state.c) {
      state = { ...state, ...chosen };
      history.replaceState(history.state, "", link(state));
    }
    showSource(state);
    update(state);
    current = views[state.view](main, state, signal) ?? null;
    if (isInitial) return;
    window.scrollTo(0, 0);
    // The view has replaced the element with the focus.
    if (document.activeElement === document.body) main.querySelector("h1")?.focus({ preventScroll: true });
  } catch (error) {
    if (signal.aborted) return;
    const button = h("button", { type: "button", onclick: () => show() }, "Try again");
    main.replaceChildren(error instanceof Problem ? notice("The server reports an error", error.message, "error", button) : noResponse(error, () => show()));
  }
}

document.addEventListener("tokenrequired", () => {
  end();
  const button = h("button", { type: "button", class: "primary", onclick: () => show() }, "Enter a token");
  main.replaceChildren(notice("A token is required", "`concord token create` creates one.", "", button));
  button.focus();
});

source.addEventListener("change", () => {
  const [db, c] = JSON.parse(source.value);
  const state = parse(location.hash);
  const view = state.view === "document" ? "search" : state.view;
  navigate({ view, db, c, q: state.q, pattern: state.pattern });
});

document.addEventListener("keydown", (event) => {
  // The key belongs to the input method, for example to choose a character.
  if (event.isComposing) return;
  const isTyping = event.target.matches("input:not([type=checkbox]), textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog")) return;
  // Speech input and tremors can press single keys by accident (WCAG 2.1.4).
  if (event.key.length === 1 && !singleKeys.checked) return;
  if (event.key === "/" && !isTyping) {
    const input = main.querySelector("[data-focus]");
    event.preventDefault();
    if (input) { input.focus(); input.select(); } else navigate({ ...parse(location.hash), view: "search", id: undefined });
    return;
  }
  current?.key?.(event, isTyping);
});

const singleKeysKey = "concordance-single-keys";
try { singleKeys.checked = localStorage.getItem(singleKeysKey) !== "off"; } catch { /* The storage is disabled. */ }
singleKeys.addEventListener("change", () => {
  try { localStorage.setItem(singleKeysKey, singleKeys.checked ? "on" : "off"); } catch { /* The storage is full or disabled. */ }
});
document.getElementById("show-shortcuts").addEventListener("click", () => shortcuts.showModal());

// Back, forward and links also send `popstate`, but not without `hashchange`, because each state has its own URL.
window.addEventListener("hashchange", () => show());
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
show({ isInitial: true });
