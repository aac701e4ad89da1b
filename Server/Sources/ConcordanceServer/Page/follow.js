// Follows the changes of a collection, even over lost connections.
import { chunks, collectionPath, lines, request } from "./api.js";

// The server sends a comment every 15 seconds. Without one, the connection is lost, which the browser may not notice.
const silence = 40000;

/// Calls `body` with each server-sent event. Does not use `EventSource`, which cannot send a token.
async function events(path, signal, body, onOpen, onChunk) {
  let name = "message", data = "";
  const response = await request(path, { signal });
  onOpen();
  await lines(chunks(response, onChunk), (line) => {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
    else if (line === "" && data) { body(name, JSON.parse(data)); data = ""; }
  });
}

/// Returns after the first of the events, the time, or the end of the signal.
const pause = (signal, time, ...names) => new Promise((resolve) => {
  const done = new AbortController();
  const end = () => { clearTimeout(timer); done.abort(); resolve(); };
  const timer = time && setTimeout(end, time);
  for (const name of names) (name === "visibilitychange" ? document : window).addEventListener(name, end, { signal: done.signal });
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
      await pause(signal, null, "visibilitychange");
      continue;
    }
    const own = new AbortController();
    const abort = () => own.abort();
    const stop = () => { if (document.hidden || signal.aborted) abort(); };
    document.addEventListener("visibilitychange", stop, { signal: own.signal });
    signal.addEventListener("abort", stop, { signal: own.signal });
    // Connections do not survive a change of the network. A server on this computer is reached without a network, so the
    // next attempt is made even if the browser is offline.
    for (const name of ["online", "offline"]) window.addEventListener(name, abort, { signal: own.signal });
    let watchdog = setTimeout(abort, silence);
    const isAlive = () => { clearTimeout(watchdog); watchdog = setTimeout(abort, silence); };
    try {
      await events(`${collectionPath(state)}/changes?feed=events&since=now`, own.signal, (name) => {
        // A server that answers with an error event at once must not be asked again every second.
        if (name === "error") wait = Math.max(wait, failedWait);
        else if (name === "change") body();
      }, () => {
        failedWait = wait;
        wait = 1000;
        isAlive();
        onState(true);
        if (mayHaveMissed) body();
      }, isAlive);
    } catch { /* The connection was lost, or the page is hidden or ended. */ }
    clearTimeout(watchdog);
    onState(false);
    mayHaveMissed = true;
    if (own.signal.aborted) continue;
    own.abort();
    await pause(signal, wait, "online");
    wait = Math.min(wait * 2, 30000);
  }
}
