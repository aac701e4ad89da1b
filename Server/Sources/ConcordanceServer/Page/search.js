// Search as you type: hits, corrections, suggestions, facets, sorting, pages.
import { collectionPath, post } from "./api.js";
import { announce, h, heading, notice, replace, visibleText } from "./dom.js";
import { draftHistory } from "./drafts.js";
import { drawFacets, filterChips, noProperties, properties, selected, sortOptions, toggled } from "./facets.js";
import { follow } from "./follow.js";
import { drawPages, drawSummary, hitItem, pageSize, remarks, total, totalText } from "./hits.js";
import { fullTextIndexes, indexChoice } from "./indexes.js";
import { openedHit, rememberHit, rememberSearch } from "./opened.js";
import { suggestionList } from "./suggestions.js";
import { failureNotice, waiting } from "./waiting.js";

export function searchView(main, initial, signal) {
  let state = { ...initial };
  let running = null;
  let hits = [];
  let position = -1;
  let finished = Promise.resolve();
  const opened = openedHit();
  rememberSearch(state);
  const drafts = draftHistory(state);

  const input = h("input", {
    type: "search", value: state.q ?? "", placeholder: "Search", autocomplete: "off", spellcheck: false, "data-focus": true,
    "aria-label": "Search", "aria-controls": "hits", oninput: () => { change({ q: input.value, page: undefined }, true); suggestions.show(state, input.value); },
    onchange: () => drafts.commit(),
  });
  const indexes = h("select", { "aria-label": "Full-text index", hidden: true, onchange: () => chooseIndex(indexes.value) });
  const sort = h("select", { "aria-label": "Sort by", onchange: () => change({ sort: sort.value, page: undefined }) });
  const suggestions = suggestionList((q) => { input.value = q; input.focus(); change({ q, page: undefined }, true); });
  const summary = h("div", { class: "summary" });
  const live = h("span", { class: "live", title: "Changes to documents appear immediately" }, "connecting …");
  const chips = h("div", { class: "chips" });
  const list = h("ol", { id: "hits", class: "hits", "aria-label": "Hits" });
  const pages = h("div", { class: "pages", role: "navigation", "aria-label": "Pages" });
  const facets = h("aside", { class: "facets", "aria-label": "Filters" });
  main.replaceChildren(heading("Search"),
    h("div", { class: "bar" }, h("div", { class: "searchbox" }, input, h("kbd", { "aria-hidden": "true" }, "/")), suggestions.element),
    h("div", { class: "columns" },
      h("section", { class: "results", "aria-label": "Results" }, h("div", { class: "line" }, summary, live, indexes, sort), chips, list, pages), facets));
  const busy = waiting(list, summary);
  if (!state.q && !opened) input.focus();

  function change(changes, typing = false) {
    state = { ...state, ...changes };
    rememberSearch(state);
    if (typing) position = -1;
    if (typing) drafts.type(state); else drafts.choose(state);
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

  async function run({ quietly = false } = {}) {
    running?.abort();
    const own = running = new AbortController();
    const stop = () => own.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (!quietly) busy.begin("Searching …");
    try {
      // Without a sample, the search has no facets, and shows the error if there is one. If the server does not respond, the
      // user need not wait for a second request.
      const known = await properties(state).catch((error) => { if (error.name === "TimeoutError") throw error; return noProperties; });
      if (own.signal.aborted) return;
      fillSort(known.sortable);
      const page = Math.max(1, Number(state.page) || 1);
      const answer = await post(`${collectionPath(state)}/search`, {
        q: state.q?.trim() || "*", index: state.index, limit: pageSize, offset: (page - 1) * pageSize, facets: known.facets.length ? known.facets : undefined, selections: selected(state),
        sort: state.sort || undefined, snippets: 2, document: false,
      }, own.signal);
      if (own.signal.aborted) return;
      draw(answer, page, quietly);
    } catch (error) {
      const message = await failure(error, own.signal);
      if (own.signal.aborted) return;
      hits = [];
      replace(list, h("li", { class: "empty" }, message));
      summary.replaceChildren();
      for (const one of [chips, facets, pages]) replace(one);
    } finally {
      signal.removeEventListener("abort", stop);
      // Otherwise the user has started another search, which is still running.
      if (running === own) {
        running = null;
        busy.end();
        if (again && !signal.aborted) refresh();
      }
    }
  }

  // The documents may change all the time. Searches after changes are neither postponed nor cancelled by further changes,
  // and do not cancel the search that the user waits for.
  let pending = null, again = false;
  function refresh() {
    again = false;
    pending ??= setTimeout(() => {
      pending = null;
      if (running) again = true; else run({ quietly: true });
    }, 200);
  }

  async function failure(error, signal) {
    if (error.code === "missing_index") {
      try {
        return await indexChoice(error, state, signal, chooseIndex) ?? notice("This collection has no full-text index",
          "Create one with `concord create-index NAME --full-text PROPERTY`, or use the Grep and Query views.", "error");
      } catch (other) { error = other; }
    }
    return failureNotice("The search failed", error, () => { finished = run(); });
  }

  let sortKeys = null;
  function fillSort(keys) {
    if (keys === sortKeys) return;
    sortKeys = keys;
    sort.replaceChildren(...sortOptions(keys, state.sort));
    sort.value = state.sort ?? "";
  }

  let isFirstDraw = true;
  function draw(answer, page, quietly) {
    hits = answer.hits;
    drawSummary(summary, answer);
    if (!quietly) announce(`${totalText(answer)} found`);
    const chosen = selected(state);
    replace(chips, ...remarks(answer, (q) => { input.value = q; change({ q, page: undefined }); }), ...filterChips(chosen, toggle));
    position = Math.min(position, hits.length - 1);
    list.start = (page - 1) * pageSize + 1;
    replace(list, ...(hits.length ? hits.map((hit, index) => hitItem(hit, index, state, rememberHit))
      : [h("li", { class: "empty" }, emptyNotice(answer, page, Object.values(chosen).flat().length))]));
    mark();
    drawFacets(facets, answer.facets ?? [], chosen, toggle);
    drawPages(pages, page, answer, goTo);
    if (opened !== null && isFirstDraw) select(hits.findIndex((hit) => hit.id === opened));
    isFirstDraw = false;
  }

  function toggle(key, value) { change({ f: toggled(state, key, value), page: undefined }); }

  function goTo(page) {
    change({ page: page === 1 ? undefined : page });
    window.scrollTo(0, 0);
    main.querySelector("h1").focus({ preventScroll: true });
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

  const followed = new AbortController();
  signal.addEventListener("abort", () => followed.abort());
  follow(state, followed.signal, (isOn) => {
    live.classList.toggle("on", isOn);
    live.textContent = isOn ? "live" : "connecting …";
  }, refresh);
  fillSort(noProperties.sortable);
  fillIndexes();
  finished = run();

  return {
    end() { running?.abort(); busy.end(); suggestions.end(); drafts.end(); clearTimeout(pending); },
    key(event, isTyping) {
      if (event.key === "Escape" && isTyping) { suggestions.clear(); input.blur(); return; }
      if (isTyping && event.target !== input) return;
      const step = event.key === "ArrowDown" || (!isTyping && event.key === "j") ? 1 : event.key === "ArrowUp" || (!isTyping && event.key === "k") ? -1 : 0;
      if (step) {
        event.preventDefault();
        select(Math.max(0, Math.min(hits.length - 1, position + step)));
      } else if (event.key === "Enter" && event.target === input) {
        drafts.commit();
        // The hits are those of the text in the input only after the running search.
        finished.then(() => { if (!signal.aborted) list.children[Math.max(0, position)]?.querySelector("a.title")?.click(); });
      }
    },
  };
}

/// Returns the notice for a page without documents.
function emptyNotice(answer, page, filterCount) {
  if (page > 1 && total(answer)) return notice("This page has no documents", "Go back to a page before it.");
  return notice("Nothing found", filterCount ? "Remove a filter, or use fewer words."
    : "Use fewer or different words; the Grep view searches for parts of words.");
}
