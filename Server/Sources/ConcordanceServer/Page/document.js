// A document: its properties with all matches highlighted, its JSON, its attachments, and similar documents.
import { collectionPath, get, post, query, request } from "./api.js";
import { link, navigate } from "./app.js";
import { announce, count, h, indented, marked, notice, size, visible } from "./dom.js";

/// Calls `body` with the path and the value of each string, number, boolean, null and blob.
function leaves(value, path, body) {
  if (value && typeof value === "object" && value["@type"] !== "blob") {
    const entries = Array.isArray(value) ? value.map((one, index) => [`${path}[${index}]`, one])
      : Object.entries(value).map(([key, one]) => [path ? `${path}.${key}` : key, one]);
    for (const [name, one] of entries) leaves(one, name, body);
  } else body(path, value);
}

export function documentView(main, state, signal) {
  const path = `${collectionPath(state)}/documents/${encodeURIComponent(state.id)}`;
  const back = link({ ...state, view: "search", id: undefined, raw: undefined });
  const content = h("article", { class: "document" });
  const aside = h("aside", { class: "facets similar", "aria-label": "Similar documents" });
  const position = h("span", { class: "position" });
  const previous = h("button", { type: "button", "aria-label": "Previous match", title: "Previous match (p)", onclick: () => step(-1) }, "↑");
  const next = h("button", { type: "button", "aria-label": "Next match", title: "Next match (n)", onclick: () => step(1) }, "↓");
  const stepper = h("span", { class: "stepper", hidden: true }, position, previous, next);
  const raw = h("button", { type: "button", "aria-pressed": String(!!state.raw), onclick: () => navigate({ ...state, raw: state.raw ? undefined : "1" }, { replace: true }) }, "JSON");
  main.replaceChildren(
    h("div", { class: "bar document-bar" }, h("a", { href: back, class: "back" }, state.q ? `← Results for “${state.q}”` : "← Search"), stepper, raw),
    h("div", { class: "columns" }, content, aside));
  let marks = [];
  let current = -1;

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
    const response = await request(path, { signal });
    const text = await response.text();
    const body = JSON.parse(text);
    let matches = [];
    if (state.q && state.q.trim() !== "*") {
      const answer = await post(`${collectionPath(state)}/search`, {
        q: state.q, filter: "META().id = $id", parameters: { id: state.id }, limit: 1, snippets: 0, document: false,
      }, signal).catch(() => ({ hits: [] }));
      matches = answer.hits[0]?.matches ?? [];
    }
    const byField = Map.groupBy ? Map.groupBy(matches, (one) => one.field) : matches.reduce((map, one) => map.set(one.field, [...(map.get(one.field) ?? []), one]), new Map());
    const title = [body.title, body.name].find((one) => typeof one === "string" && one) ?? state.id.split("/").pop();
    const titleField = body.title === title ? "title" : body.name === title ? "name" : "";
    document.title = `${title} · Concordance`;
    content.replaceChildren(
      h("h1", { dir: "auto" }, ...marked(title, byField.get(titleField))),
      h("div", { class: "path" }, ...visible(state.id), h("span", { class: "revision" }, `revision ${(response.headers.get("ETag") ?? "").replace(/^W\/|"/g, "")}`)),
      state.raw ? h("pre", { class: "raw", tabIndex: 0 }, ...visible(indented(text))) : properties(body, byField, titleField));
    marks = [...content.querySelectorAll("mark")];
    stepper.hidden = !marks.length;
    position.textContent = count(marks.length, "match").replace(/matchs$/, "matches");
    const similar = await get(`${path}/similar${query({ limit: 6, document: undefined })}`, signal).catch(() => ({ hits: [] }));
    if (!similar.hits.length) return;
    aside.replaceChildren(h("h2", {}, "Similar documents"), h("ul", {}, similar.hits.map((hit) => h("li", {},
      h("a", { href: link({ view: "document", db: state.db, c: state.c, id: hit.id }) }, ...visible(hit.title ?? hit.id.split("/").pop())),
      h("div", { class: "path" }, ...visible(hit.id))))));
  }

  function properties(body, byField, titleField) {
    const rows = [];
    const texts = [];
    leaves(body, "", (name, value) => {
      if (name === titleField) return;
      if (value && typeof value === "object") rows.push([name, attachment(name, value)]);
      else if (typeof value === "string" && (value.length > 120 || value.includes("\n"))) {
        texts.push(h("section", {}, texts.length || name !== "text" ? h("h2", {}, ...visible(name)) : null,
          h("div", { class: "text", dir: "auto" }, ...marked(value, byField.get(name)))));
      } else rows.push([name, h("span", { class: typeof value, dir: "auto" }, ...marked(String(value), typeof value === "string" ? byField.get(name) : []))]);
    });
    return h("div", {}, rows.length ? h("dl", {}, rows.map(([name, node]) => h("div", {}, h("dt", {}, ...visible(name)), h("dd", {}, node)))) : null, texts);
  }

  function attachment(name, blob) {
    const target = /^[^.[\]]+$/.test(name) ? `${path}/blobs/${encodeURIComponent(name)}`
      : `/databases/${encodeURIComponent(state.db)}/blobs/${encodeURIComponent(blob.digest)}`;
    const button = h("button", {
      type: "button", class: "attachment", onclick: async () => {
        // The content is fetched, because a link cannot send a token.
        const url = URL.createObjectURL(new Blob([await (await request(target)).arrayBuffer()]));
        h("a", { href: url, download: name.replace(/[^\w.-]/g, "_") }).click();
        setTimeout(() => URL.revokeObjectURL(url), 10000);
      },
    }, "⤓ ", ...visible(blob.content_type ?? "attachment"), h("small", {}, size(blob.length ?? 0)));
    return button;
  }

  load().catch((error) => {
    if (!signal.aborted) content.replaceChildren(notice(error.status === 404 ? "There is no such document" : "The document cannot be read", error.message, "error"));
  });
  return {
    key(event, isTyping) {
      if (isTyping) return;
      if (event.key === "n") step(1);
      else if (event.key === "p") step(-1);
      else if (event.key === "Escape") location.hash = back;
    },
  };
}
