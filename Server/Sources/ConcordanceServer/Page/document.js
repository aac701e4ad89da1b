// A document: its properties with all matches highlighted, its JSON, its attachments, and similar documents.
import { collectionPath, isNumber, parseExactly, post, request } from "./api.js";
import { link, navigate } from "./app.js";
import { announce, count, h, indented, marked, size, titleOf, visible, visibleText } from "./dom.js";
import { indexChoice } from "./indexes.js";
import { isOpenedFromResults, searchLink } from "./opened.js";
import { failureNotice } from "./waiting.js";

const isBlob = (value) => value["@type"] === "blob" && typeof value.digest === "string";

/// Calls `body` with the path and the value of each string, number, boolean, null and blob.
function leaves(value, path, body) {
  if (value && typeof value === "object" && !isBlob(value) && !isNumber(value)) {
    const entries = Array.isArray(value) ? value.map((one, index) => [`${path}[${index}]`, one])
      : Object.entries(value).map(([key, one]) => [path ? `${path}.${key}` : key, one]);
    for (const [name, one] of entries) leaves(one, name, body);
  } else body(path, value);
}

export function documentView(main, state, signal) {
  const path = `${collectionPath(state)}/documents/${encodeURIComponent(state.id)}`;
  const back = searchLink(state);
  if (isOpenedFromResults()) history.replaceState({ followsResults: true }, "");
  const title = h("h1", { dir: "auto", tabIndex: -1 }, ...visible(titleOf(null, state.id)));
  const identity = h("div", { class: "path" }, ...visible(state.id));
  const remark = h("p", { class: "remark", role: "status" });
  const body = h("div");
  const content = h("article", { class: "document" }, title, identity, remark, body);
  const aside = h("aside", { class: "facets similar", "aria-label": "Similar documents" });
  const position = h("span", { class: "position" });
  const previous = h("button", { type: "button", "aria-label": "Previous match", title: "Previous match (p)", onclick: () => step(-1) }, "↑");
  const next = h("button", { type: "button", "aria-label": "Next match", title: "Next match (n)", onclick: () => step(1) }, "↓");
  const stepper = h("span", { class: "stepper", hidden: true }, position, previous, next);
  const raw = h("button", { type: "button", onclick: () => {
    state = { ...state, raw: state.raw ? undefined : "1" };
    navigate(state, { replace: true, render: false });
    draw();
  } }, "JSON");
  main.replaceChildren(
    h("div", { class: "bar document-bar" }, h("a", { href: back, class: "back" }, ...visible(state.q ? `← Results for “${state.q}”` : "← Search")), stepper, raw),
    h("div", { class: "columns" }, content, aside));
  let marks = [];
  let current = -1;
  let text = "", properties = {}, byField = new Map();

  function step(by) {
    if (!marks.length) return;
    marks[current]?.classList.remove("current");
    current = (current + by + marks.length) % marks.length;
    marks[current].classList.add("current");
    marks[current].scrollIntoView({ block: "center" });
    position.textContent = `${current + 1} of ${count(marks.length, "match").replace(/matchs$/, "matches")}`;
    announce(`match ${position.textContent}`);
  }

  async function load() {
    const response = await request(path, { signal, isLimited: true });
    text = await response.text();
    properties = parseExactly(text);
    identity.replaceChildren(...visible(state.id), h("span", { class: "revision" }, `revision ${(response.headers.get("ETag") ?? "").replace(/^W\/|"/g, "")}`));
    byField = Map.groupBy(await matches(), (one) => one.field);
    draw();
    await loadSimilar();
  }

  async function matches() {
    if (!state.q || state.q.trim() === "*") return [];
    try {
      const answer = await post(`${collectionPath(state)}/search`, {
        q: state.q, index: state.index, filter: "META().id = $id", parameters: { id: state.id }, limit: 1, snippets: 0, document: false,
      }, signal);
      return answer.hits[0]?.matches ?? [];
    } catch (error) {
      if (signal.aborted) throw error;
      remark.replaceChildren(...visible(`Matches are not highlighted: ${error.message}`));
      return [];
    }
  }

  function draw() {
    const name = ["title", "name"].find((one) => typeof properties[one] === "string" && properties[one].trim());
    if (name) title.replaceChildren(...marked(properties[name], byField.get(name)));
    document.title = `${visibleText(titleOf(name && properties[name], state.id))} · Concordance`;
    raw.setAttribute("aria-pressed", String(!!state.raw));
    body.replaceChildren(state.raw ? h("pre", { class: "raw", tabIndex: 0 }, ...visible(indented(text))) : table(name));
    marks = [...content.querySelectorAll("mark")];
    current = -1;
    stepper.hidden = !marks.length;
    position.textContent = count(marks.length, "match").replace(/matchs$/, "matches");
  }

  async function loadSimilar() {
    let found = null;
    try {
      const { hits } = await post(`${collectionPath(state)}/search`, { like: state.id, index: state.index, limit: 6, snippets: 0, document: false }, signal);
      if (hits.length) found = h("ul", {}, hits.map((hit) => h("li", {},
        h("a", { href: link({ view: "document", db: state.db, c: state.c, id: hit.id, index: state.index }) }, ...visible(titleOf(hit.title, hit.id))),
        h("div", { class: "path" }, ...visible(hit.id)))));
    } catch (error) {
      if (signal.aborted) throw error;
      // A collection without a full-text index has no similar documents.
      found = error.code === "missing_index" ? await indexChoice(error, state, signal, (index) => navigate({ ...state, index }, { replace: true }))
        : h("p", { class: "remark" }, ...visible(error.message));
    }
    if (found) aside.replaceChildren(h("h2", {}, "Similar documents"), found);
  }

  /// Returns the properties except the title: short values in a list, then long texts.
  function table(titleField) {
    const rows = [];
    const texts = [];
    leaves(properties, "", (name, value) => {
      if (name === titleField) return;
      if (isNumber(value)) rows.push([name, h("span", { class: "number" }, value.rawJSON ?? String(value))]);
      else if (value && typeof value === "object") rows.push([name, attachment(name, value)]);
      else if (typeof value === "string" && (value.length > 120 || value.includes("\n"))) {
        texts.push(h("section", {}, texts.length || name !== "text" ? h("h2", {}, ...visible(name)) : null,
          h("div", { class: "text", dir: "auto" }, ...marked(value, byField.get(name)))));
      } else if (typeof value === "string") rows.push([name, h("span", { dir: "auto" }, ...marked(value, byField.get(name)))]);
      else rows.push([name, h("span", { class: value === null ? "null" : "boolean" }, String(value))]);
    });
    return h("div", {}, rows.length ? h("dl", {}, rows.map(([name, node]) => h("div", {}, h("dt", {}, ...visible(name)), h("dd", {}, node)))) : null, texts);
  }

  function attachment(name, blob) {
    const target = /^[^.[\]]+$/.test(name) ? `${path}/blobs/${encodeURIComponent(name)}`
      : `/databases/${encodeURIComponent(state.db)}/blobs/${encodeURIComponent(blob.digest)}`;
    const button = h("button", {
      type: "button", class: "attachment", onclick: async () => {
        try {
          // The content is fetched, because a link cannot send a token.
          const url = URL.createObjectURL(new Blob([await (await request(target, { signal })).arrayBuffer()]));
          h("a", { href: url, download: name.replace(/[^\w.-]/g, "_") }).click();
          setTimeout(() => URL.revokeObjectURL(url), 10000);
        } catch (error) {
          if (!signal.aborted) button.after(h("p", { class: "mistaken", role: "alert" }, ...visible(error.message)));
        }
      },
    }, "⤓ ", ...visible(typeof blob.content_type === "string" ? blob.content_type : "attachment"),
    typeof blob.length === "number" ? h("small", {}, size(blob.length)) : null);
    return button;
  }

  const start = () => load().catch((error) => {
    if (!signal.aborted) body.replaceChildren(failureNotice(error.status === 404 ? "There is no such document" : "The document cannot be read", error, start));
  });
  start();
  return {
    key(event, isTyping) {
      if (isTyping) return;
      if (event.key === "n") step(1);
      else if (event.key === "p") step(-1);
      else if (event.key !== "Escape") return;
      // The results are not added to the history again if they are the entry before.
      else if (history.state?.followsResults) history.back();
      else location.hash = back;
    },
  };
}
