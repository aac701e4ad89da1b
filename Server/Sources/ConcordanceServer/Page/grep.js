// Lines that match a regular expression, shown as they are found.
import { chunks, collectionPath, lines, query, request } from "./api.js";
import { link } from "./app.js";
import { announce, count, h, heading, notice, titleOf, visible } from "./dom.js";
import { draftHistory } from "./drafts.js";
import { excerpt, excerptNodes } from "./excerpt.js";
import { failureNotice, waiting } from "./waiting.js";

const maximumFiles = 300;
const maximumLines = 100;
// The number of characters of all lines.
const maximumText = 2_000_000;

export function grepView(main, initial, signal) {
  let state = { ...initial };
  let running = null;
  let timer = null;
  const drafts = draftHistory(state);
  const pattern = h("input", {
    type: "search", value: state.pattern ?? "", placeholder: "Regular expression", autocomplete: "off", spellcheck: false, "data-focus": true,
    "aria-label": "Regular expression", class: "mono", oninput: () => change({ pattern: pattern.value }, true), onchange: () => drafts.commit(),
  });
  const toggle = (key, label, title) => h("button", {
    type: "button", class: "toggle", title, "aria-label": title, "aria-pressed": String(!!state[key]),
    onclick: (event) => {
      change({ [key]: state[key] ? undefined : "1" });
      event.currentTarget.setAttribute("aria-pressed", String(!!state[key]));
    },
  }, label);
  const files = h("input", {
    value: state.files ?? "", placeholder: "Files, such as docs,src/a", "aria-label": "Prefixes of ids, separated by commas", class: "files",
    oninput: () => change({ files: files.value }, true), onchange: () => drafts.commit(),
  });
  const context = h("select", { "aria-label": "Lines of context", onchange: () => change({ context: context.value }) },
    [["0", "no context"], ["", "2 lines of context"], ["5", "5 lines of context"]].map(([value, label]) => h("option", { value }, label)));
  context.value = state.context ?? "";
  const summary = h("div", { class: "summary" });
  const output = h("div", { class: "grep" });
  main.replaceChildren(heading("Grep"),
    h("div", { class: "bar" },
      h("div", { class: "searchbox" }, pattern, toggle("exact", "Aa", "Match case"), toggle("word", "W", "Whole words"), toggle("literal", "Plain", "Plain text instead of a regular expression")),
      h("div", { class: "options" }, files, context)),
    h("section", { class: "results wide", "aria-label": "Results" }, h("div", { class: "line" }, summary), output));
  const busy = waiting(output, summary);
  if (!state.pattern) pattern.focus();

  function change(changes, typing = false) {
    state = { ...state, ...changes };
    if (typing) drafts.type(state); else drafts.choose(state);
    clearTimeout(timer);
    timer = setTimeout(run, typing ? 150 : 0);
  }

  async function run() {
    running?.abort();
    const own = running = new AbortController();
    if (!state.pattern) { busy.end(); output.replaceChildren(); summary.textContent = ""; return; }
    const around = state.context ?? "2";
    const groups = [];
    let section = null, body = null, shown = 0, last = 0, skipped = 0, isFirst = true, shownText = 0;
    busy.begin("Searching …");
    const append = (element) => {
      if (isFirst) { busy.end(); output.replaceChildren(); isFirst = false; }
      output.append(element);
    };
    const begin = (id) => {
      body = h("div", { class: "lines" });
      shown = 0; skipped = 0; last = 0;
      section = h("section", { class: "file" }, h("h2", {}, h("a", { href: link({ view: "document", db: state.db, c: state.c, id }) }, ...visible(titleOf(id, id))), h("small")), body);
      append(section);
      groups.push(id);
      summary.textContent = `${count(groups.length, "file")} …`;
    };
    const add = ({ type, data }) => {
      const { lines: { text }, line_number: line, submatches } = data;
      if (shown >= maximumLines) { skipped += type === "match" ? 1 : 0; return; }
      if (last && line > last + 1) body.append(h("div", { class: "gap", "aria-hidden": "true" }, "⋯"));
      const part = excerpt(text.replace(/\r?\n$/, ""), submatches);
      shownText += part.text.length;
      body.append(h("div", { class: type }, h("span", { class: "number" }, String(line ?? "")), h("code", {}, ...excerptNodes(part))));
      // A match may span lines.
      last = (line ?? 0) + Math.max(0, text.replace(/\n$/, "").split("\n").length - 1);
      shown += 1;
    };
    try {
      const response = await request(`${collectionPath(state)}/grep${query({
        pattern: state.pattern, case: state.exact ? "sensitive" : "smart", word: state.word && "true", literal: state.literal && "true",
        before: around, after: around, files: state.files, limit: maximumFiles,
      })}`, { signal: own.signal });
      await lines(chunks(response), (line) => {
        if (own.signal.aborted) return false;
        if (shownText > maximumText) {
          append(notice("The other lines are not shown", `The page shows ${count(maximumText, "character")} at most; use a narrower pattern.`));
          summary.textContent = `the first ${count(groups.length, "file")}`;
          announce("The other lines are not shown");
          return false;
        }
        const message = JSON.parse(line);
        if (message.type === "begin") begin(message.data.path.text);
        else if (message.type === "match" || message.type === "context") add(message);
        else if (message.type === "end") {
          section.querySelector("small").textContent = count(message.data.stats.matched_lines, "line");
          if (skipped) body.append(h("div", { class: "gap" }, `${count(skipped, "more line")} match`));
        } else if (message.type === "summary") {
          const { stats, elapsed_total: time } = message.data;
          if (isFirst) append(notice("No line matches", "Patterns are regular expressions of PCRE2."));
          summary.replaceChildren(h("strong", {}, `${count(stats.matched_lines, "line")} in ${count(stats.searches_with_match, "file")}`),
            h("span", { class: "time" }, ` in ${Math.round(time.secs * 1000 + time.nanos / 1e6)} ms${stats.searches_with_match >= maximumFiles ? "; the search stopped there" : ""}`));
          announce(`${count(stats.matched_lines, "line")} found`);
        } else if (message.type === "error" && message.data.code === "too_many_lines") {
          body.append(h("div", { class: "gap" }, "The other lines are left out; use a narrower pattern."));
        } else if (message.type === "error") {
          // Other documents are still searched after this error, and the lines of a search that ends early are kept.
          const isOneDocument = message.data.code === "pattern_too_costly";
          append(notice(isOneDocument ? "A document could not be searched" : "The search ended early", message.data.detail, "error"));
          if (!isOneDocument) summary.textContent = `${count(groups.length, "file")}; the search ended early`;
        }
        return true;
      });
    } catch (error) {
      if (own.signal.aborted) return;
      const message = failureNotice(error.code === "invalid_query" ? "The pattern is malformed" : "The search failed", error, run);
      summary.replaceChildren();
      if (groups.length) output.append(message); else output.replaceChildren(message);
    } finally {
      if (running === own) busy.end();
    }
  }

  signal.addEventListener("abort", () => running?.abort());
  run();
  return { end() { running?.abort(); busy.end(); drafts.end(); clearTimeout(timer); } };
}
