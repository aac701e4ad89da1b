// Search as you type: hits, corrections, suggestions, facets, sorting, pages.
import { collectionPath, follow, get, post, query } from "./api.js";
import { link, navigate } from "./app.js";
import { announce, count, h, heading, marked, notice, number, replace, visible, visibleText } from "./dom.js";

const pageSize = 20;
const noProperties = { facets: [], sortable: [] };
const samples = new Map();

/// Returns the properties of a collection that are useful as facets and for sorting. The sample of documents is taken once,
/// also if the user types or leaves before it is complete, and again if it failed or was empty.
function properties(state) {
  const path = `${collectionPath(state)}/search`;
  const key = JSON.stringify([path, state.index]);
  if (!samples.has(key)) {
    const sample = sampledProperties(path, state.index);
    samples.set(key, sample);
    sample.then((result) => { if (result === noProperties) samples.delete(key); }, () => samples.delete(key));
  }
  return samples.get(key);
}

async function sampledProperties(path, index) {
  // The sample is taken at several positions, because documents with neighbouring ids often have the same properties.
  const sample = (offset) => post(path, { q: "*", index, limit: 25, offset, snippets: 0 });
  const start = await sample(0);
  const offsets = (start.totalHits ?? 0) > 100 ? [0.25, 0.5, 0.75].map((part) => Math.min(10000, Math.floor(start.totalHits * part))) : [];
  const hits = [start, ...await Promise.all(offsets.map(sample))].flatMap((one) => one.hits);
  if (!hits.length) return noProperties;
  const seen = new Map();
  for (const { document } of hits) {
    for (const [key, value] of Object.entries(document)) {
      const isShort = typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value.length <= 40);
      if (!isShort || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) continue;
      const one = seen.get(key) ?? { n: 0, values: new Set(), number: typeof value === "number" };
      one.n += 1;
      one.values.add(value);
      one.time ||= typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
      seen.set(key, one);
    }
  }
  const all = [...seen].filter(([, one]) => one.n >= hits.length * 0.05);
  return {
    // A time, or a property with mostly different values, such as a name, is not a category.
    facets: all.filter(([, one]) => !one.number && !one.time && one.n > 1 && one.values.size <= Math.max(2, one.n * 0.5)).map(([key]) => key).slice(0, 6),
    sortable: all.map(([key]) => key).slice(0, 12),
  };
}

/// Returns the selected values of each facet. Ignores what a user changed in the URL by mistake.
function selected(state) {
  try { return Object.fromEntries(Object.entries(JSON.parse(state.f ?? "{}")).filter(([, values]) => Array.isArray(values))); } catch { return {}; }
}

async function fullTextIndexes(state, signal) {
  const { indexes } = await get(`${collectionPath(state)}/indexes`, signal);
  return indexes.filter((one) => one.kind === "full-text").map((one) => one.name);
}

/// Returns a message for the error `missing_index` with a button for each full-text index of the collection; null if there
/// are none.
export async function indexChoice(error, state, signal, choose) {
  const names = await fullTextIndexes(state, signal);
  if (!names.length) return null;
  announce("Choose a full-text index");
  return notice("Choose a full-text index", error.message, "", ...names.map((name) =>
    h("button", { type: "button", "data-index": name, onclick: () => choose(name) }, ...visible(name))));
}

// The last search, and the hit that was opened.
let last = {};

/// Returns the URL of the search that led to a document, with its page, filters and order.
export function searchLink(state) {
  const isLast = last.state && ["db", "c", "q", "index"].every((key) => (last.state[key] ?? "") === (state[key] ?? ""));
  return link({ ...(isLast ? last.state : { db: state.db, c: state.c, q: state.q, index: state.index }), view: "search" });
}

