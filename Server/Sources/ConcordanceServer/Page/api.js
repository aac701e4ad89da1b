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

/// Sends a request and returns the response. Asks for a token if the server requires one.
export async function request(path, options = {}) {
  const token = storedToken();
  const cancelled = cancelledLogins;
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(path, { ...options, headers });
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

export const get = async (path, signal) => (await request(path, { signal })).json();

export const post = async (path, body, signal) =>
  (await request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal })).json();

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

/// Calls `body` with each line of a streamed response. Cancels the response if `body` returns false or throws an error.
export async function lines(response, body) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const line of parts) if (body(line) === false) return;
    }
    if (rest) body(rest);
  } finally {
    // Does nothing at the end of the response. An error of the response was already thrown by `read`.
    reader.cancel().catch(() => {});
  }
}

/// Calls `body` with each server-sent event. Does not use `EventSource`, which cannot send a token.
export async function events(path, signal, body, onOpen = () => {}) {
  let name = "message", data = "";
  const response = await request(path, { signal });
  onOpen();
  await lines(response, (line) => {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
    else if (line === "" && data) { body(name, JSON.parse(data)); data = ""; }
  });
}

/// Returns after the page has become visible or hidden, or the signal was aborted.
const visibilityChange = (signal) => new Promise((resolve) => {
  const done = new AbortController();
  const end = () => { done.abort(); resolve(); };
  document.addEventListener("visibilitychange", end, { signal: done.signal });
  signal.addEventListener("abort", end, { signal: done.signal });
});

/// Calls `body` after changes of a collection until the signal is aborted. Reconnects after errors, and then calls `body`,
/// because changes may have been missed in between. Does not keep a connection while the page is hidden, because browsers
/// open at most six HTTP/1.1 connections to a server for all tabs.
export async function follow(state, signal, onState, body) {
  // `failedWait` is the time before the next attempt if the stream that was just opened only reports an error.
  let wait = 1000, failedWait = 1000, mayHaveMissed = false;
  while (!signal.aborted) {
    if (document.hidden) {
      mayHaveMissed = true;
      await visibilityChange(signal);
      continue;
    }
    const own = new AbortController();
    const stop = () => { if (document.hidden || signal.aborted) own.abort(); };
    document.addEventListener("visibilitychange", stop, { signal: own.signal });
    signal.addEventListener("abort", stop, { signal: own.signal });
    try {
      await events(`${collectionPath(state)}/changes?feed=events&since=now`, own.signal, (name) => {
        // A server that answers with an error event at once must not be asked again every second.
        if (name === "error") wait = Math.max(wait, failedWait);
        else if (name === "change") body();
      }, () => {
        failedWait = wait;
        wait = 1000;
        onState(true);
        if (mayHaveMissed) body();
      });
    } catch { /* The connection was lost, or the page is hidden or ended. */ }
    onState(false);
    mayHaveMissed = true;
    if (own.signal.aborted) continue;
    own.abort();
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, 30000);
  }
}
