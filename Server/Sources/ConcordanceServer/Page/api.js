// Requests to the server.

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

/// Asks for a token. Waiting requests share one dialog.
function askForToken() {
  login ??= new Promise((resolve) => {
    const dialog = document.getElementById("login");
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(tokenKey, document.getElementById("token").value.trim());
      login = null;
      resolve();
    }, { once: true });
    dialog.showModal();
  });
  return login;
}

/// Sends a request and returns the response. Asks for a token if the server requires one.
export async function request(path, options = {}) {
  const token = sessionStorage.getItem(tokenKey);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(path, { ...options, headers });
  if (response.status === 401) {
    await askForToken();
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

/// Calls `body` with each line of a streamed response.
export async function lines(response, body) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const line of parts) if (body(line) === false) { reader.cancel(); return; }
  }
  if (rest) body(rest);
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

/// Calls `body` after changes of a collection until the signal is aborted. Reconnects after errors, and then calls `body`,
/// because changes may have been missed in between.
export async function follow(state, signal, onState, body) {
  let wait = 1000, isFirst = true;
  while (!signal.aborted) {
    try {
      onState(true);
      await events(`${collectionPath(state)}/changes?feed=events&since=now`, signal, (name) => {
        wait = 1000;
        if (name === "change") body();
      }, () => {
        if (!isFirst) body();
        isFirst = false;
      });
    } catch { /* The connection was lost, or the signal is aborted. */ }
    onState(false);
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, 30000);
  }
}
