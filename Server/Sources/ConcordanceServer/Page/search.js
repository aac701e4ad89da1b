// Search as you type: hits, corrections, suggestions, facets, sorting, pages.
import { collectionPath, follow, get, post, query } from "./api.js";
import { link, navigate } from "./app.js";
import { announce, count, h, marked, notice, number, visible } from "./dom.js";

const pageSize = 20;
const samples = new Map();

/// Returns the properties of a collection that are useful as facets and for sorting, from a sample of its documents.
async function properties(state, signal) {
  const path = collectionPath(state);
  if (samples.has(path)) return samples.get(path);
  // The sample is taken at several positions, because documents with neighbouring ids often have the same properties.
  const sample = (offset) => post(`${path}/search`, { q: "*", limit: 25, offset, snippets: 0 }, signal).catch(() => ({ hits: [] }));
  const start = await sample(0);
  const offsets = (start.totalHits ?? 0) > 100 ? [0.25, 0.5, 0.75].map((part) => Math.min(10000, Math.floor(start.totalHits * part))) : [];
  const hits = [start, ...await Promise.all(offsets.map(sample))].flatMap((one) => one.hits);
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
  const result = {
    // A time, or a property with mostly different values, such as a name, is not a category.
    facets: all.filter(([, one]) => !one.number && !one.time && one.n > 1 && one.values.size <= Math.max(2, one.n * 0.5)).map(([key]) => key).slice(0, 6),
    sortable: all.map(([key]) => key).slice(0, 12),
  };
  samples.set(path, result);
  return result;
}

const selected = (state) => { try { return JSON.parse(state.f ?? "{}"); } catch { return {}; } };

