// Suggestions for the last word of a query.
import { collectionPath, get, query } from "./api.js";
import { h, number, replace, visible } from "./dom.js";

/// Returns a list of suggestions, which is empty at first.
///
/// choose: called with the text of a suggestion when the user selects it.
export function suggestionList(choose) {
  const element = h("div", { class: "suggestions", role: "group", "aria-label": "Suggestions" });
  let running = null;

  return {
    element,
    /// Requests and shows the suggestions for a query.
    async show(state, q) {
      running?.abort();
      running = new AbortController();
      if (!q.trim() || /\s$/.test(q)) { element.replaceChildren(); return; }
      try {
        const answer = await get(`${collectionPath(state)}/suggest${query({ q, limit: 6, index: state.index })}`, running.signal);
        replace(element, ...answer.suggestions.filter((one) => one.text !== q).map((one) => h("button", {
          type: "button", onclick: () => { element.replaceChildren(); choose(one.text); },
        }, ...visible(one.text), h("small", {}, number(one.documentCount)))));
      } catch { /* A later keystroke replaced the request, or the search shows the same error. */ }
    },
    clear() { element.replaceChildren(); },
    end() { running?.abort(); },
  };
}
