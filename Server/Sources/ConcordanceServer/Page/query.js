// The SQL++ console: rows as a table, the plan, errors at their position, history.
import { isNumber, lines, parseExactly, request } from "./api.js";
import { navigate } from "./app.js";
import { announce, count, h, heading, notice, number, unitOffset, visible, visibleText } from "./dom.js";

const maximumRows = 1000;
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

  const send = (body) => request(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal: running.signal });

  async function run(mode) {
    running?.abort();
    const own = running = new AbortController();
    const q = editor.value.trim();
    if (!q) return;
    underline(null);
    navigate({ ...state, q, mode: mode === "explain" ? mode : undefined }, { replace: true, render: false });
    const start = performance.now();
    try {
      if (mode === "explain") {
        const plan = await (await send({ query: q, explain: true })).json();
        summary.textContent = "Query plan";
        output.replaceChildren(drawPlan(plan));
        announce("Plan shown");
      } else await rows(q, own, start);
      remember(q);
    } catch (error) {
      if (own.signal.aborted) return;
      summary.textContent = "";
      // Positions refer to the text that was sent.
      const shift = new TextEncoder().encode(editor.value.slice(0, editor.value.indexOf(q))).length;
      if (error.position) underline({ start: error.position.start + shift, end: error.position.end + shift });
      output.replaceChildren(notice(error.code === "invalid_query" ? "The query is invalid" : "The query failed", error.message, "error"));
    }
  }

  /// Returns the row with the properties of `*` as separate columns.
  function flat(row) {
    const keys = Object.keys(row).filter((key) => row[key] && typeof row[key] === "object" && !Array.isArray(row[key]) && !isNumber(row[key]));
    if (keys.length !== 1 || !/\*/.test(editor.value)) return row;
    const { [keys[0]]: properties, ...others } = row;
    return { ...properties, ...others };
  }

  async function rows(q, own, start) {
    const response = await send({ query: q, format: "ndjson" });
    const head = h("tr"), body = h("tbody");
    const columns = [];
    let total = 0;
    await lines(response, (line) => {
      if (own.signal.aborted) return false;
      total += 1;
      if (total > maximumRows) return false;
      const row = flat(parseExactly(line));
      for (const key of Object.keys(row)) if (!columns.includes(key)) { columns.push(key); head.append(h("th", { scope: "col", class: isNumber(row[key]) ? "number" : undefined }, ...visible(key))); }
      body.append(h("tr", {}, columns.map((key) => cell(row[key]))));
      return true;
    });
    if (own.signal.aborted) return;
    const isCut = total > maximumRows;
    summary.replaceChildren(h("strong", {}, isCut ? `the first ${number(maximumRows)} rows` : count(total, "row")), h("span", { class: "time" }, ` in ${Math.round(performance.now() - start)} ms`));
    announce(`${count(Math.min(total, maximumRows), "row")}`);
    output.replaceChildren(total ? h("div", { class: "table", tabIndex: 0, role: "region", "aria-label": "Rows" }, h("table", {}, h("thead", {}, head), body)) : notice("No rows"));
  }

  function cell(value) {
    if (value === undefined) return h("td", { class: "missing" });
    if (value === null) return h("td", { class: "null" }, "null");
    if (isNumber(value)) return h("td", { class: "number" }, value.rawJSON ?? String(value));
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return h("td", { class: typeof value, title: shown.length > 200 ? undefined : visibleText(shown) }, h("div", { dir: "auto" }, ...visible(shown.length > 300 ? `${shown.slice(0, 300)}…` : shown)));
  }

  function drawPlan(plan) {
    const nodes = plan.steps.map((step) => {
      const facts = Object.entries(step).filter(([key, value]) => !["source", "access", "collection", "unusedIndexes"].includes(key)
        && value !== false && value !== null && !(Array.isArray(value) && !value.length));
      return h("li", { class: `step ${step.access === "scan" ? "scan" : "index"}` },
        h("div", { class: "access" }, h("b", {}, ...visible(step.access.replace(/([A-Z])/g, " $1").toLowerCase())), " ", ...visible(step.collection ?? ""),
          step.source && step.source !== "_" ? h("small", {}, " AS ", ...visible(step.source)) : null),
        facts.map(([key, value]) => h("div", { class: "fact" }, h("span", {}, key.replace(/([A-Z])/g, " $1").toLowerCase()), " ",
          ...visible(value === true ? "yes" : Array.isArray(value) ? value.map((one) => typeof one === "string" ? one : JSON.stringify(one)).join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value)))),
        (step.unusedIndexes ?? []).map((one) => h("div", { class: "unused" }, ...visible(`index ${one.name} is not used: ${one.reason}`))));
    });
    const last = [plan.filters?.length ? ["filter", plan.filters.join(" AND ")] : null, plan.isSorted ? ["sort", "rows are sorted"] : null, ["result", "rows"]].filter(Boolean);
    return h("div", { class: "plan" },
      h("ol", {}, nodes, last.map(([name, detail]) => h("li", { class: "step" }, h("div", { class: "access" }, h("b", {}, name), " ", ...visible(detail))))),
      (plan.notes ?? []).map((note) => h("p", {}, ...visible(note))),
      h("details", {}, h("summary", {}, "SQL of SQLite"), h("pre", {}, ...visible(plan.sql ?? ""), "\n\n", ...visible((plan.sqlitePlan ?? []).join("\n")))));
  }

  async function download() {
    running?.abort();
    const own = running = new AbortController();
    try {
      const response = await send({ query: editor.value, format: "ndjson" });
      const url = URL.createObjectURL(await response.blob());
      h("a", { href: url, download: "rows.ndjson" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    } catch (error) {
      if (own.signal.aborted) return;
      if (error.position) underline(error.position);
      output.replaceChildren(notice("The query failed", error.message, "error"));
    }
  }

  signal.addEventListener("abort", () => running?.abort());
  if (state.q) run(state.mode === "explain" ? "explain" : "rows");
  return {
    end() { running?.abort(); },
  };
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches(".editor textarea")) {
    event.preventDefault();
    document.querySelector(".console .primary").click();
  }
});
