// Databases, collections and indexes with live counters.
import { get, Problem } from "./api.js";
import { link } from "./app.js";
import { h, heading, notice, number, replace, size, visible } from "./dom.js";

function duration(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86400 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86400).toFixed(1)} days`;
}

export function overviewView(main, state, signal) {
  const counters = h("div", { class: "counters" });
  const databases = h("div", { class: "databases" });
  main.replaceChildren(heading("Overview"), counters, databases);
  let previous = null, timer = null, drawn = "", failure = null;

  function counter(label, value) { return h("div", {}, h("b", {}, value), h("span", {}, label)); }

  async function load() {
    try {
      const stats = await get("/stats", signal);
      const rate = previous ? (stats.requests.total - previous.requests.total) / Math.max(0.001, stats.uptime - previous.uptime) : null;
      previous = stats;
      failure = null;
      const documents = stats.databases.flatMap((one) => one.collections).reduce((sum, one) => sum + one.documentCount, 0);
      counters.replaceChildren(
        counter("documents", number(documents)), counter("on disk", size(stats.databases.reduce((sum, one) => sum + one.size + one.walSize, 0))),
        counter("requests", number(stats.requests.total)), counter("requests per second", rate === null ? "–" : rate.toFixed(1)), counter("uptime", duration(stats.uptime)));
      const text = JSON.stringify(stats.databases);
      if (text !== drawn) {
        drawn = text;
        replace(databases, ...stats.databases.map(card));
      }
    } catch (error) {
      // A message that is drawn again would be announced again.
      if (!signal.aborted && error.message !== failure) {
        failure = error.message;
        counters.replaceChildren(notice(error instanceof Problem ? "The server reports an error" : "The server does not respond", error.message, "error"));
      }
    }
    if (!signal.aborted) timer = setTimeout(load, 2000);
  }

  function card(database) {
    return h("section", { class: "card" },
      h("h2", {}, ...visible(database.name), h("small", {}, `${size(database.size)}${database.walSize ? `, write-ahead log ${size(database.walSize)}` : ""}${database.isReadOnly ? ", read-only" : ""}`)),
      database.error ? notice("The database is not available", database.error.detail, "error") : h("div", { class: "table" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Collection"), h("th", { scope: "col", class: "number" }, "Documents"), h("th", { scope: "col" }, "Indexes"))),
        h("tbody", {}, database.collections.map((one) => h("tr", {},
          h("td", {}, h("a", { "data-key": JSON.stringify([database.name, one.name]), href: link({ view: "search", db: database.name, c: one.name }) }, ...visible(one.name))),
          h("td", { class: "number" }, number(one.documentCount)),
          h("td", {}, ...one.indexes.map(indexBadge), ...one.building.map(buildBadge),
            one.indexes.length + one.building.length ? null : h("span", { class: "null" }, "none"))))))));
  }

  function buildBadge(build) {
    const progress = build.documentCount === undefined ? "waiting" : `${number(build.indexedCount)} of ${number(build.documentCount)} documents`;
    return h("span", { class: "badge" }, h("b", {}, ...visible(build.name)), ` being built: ${progress}`);
  }

  function indexBadge(index) {
    const problem = index.isIncomplete ? "incomplete" : index.isOutdated ? "outdated" : "";
    return h("span", { class: `badge ${problem ? "bad" : ""}`, title: index.fields.join(", ") }, h("b", {}, ...visible(index.name)), ` ${index.kind}, ${size(index.size)}${problem ? `, ${problem}` : ""}`);
  }

  load();
  return { end() { clearTimeout(timer); } };
}
