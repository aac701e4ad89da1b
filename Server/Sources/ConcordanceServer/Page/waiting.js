// What a view shows while it waits for the server, and if the server does not respond.
import { Problem } from "./api.js";
import { announce, h, notice } from "./dom.js";

// An answer within this time needs no message, which would only flicker.
const patience = 300;

/// Returns an object that marks results as those of an earlier request while the next one takes long.
///
/// results: the element with the results.
/// summary: the element whose text is replaced meanwhile, such as by "Searching …".
export function waiting(results, summary) {
  let timer = null, previous = null, shown = null;
  return {
    /// Starts to wait. Does nothing if the view is waiting already, so that a user who types on sees the message too.
    begin(text) {
      timer ??= setTimeout(() => {
        previous = [...summary.childNodes];
        shown = document.createTextNode(text);
        summary.replaceChildren(shown);
        results.setAttribute("aria-busy", "true");
        results.classList.add("stale");
        announce(text);
      }, patience);
    },
    /// Ends to wait. A summary that nobody replaced belongs to the results that are still shown.
    end() {
      clearTimeout(timer);
      timer = null;
      results.removeAttribute("aria-busy");
      results.classList.remove("stale");
      if (shown?.parentNode === summary) summary.replaceChildren(...previous);
    },
  };
}

/// Returns a message for an error of `fetch` with a button to try again.
export function noResponse(error, retry) {
  const detail = error.name === "TimeoutError" ? "No answer arrived in time." : error.message;
  return notice("The server does not respond", detail, "error", h("button", { type: "button", onclick: retry }, "Try again"));
}

/// Returns a message for an error of a request. Errors of the server are problems; `fetch` throws other errors.
export const failureNotice = (title, error, retry) =>
  error instanceof Problem ? notice(title, error.message, "error") : noResponse(error, retry);