export function searchView(main, initial, signal) {
  let state = { ...initial };
  let running = null;
  let suggesting = null;
  let hits = [];
  let position = -1;

  const input = h("input", {
    type: "search", value: state.q ?? "", placeholder: "Search", autocomplete: "off", spellcheck: false, "data-focus": true,
    "aria-label": "Search", "aria-controls": "hits", oninput: () => { change({ q: input.value, page: undefined }, true); suggest(); },
  });
  const sort = h("select", { "aria-label": "Sort by", onchange: () => change({ sort: sort.value, page: undefined }) });
  const suggestions = h("div", { class: "suggestions", role: "group", "aria-label": "Suggestions" });
  const summary = h("div", { class: "summary" });
  const live = h("span", { class: "live", title: "Changes to documents appear immediately" }, "live");
  const chips = h("div", { class: "chips" });
  const list = h("ol", { id: "hits", class: "hits", "aria-label": "Hits" });
  const pages = h("div", { class: "pages", role: "navigation", "aria-label": "Pages" });
  const facets = h("aside", { class: "facets", "aria-label": "Filters" });
  main.replaceChildren(
    h("div", { class: "bar" }, h("div", { class: "searchbox" }, input, h("kbd", { "aria-hidden": "true" }, "/")), suggestions),
    h("div", { class: "columns" },
      h("section", { class: "results", "aria-label": "Results" }, h("div", { class: "line" }, summary, live, sort), chips, list, pages), facets));
  if (!state.q) input.focus();

  function change(changes, typing = false) {
    state = { ...state, ...changes };
    navigate(state, { replace: typing, render: false });
    run();
  }

  async function suggest() {
    suggesting?.abort();
    suggesting = new AbortController();
    const q = input.value;
    if (!q.trim() || /\s$/.test(q)) { suggestions.replaceChildren(); return; }
    try {
      const answer = await get(`${collectionPath(state)}/suggest${query({ q, limit: 6 })}`, suggesting.signal);
      const others = answer.suggestions.filter((one) => one.text !== q);
      suggestions.replaceChildren(...others.map((one) => h("button", {
        type: "button", onclick: () => { input.value = one.text; suggestions.replaceChildren(); input.focus(); change({ q: one.text, page: undefined }); },
      }, ...visible(one.text), h("small", {}, number(one.documentCount)))));
    } catch { /* A later keystroke replaced the request, or the collection has no index. */ }
  }

  async function run({ quietly = false } = {}) {
    running?.abort();
    const own = running = new AbortController();
    const stop = () => own.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const known = await properties(state, own.signal);
      fillSort(known.sortable);
      const page = Math.max(1, Number(state.page) || 1);
      const answer = await post(`${collectionPath(state)}/search`, {
        q: state.q?.trim() || "*", limit: pageSize, offset: (page - 1) * pageSize, facets: known.facets, selections: selected(state),
        sort: state.sort || undefined, snippets: 2, document: false,
      }, own.signal);
      if (own.signal.aborted) return;
      draw(answer, page, quietly);
    } catch (error) {
      if (own.signal.aborted) return;
      const needsIndex = error.code === "missing_index";
      list.replaceChildren(h("li", { class: "empty" }, notice(
        needsIndex ? "This collection has no full-text index" : "The search failed",
        needsIndex ? "Create one with `concord create-index`, or use the Grep and Query views." : error.message, "error")));
      summary.textContent = "";
      facets.replaceChildren();
      pages.replaceChildren();
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  function fillSort(keys) {
    if (sort.options.length) return;
    const options = [["", "Relevance"], ...keys.flatMap((key) => [[`\`${key}\``, `${key} ↑`], [`\`${key}\` DESC`, `${key} ↓`]])];
    if (state.sort && !options.some(([value]) => value === state.sort)) options.push([state.sort, state.sort]);
    sort.replaceChildren(...options.map(([value, label]) => h("option", { value }, label)));
    sort.value = state.sort ?? "";
  }

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
        ? h("p", { class: "correction" }, "Did you mean ", h("button", { class: "text", onclick: () => { input.value = answer.suggestedQuery; change({ q: answer.suggestedQuery }); } },
          ...visible(answer.suggestedQuery)), "?") : null;
    chips.replaceChildren(...[correction, answer.notice ? h("p", { class: "correction" }, ...visible(answer.notice)) : null,
      ...filters.map(([key, value]) => h("button", {
        type: "button", class: "chip", "aria-label": `Remove filter ${key}: ${value}`, onclick: () => toggle(key, value),
      }, `${key}: `, h("b", {}, ...visible(String(value))), h("span", { "aria-hidden": "true" }, "×")))].filter(Boolean));
    position = Math.min(position, hits.length - 1);
    list.start = (page - 1) * pageSize + 1;
    list.replaceChildren(...(hits.length ? hits.map(hitItem) : [h("li", { class: "empty" }, notice("Nothing found", filters.length
      ? "Remove a filter, or use fewer words." : "Use fewer or different words; the Grep view searches for parts of words."))]));
    mark();
    drawFacets(answer.facets ?? []);
    drawPages(page, total, isExact);
  }

  function hitItem(hit, index) {
    const target = link({ view: "document", db: state.db, c: state.c, id: hit.id, q: state.q });
    const [first] = hit.snippets;
    const title = hit.title ?? hit.id.split("/").pop();
    return h("li", { class: "hit" },
      h("a", { href: target, id: `hit-${index}` }, ...visible(title)),
      h("div", { class: "path" }, ...visible(hit.id), first && first.line > 1 ? h("span", {}, `:${first.line}`) : null),
      hit.snippets.filter((one) => one.text).map((snippet) => h("p", { dir: "auto" },
        snippet.continuesBefore ? "…\u00a0" : "", ...marked(snippet.text, snippet.matches), snippet.continuesAfter ? "\u00a0…" : "")));
  }

  function drawFacets(all) {
    const chosen = selected(state);
    const shown = all.filter((facet) => chosen[facet.property] || facet.values.length > 1);
    facets.replaceChildren(...shown.map((facet) => h("fieldset", {}, h("legend", {}, facet.property),
      facet.values.slice(0, 8).map(({ value, count }) => h("label", {},
        h("input", { type: "checkbox", checked: chosen[facet.property]?.includes(value) ?? false, onchange: () => toggle(facet.property, value) }),
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
    if (page === 1 && !hasNext) { pages.replaceChildren(); return; }
    const go = (to) => () => { change({ page: to === 1 ? undefined : to }); window.scrollTo(0, 0); };
    pages.replaceChildren(
      h("button", { type: "button", disabled: page === 1, onclick: go(page - 1) }, "← Previous"),
      h("span", {}, isExact ? `Page ${number(page)} of ${number(last)}` : `Page ${number(page)}`),
      h("button", { type: "button", disabled: !hasNext, onclick: go(page + 1) }, "Next →"));
  }

  function mark() {
    [...list.children].forEach((item, index) => item.classList.toggle("selected", index === position));
  }

  let pending = null;
  const followed = new AbortController();
  signal.addEventListener("abort", () => followed.abort());
  follow(state, followed.signal, (isOn) => live.classList.toggle("on", isOn), () => {
    clearTimeout(pending);
    pending = setTimeout(() => run({ quietly: true }), 200);
  });
  run();
  suggestions.replaceChildren();

  return {
    end() { running?.abort(); suggesting?.abort(); clearTimeout(pending); },
    key(event, isTyping) {
      if (event.key === "Escape" && isTyping) { suggestions.replaceChildren(); input.blur(); return; }
      if (isTyping && event.target !== input) return;
      const step = event.key === "ArrowDown" || (!isTyping && event.key === "j") ? 1 : event.key === "ArrowUp" || (!isTyping && event.key === "k") ? -1 : 0;
      if (step) {
        event.preventDefault();
        position = Math.max(0, Math.min(hits.length - 1, position + step));
        mark();
        const item = list.children[position];
        item?.scrollIntoView({ block: "nearest" });
        item?.querySelector("a")?.focus({ preventScroll: true });
      } else if (event.key === "Enter" && event.target === input) {
        list.children[Math.max(0, position)]?.querySelector("a")?.click();
      }
    },
  };
}
