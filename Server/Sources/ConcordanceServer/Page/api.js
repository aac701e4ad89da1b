// Requests to the server.
import { codePoint } from "./dom.js";

/// An error of the server: problem+json of RFC 9457.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `status ${status}`);
    this.status = status;
    this.code = body.code;
    this.position = body.position;
  }
}

const tokenKey = "concordance-token";
let login = null;
let cancelledLogins = 0;

/// Returns the stored token; null if there is none, or if it has characters that `fetch` does not accept in a header.
function storedToken() {
  const token = sessionStorage.getItem(tokenKey);
  return /^[!-~]+$/.test(token ?? "") ? token : null;
}

/// Returns what is wrong with a token; null if it can be sent.
function tokenError(token) {
  if (!token) return "Enter a token.";
  const other = token.match(/[^!-~]/u);
  return other && `The token contains the character ${codePoint(other[0])}. Tokens consist of printable ASCII characters without spaces; copy the token again.`;
}

/// Asks for a token and returns whether one was entered. Waiting requests share one dialog. If the user closes the dialog,
/// the event `tokenrequired` is sent, and requests that are still running fail instead of asking again.
function askForToken(reason) {
  login ??= new Promise((resolve) => {
    const dialog = document.getElementById("login");
    const form = dialog.querySelector("form");
    const input = document.getElementById("token");
    const message = document.getElementById("token-error");
    const check = (event) => {
      if (event.submitter?.value === "cancel") return;
      const error = tokenError(input.value.trim());
      message.textContent = error ?? "";
      if (error) event.preventDefault();
    };
    message.textContent = reason;
    form.addEventListener("submit", check);
    dialog.addEventListener("close", () => {
      form.removeEventListener("submit", check);
      const isEntered = dialog.returnValue === "ok";
      if (isEntered) sessionStorage.setItem(tokenKey, input.value.trim());
      else {
        cancelledLogins += 1;
        document.dispatchEvent(new Event("tokenrequired"));
      }
      input.value = "";
      login = null;
      resolve(isEntered);
    }, { once: true });
    dialog.returnValue = "";
    dialog.showModal();
  });
  return login;
}

// The time for a request whose answer is expected soon. It is more than the server's default limit of queries.
const timeLimit = 60000;

/// Sends a request and returns the response. Asks for a token if the server requires one.
///
/// isLimited: whether the request fails if the answer is not complete after a time; for answers that are not streams. The time
///   does not include the one in which the user enters a token.
export async function request(path, options = {}) {
  const { isLimited, ...rest } = options;
  const token = storedToken();
  const cancelled = cancelledLogins;
  const headers = { ...rest.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const signals = [rest.signal, isLimited && AbortSignal.timeout(timeLimit)].filter(Boolean);
  const response = await fetch(path, { ...rest, headers, signal: AbortSignal.any(signals) });
  if (response.status === 401) {
    // A token may have been entered since this request was sent.
    const isEntered = token !== storedToken()
      || (cancelled === cancelledLogins && await askForToken(token ? "The server does not accept this token." : ""));
    if (!isEntered) throw new Problem(401, { detail: "a token is required" });
    return request(path, options);
  }
  if (!response.ok) {
    const text = await response.text();
    let body = {};
    try { body = JSON.parse(text); } catch { body = { detail: text }; }
    throw new Problem(response.status, body);
  }
  return response;
}

export const get = async (path, signal) => (await request(path, { signal, isLimited: true })).json();

export const post = async (path, body, signal) =>
  (await request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal, isLimited: true })).json();

export const query = (parameters) => {
  const text = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "" && value !== false)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");
  return text ? `?${text}` : "";
};

export const collectionPath = (state) =>
  `/databases/${encodeURIComponent(state.db)}/collections/${encodeURIComponent(state.c)}`;

/// Parses JSON. A number that JavaScript would write with different digits, such as 9007199254740993 or 1.0, becomes a raw
/// JSON value (`JSON.isRawJSON`). Browsers without `JSON.rawJSON` (before 2025) round such numbers.
export const parseExactly = (text) => JSON.parse(text, (_, value, context) =>
  typeof value === "number" && context?.source && JSON.rawJSON && String(value) !== context.source ? JSON.rawJSON(context.source) : value);

/// Whether a value that `parseExactly` returned is a number.
export const isNumber = (value) => typeof value === "number" || (JSON.isRawJSON?.(value) ?? false);

/// Yields the text of a streamed response in parts, and calls `onChunk` for each. Cancels the response if the loop ends early.
export async function* chunks(response, onChunk = () => {}) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const read = () => reader.read().catch((error) => {
    if (error.name === "AbortError") throw error;
    // The server did respond, so this is not an error of `fetch`.
    throw new Problem(response.status, { detail: `the answer ended early: ${error.message}` });
  });
  try {
    for (;;) {
      const { value, done } = await read();
      if (done) return;
      onChunk();
      yield value;
    }
  } finally {
    // Does nothing at the end of the response. An error of the response was already thrown by `read`.
    reader.cancel().catch(() => {});
  }
}

/// Calls `body` with each line of a text that arrives in parts. Ends early if `body` returns false.
export async function lines(parts, body) {
  let rest = "";
  for await (const part of parts) {
    const all = part.split("\n");
    // Only the new part is searched, because a line may consist of thousands of parts.
    all[0] = rest + all[0];
    rest = all.pop();
    for (const line of all) if (body(line) === false) return;
  }
  if (rest) body(rest);
}