export function searchView(main, initial, signal) {
  let state = { ...initial };
  let running = null;
  let suggesting = null;
  let hits = [];
  let position = -1;
  let finished = Promise.resolve();
  const opened = last.id !== undefined && searchLink(last.state) === location.hash ? last.id : null;
  last = { state };

  const input = h("input", {
    type: "search", value: state.q ?? "", placeholder: "Search", autocomplete: "off", spellcheck: false, "data-focus": true,
    "aria-label": "Search", "aria-controls": "hits", oninput: () => { change({ q: input.value, page: undefined }, true); suggest(); },
  });
  const indexes = h("select", { "aria-label": "Full-text index", hidden: true, onchange: () => chooseIndex(indexes.value) });
  const sort = h("select", { "aria-label": "Sort by", onchange: () => change({ sort: sort.value, page: undefined }) });
  const suggestions = h("div", { class: "suggestions", role: "group", "aria-label": "Suggestions" });
  const summary = h("div", { class: "summary" });
  const live = h("span", { class: "live", title: "Changes to documents appear immediately" }, "connecting …");
  const chips = h("div", { class: "chips" });
  const list = h("ol", { id: "hits", class: "hits", "aria-label": "Hits" });
  const pages = h("div", { class: "pages", role: "navigation", "aria-label": "Pages" });
  const facets = h("aside", { class: "facets", "aria-label": "Filters" });
  main.replaceChildren(heading("Search"),
    h("div", { class: "bar" }, h("div", { class: "searchbox" }, input, h("kbd", { "aria-hidden": "true" }, "/")), suggestions),
    h("div", { class: "columns" },
      h("section", { class: "results", "aria-label": "Results" }, h("div", { class: "line" }, summary, live, indexes, sort), chips, list, pages), facets));
  if (!state.q && !opened) input.focus();

  function change(changes, typing = false) {
    state = { ...state, ...changes };
    last = { state };
    if (typing) position = -1;
    navigate(state, { replace: typing, render: false });
    finished = run();
  }

  function chooseIndex(name) {
    // Other documents may have other properties.
    change({ index: name, sort: undefined, f: undefined, page: undefined });
    fillIndexes();
    input.focus();
  }

  /// Shows the full-text indexes as a choice, if the URL has one of several.
  async function fillIndexes() {
    if (!state.index) return;
    const names = await fullTextIndexes(state, signal).catch(() => []);
    indexes.hidden = names.length < 2 || !names.includes(state.index);
    indexes.replaceChildren(...names.map((value) => h("option", { value }, visibleText(value))));
    indexes.value = state.index;
  }

  async function suggest() {
    suggesting?.abort();
    suggesting = new AbortController();
    const q = input.value;
    if (!q.trim() || /\s$/.test(q)) { suggestions.replaceChildren(); return; }
    try {
      const answer = await get(`${collectionPath(state)}/suggest${query({ q, limit: 6, index: state.index })}`, suggesting.signal);
      const others = answer.suggestions.filter((one) => one.text !== q);
      replace(suggestions, ...others.map((one) => h("button", {
        type: "button", onclick: () => { input.value = one.text; suggestions.replaceChildren(); input.focus(); change({ q: one.text, page: undefined }, true); },
      }, ...visible(one.text), h("small", {}, number(one.documentCount)))));
    } catch { /* A later keystroke replaced the request, or the search shows the same error. */ }
  }

  async function run({ quietly = false } = {}) {
    running?.abort();
    const own = running = new AbortController();
    const stop = () => own.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      // Without a sample, the search has no facets, and shows the error if there is one.
      const known = await properties(state).catch(() => noProperties);
      if (own.signal.aborted) return;
      fillSort(known.sortable);
      const page = Math.max(1, Number(state.page) || 1);
      const answer = await post(`${collectionPath(state)}/search`, {
        q: state.q?.trim() || "*", index: state.index, limit: pageSize, offset: (page - 1) * pageSize, facets: known.facets, selections: selected(state),
        sort: state.sort || undefined, snippets: 2, document: false,
      }, own.signal);
      if (own.signal.aborted) return;
      draw(answer, page, quietly);
    } catch (error) {
      const message = await failure(error, own.signal);
      if (own.signal.aborted) return;
      hits = [];
      replace(list, h("li", { class: "empty" }, message));
      summary.textContent = "";
      for (const one of [chips, facets, pages]) replace(one);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function failure(error, signal) {
    if (error.code === "missing_index") {
      try {
        return await indexChoice(error, state, signal, chooseIndex) ?? notice("This collection has no full-text index",
          "Create one with `concord create-index NAME --full-text PROPERTY`, or use the Grep and Query views.", "error");
      } catch (other) { error = other; }
    }
    return notice("The search failed", error.message, "error");
  }

  let sortKeys = null;
  function fillSort(keys) {
    if (keys === sortKeys) return;
    sortKeys = keys;
    const options = [["", "Relevance"], ...keys.flatMap((key) => [[`\`${key}\``, `${key} ↑`], [`\`${key}\` DESC`, `${key} ↓`]])];
    if (state.sort && !options.some(([value]) => value === state.sort)) options.push([state.sort, state.sort]);
    sort.replaceChildren(...options.map(([value, label]) => h("option", { value }, label)));
    sort.value = state.sort ?? "";
  }

  let isFirstDraw = true;
  function draw(answer, page, quietly) {
    hits = answer.hits;
    const isExact = answer.totalHits !== undefined;
    const total = answer.totalHits ?? answer.estimatedTotalHits;
    const time = answer.processingTimeMs;
    summary.replaceChildren(
      h("strong", {}, `${isExact ? "" : "at least "}${count(total, "document")}`),
      h("span", { class: "time" }, ` in ${time < 10 ? time.toFixed(1) : Math.round(time)} ms`));
    if (!quietly) announce(`${isExact ? "" : "at least "}${count(total, "document")} found`);
    const filters = Object.entries(selected(state)).flatMap(([key, values]) => values.map((value) => [key, value]));
    const correction = answer.relaxed
      ? h("p", { class: "correction" }, answer.relaxed.anyWord ? "No document contains all of the words. " : "",
        "Showing results for ", h("b", {}, ...visible(answer.relaxed.query)), ".")
      : answer.suggestedQuery
        ? h("p", { class: "correction" }, "Did you mean ", h("button", { type: "button", class: "text", "data-key": "suggestion", onclick: () => { input.value = answer.suggestedQuery; change({ q: answer.suggestedQuery, page: undefined }); } },
          ...visible(answer.suggestedQuery)), "?") : null;
    const remarks = [answer.notice, ...(answer.warnings ?? [])].filter(Boolean);
    replace(chips, ...[correction, ...remarks.map((one) => h("p", { class: "correction" }, ...visible(one))),
      ...filters.map(([key, value]) => h("button", {
        type: "button", class: "chip", "data-key": JSON.stringify([key, value]), "aria-label": `Remove filter ${key}: ${value}`, onclick: () => toggle(key, value),
      }, ...visible(key), ": ", h("b", {}, ...visible(String(value))), h("span", { "aria-hidden": "true" }, "×")))].filter(Boolean));
    position = Math.min(position, hits.length - 1);
    list.start = (page - 1) * pageSize + 1;
    replace(list, ...(hits.length ? hits.map(hitItem) : [h("li", { class: "empty" }, notice("Nothing found", filters.length
      ? "Remove a filter, or use fewer words." : "Use fewer or different words; the Grep view searches for parts of words."))]));
    mark();
    drawFacets(answer.facets ?? []);
    drawPages(page, total, isExact);
    if (opened !== null && isFirstDraw) select(hits.findIndex((hit) => hit.id === opened));
    isFirstDraw = false;
  }

  function hitItem(hit, index) {
    const target = link({ view: "document", db: state.db, c: state.c, id: hit.id, q: state.q, index: state.index });
    const [first] = hit.snippets;
    const title = hit.title ?? hit.id.split("/").pop();
    return h("li", { class: "hit" },
      h("a", { href: target, class: "title", id: `hit-${index}`, "data-key": hit.id, onclick: () => { last.id = hit.id; } }, ...visible(title)),
      h("div", { class: "path" }, ...visible(hit.id), first && first.line > 1 ? h("span", {}, `:${first.line}`) : null),
      hit.snippets.filter((one) => one.text).map((snippet) => h("p", { dir: "auto" },
        snippet.continuesBefore ? "…\u00a0" : "", ...marked(snippet.text, snippet.matches), snippet.continuesAfter ? "\u00a0…" : "")));
  }

  function drawFacets(all) {
    const chosen = selected(state);
    const shown = all.filter((facet) => chosen[facet.property] || facet.values.length > 1);
    replace(facets, ...shown.map((facet) => h("fieldset", {}, h("legend", {}, facet.property),
      facet.values.slice(0, 8).map(({ value, count }) => h("label", {},
        h("input", { type: "checkbox", "data-key": JSON.stringify([facet.property, value]), checked: chosen[facet.property]?.includes(value) ?? false, onchange: () => toggle(facet.property, value) }),
        h("span", { class: "value" }, ...visible(String(value))), h("span", { class: "count" }, number(count)))),
      facet.values.length > 8 || facet.otherValueCount ? h("small", {}, `${number(Math.max(0, facet.values.length - 8) + (facet.otherValueCount || 0))} other values`) : null)));
  }

  function toggle(key, value) {
    const chosen = selected(state);
    const values = chosen[key] ?? [];
    chosen[key] = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
    if (!chosen[key].length) delete chosen[key];
    change({ f: Object.keys(chosen).length ? JSON.stringify(chosen) : undefined, page: undefined });
  }

  function drawPages(page, total, isExact) {
    const last = Math.ceil(total / pageSize);
    const hasNext = isExact ? page < last : hits.length === pageSize;
    if (page === 1 && !hasNext) { replace(pages); return; }
    const go = (to) => () => {
      change({ page: to === 1 ? undefined : to });
      window.scrollTo(0, 0);
      main.querySelector("h1").focus({ preventScroll: true });
    };
    replace(pages,
      h("button", { type: "button", disabled: page === 1, onclick: go(page - 1) }, "← Previous"),
      h("span", {}, isExact ? `Page ${number(page)} of ${number(last)}` : `Page ${number(page)}`),
      h("button", { type: "button", disabled: !hasNext, onclick: go(page + 1) }, "Next →"));
  }

  function mark() {
    [...list.children].forEach((item, index) => item.classList.toggle("selected", index === position));
  }

  function select(index) {
    if (!hits[index]) return;
    position = index;
    mark();
    const item = list.children[position];
    item.scrollIntoView({ block: "nearest" });
    item.querySelector("a").focus({ preventScroll: true });
  }

  let pending = null;
  const followed = new AbortController();
  signal.addEventListener("abort", () => followed.abort());
  follow(state, followed.signal, (isOn) => {
    live.classList.toggle("on", isOn);
    live.textContent = isOn ? "live" : "connecting …";
  }, () => {
    clearTimeout(pending);
    pending = setTimeout(() => run({ quietly: true }), 200);
  });
  fillSort(noProperties.sortable);
  fillIndexes();
  finished = run();

  return {
    end() { running?.abort(); suggesting?.abort(); clearTimeout(pending); },
    key(event, isTyping) {
      if (event.key === "Escape" && isTyping) { suggestions.replaceChildren(); input.blur(); return; }
      if (isTyping && event.target !== input) return;
      const step = event.key === "ArrowDown" || (!isTyping && event.key === "j") ? 1 : event.key === "ArrowUp" || (!isTyping && event.key === "k") ? -1 : 0;
      if (step) {
        event.preventDefault();
        select(Math.max(0, Math.min(hits.length - 1, position + step)));
      } else if (event.key === "Enter" && event.target === input) {
        // The hits are those of the text in the input only after the running search.
        finished.then(() => { if (!signal.aborted) list.children[Math.max(0, position)]?.querySelector("a.title")?.click(); });
      }
    },
  };
}
