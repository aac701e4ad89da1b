// The last search and the hit that was opened, for the way back from a document.
import { link } from "./app.js";

let last = {};
// The URL of a document that a click on a hit opens.
let opening = null;

export function rememberSearch(state) { last = { state }; }

/// Remembers the hit that a click opens. A hit that opens in another tab does not change this one.
export function rememberHit(id, event) {
  last.id = id;
  if (!event.ctrlKey && !event.metaKey && !event.shiftKey) opening = event.currentTarget.hash;
}

/// Returns the id of the hit that was opened if the URL is that of the last search.
export const openedHit = () => (last.id !== undefined && searchLink(last.state) === location.hash ? last.id : null);

/// Whether the document of the URL was just opened from the results, which are then the entry before in the history.
export function isOpenedFromResults() {
  const isOpened = opening === location.hash;
  opening = null;
  return isOpened;
}

/// Returns the URL of the search that led to a document, with its page, filters and order.
export function searchLink(state) {
  const isLast = last.state && ["db", "c", "q", "index"].every((key) => (last.state[key] ?? "") === (state[key] ?? ""));
  return link({ ...(isLast ? last.state : { db: state.db, c: state.c, q: state.q, index: state.index }), view: "search" });
}
