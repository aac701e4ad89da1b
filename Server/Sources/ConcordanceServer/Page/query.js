// The SQL++ console: rows as a table, the plan, errors at their position, history.
import { request } from "./api.js";
import { navigate } from "./app.js";
import { announce, count, h, heading, notice, unitOffset, visible } from "./dom.js";
import { drawPlan } from "./plan.js";
import { readRows } from "./rows.js";
import { rowTable } from "./table.js";
import { failureNotice, waiting } from "./waiting.js";

const maximumRows = 1000;
// The number of characters of all rows.
const maximumText = 20_000_000;
const historyKey = "concordance-history";
const stored = () => { try { return JSON.parse(localStorage.getItem(historyKey)) ?? []; } catch { return []; } };

export function queryView(main, state, signal) {
  const path = `/databases/${encodeURIComponent(state.db)}/query`;
  const source = state.c === "_default._default" ? "_" : state.c.split(".").map((part) => `\`${part}\``).join(".").replace(/^`_default`\./, "");
  const text = state.q ?? `SELECT META().id, *\nFROM ${source}\nLIMIT 20`;
  let running = null;
  const editor = h("textarea", { value: text, spellcheck: false, autocapitalize: "off", "aria-label": "SQL++ query", "data-focus": true, rows: 5, oninput: () => underline(null) });
  const backdrop = h("pre", { "aria-hidden": "true" });
  const summary = h("div", { class: "summary" });
  const output = h("div", { class: "output" });
  const past = h("select", { "aria-label": "History", onchange: () => { if (past.value) { editor.value = past.value; underline(null); editor.focus(); } past.value = ""; } });
  main.replaceChildren(heading("Query"),
    h("div", { class: "bar console" },
      h("div", { class: "editor" }, backdrop, editor),
      h("div", { class: "options" },
        h("button", { type: "button", class: "primary", title: "Ctrl+Enter", onclick: () => run("rows") }, "Run"),
        h("button", { type: "button", onclick: () => run("explain") }, "Explain"),
        h("button", { type: "button", onclick: download }, "Download NDJSON"), past)),
    h("section", { class: "results wide", "aria-label": "Results" }, h("div", { class: "line" }, summary), output));
  const busy = waiting(output, summary);
  fillHistory();

  function fillHistory() {
    past.replaceChildren(h("option", { value: "" }, "History"), ...stored().map((one) => h("option", { value: one }, one.replace(/\s+/g, " ").slice(0, 80))));
  }

  function remember(q) {
    try { localStorage.setItem(historyKey, JSON.stringify([q, ...stored().filter((one) => one !== q)].slice(0, 50))); } catch { /* The storage is full or disabled. */ }
    fillHistory();
  }

  /// Underlines a range of the query, in bytes.
  function underline(range) {
    if (!range) { backdrop.replaceChildren(); return; }
    const q = editor.value;
    const start = unitOffset(q, range.start), end = Math.max(unitOffset(q, range.end), start + 1);
    backdrop.replaceChildren(q.slice(0, start), h("span", { class: "mistake" }, q.slice(start, end) || " "), q.slice(end));
    backdrop.scrollTop = editor.scrollTop;
  }
  editor.addEventListener("scroll", () => { backdrop.scrollTop = editor.scrollTop; });

  const send = (body, isLimited = false) =>
    request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal: running.signal, isLimited });

  /// Writes a query to the URL. Another query is another entry of the history, so that Back shows the query before.
  function write(q, mode) {
    const isSame = q === (state.q ?? "").trim();
    state = { ...state, q, mode };
    navigate(state, { replace: isSame, render: false });
  }

  async function run(mode) {
    running?.abort();
    const own = running = new AbortController();
    const q = editor.value.trim();
    if (!q) { busy.end(); return; }
    underline(null);
    write(q, mode === "explain" ? mode : undefined);
    busy.begin("Running …");
    const start = performance.now();
    try {
      if (mode === "explain") {
        const plan = await (await send({ query: q, explain: true }, true)).json();
        summary.textContent = "Query plan";
        output.replaceChildren(drawPlan(plan));
        announce("Plan shown");
      } else await rows(q, own, start);
      remember(q);
    } catch (error) {
      if (own.signal.aborted) return;
      summary.replaceChildren();
      // Positions refer to the text that was sent.
      const shift = new TextEncoder().encode(editor.value.slice(0, editor.value.indexOf(q))).length;
      if (error.position) underline({ start: error.position.start + shift, end: error.position.end + shift });
      output.replaceChildren(failureNotice(error.code === "invalid_query" ? "The query is invalid" : "The query failed", error, () => run(mode)));
    } finally {
      if (running === own) busy.end();
    }
  }

  async function rows(q, own, start) {
    const found = [];
    let length = 0, isCut = false;
    const { columns, warnings } = await readRows(await send({ query: q, format: "json" }), (row, size) => {
      isCut = found.length >= maximumRows || length + size > maximumText;
      if (isCut || own.signal.aborted) return false;
      found.push(row);
      length += size;
      return true;
    });
    if (own.signal.aborted) return;
    const { element, hiddenCount } = rowTable(q, columns, found);
    const left = hiddenCount ? `; ${count(hiddenCount, "column")} not shown` : "";
    summary.replaceChildren(h("strong", {}, isCut ? `the first ${count(found.length, "row")}` : count(found.length, "row")), h("span", { class: "time" }, ` in ${Math.round(performance.now() - start)} ms${left}`));
    announce(count(found.length, "row"));
    output.replaceChildren(...warnings.map((one) => h("p", { class: "correction" }, ...visible(one))), found.length ? element : notice(isCut ? "The first row is too long for the page" : "No rows"));
  }

  async function download() {
    running?.abort();
    const own = running = new AbortController();
    busy.end();
    try {
      const response = await send({ query: editor.value, format: "ndjson" });
      const url = URL.createObjectURL(await response.blob());
      h("a", { href: url, download: "rows.ndjson" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    } catch (error) {
      if (own.signal.aborted) return;
      if (error.position) underline(error.position);
      output.replaceChildren(failureNotice("The query failed", error, download));
    }
  }

  signal.addEventListener("abort", () => running?.abort());
  if (state.q) run(state.mode === "explain" ? "explain" : "rows");
  return {
    end() { running?.abort(); busy.end(); },
  };
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches(".editor textarea")) {
    event.preventDefault();
    document.querySelector(".console .primary").click();
  }
});
