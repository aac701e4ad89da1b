// What the search view shows of an answer: its summary, corrections, hits and pages.
import { link } from "./app.js";
import { count, h, marked, number, replace, titleOf, visible } from "./dom.js";

/// The number of hits on a page.
export const pageSize = 20;

/// Returns the number of documents, or the number that there are at least.
export const total = (answer) => answer.totalHits ?? answer.estimatedTotalHits;

/// Returns the number of documents as text: `at least 3 documents`.
export function totalText(answer) {
  return `${answer.totalHits === undefined ? "at least " : ""}${count(total(answer), "document")}`;
}

/// Shows the number of documents and the time.
export function drawSummary(line, answer) {
  const time = answer.processingTimeMs;
  line.replaceChildren(
    h("strong", {}, totalText(answer)),
    h("span", { class: "time" }, ` in ${time < 10 ? time.toFixed(1) : Math.round(time)} ms`));
}

/// Returns paragraphs for the correction, the suggestion and the warnings of an answer.
export function remarks(answer, search) {
  const correction = answer.relaxed
    ? h("p", { class: "correction" }, answer.relaxed.anyWord ? "No document contains all of the words. " : "",
      "Showing results for ", h("b", {}, ...visible(answer.relaxed.query)), ".")
    : answer.suggestedQuery
      ? h("p", { class: "correction" }, "Did you mean ", h("button", { type: "button", class: "text", "data-key": "suggestion", onclick: () => search(answer.suggestedQuery) },
        ...visible(answer.suggestedQuery)), "?") : null;
  const messages = [answer.notice, ...(answer.warnings ?? [])].filter(Boolean);
  return [correction, ...messages.map((one) => h("p", { class: "correction" }, ...visible(one)))].filter(Boolean);
}

/// Returns a list item for a hit.
export function hitItem(hit, index, state, open) {
  const target = link({ view: "document", db: state.db, c: state.c, id: hit.id, q: state.q, index: state.index });
  const [first] = hit.snippets;
  return h("li", { class: "hit" },
    h("a", { href: target, class: "title", dir: "auto", id: `hit-${index}`, "data-key": hit.id, onclick: (event) => open(hit.id, event) }, ...visible(titleOf(hit.title, hit.id))),
    h("div", { class: "path" }, ...visible(hit.id), first && first.line > 1 ? h("span", {}, `:${first.line}`) : null),
    hit.snippets.filter((one) => one.text).map((snippet) => h("p", { dir: "auto" },
      snippet.continuesBefore ? "…\u00a0" : "", ...marked(snippet.text, snippet.matches), snippet.continuesAfter ? "\u00a0…" : "")));
}

/// Shows the buttons for the previous and the next page; nothing if there is only one page.
export function drawPages(bar, page, answer, go) {
  const isExact = answer.totalHits !== undefined;
  const last = Math.ceil(total(answer) / pageSize);
  const hasNext = isExact ? page < last : answer.hits.length === pageSize;
  if (page === 1 && !hasNext) { replace(bar); return; }
  replace(bar,
    h("button", { type: "button", disabled: page === 1, onclick: () => go(page - 1) }, "← Previous"),
    h("span", {}, isExact ? `Page ${number(page)} of ${number(last)}` : `Page ${number(page)}`),
    h("button", { type: "button", disabled: !hasNext, onclick: () => go(page + 1) }, "Next →"));
}
