// The rows of a query as a table.
import { isNumber } from "./api.js";
import { h, visible, visibleText } from "./dom.js";
import { documentColumns } from "./projection.js";

// Documents may have thousands of different properties, and a table has a cell for each of them in each row.
const maximumColumns = 100;

const isObject = (value) => value && typeof value === "object" && !Array.isArray(value) && !isNumber(value);

/// Returns the columns of a table: a name and a function that returns the value of a row. Properties of documents that `*`
/// selects are separate columns; if their name is that of another column, it follows that of the document.
function tableColumns(query, names, rows) {
  const documents = documentColumns(query, names);
  const properties = new Map(documents.map((name) => [name, new Set(rows.flatMap((row) => (isObject(row[name]) ? Object.keys(row[name]) : [])))]));
  // How many columns would have a name without that of the document.
  const uses = new Map();
  for (const name of [...names.filter((one) => !properties.has(one)), ...[...properties.values()].flatMap((keys) => [...keys])]) uses.set(name, (uses.get(name) ?? 0) + 1);
  return names.flatMap((name) => {
    if (!properties.get(name)?.size) return { name, value: (row) => row[name] };
    return [...properties.get(name)].map((key) => ({
      name: uses.get(key) > 1 ? `${name}.${key}` : key,
      value: (row) => (isObject(row[name]) && Object.hasOwn(row[name], key) ? row[name][key] : undefined),
    }));
  });
}

function cell(value) {
  if (value === undefined) return h("td", { class: "missing" });
  if (value === null) return h("td", { class: "null" }, "null");
  if (isNumber(value)) return h("td", { class: "number" }, value.rawJSON ?? String(value));
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return h("td", { class: typeof value, title: shown.length > 200 ? undefined : visibleText(shown) }, h("div", { dir: "auto" }, ...visible(shown.length > 300 ? `${shown.slice(0, 300)}…` : shown)));
}

/// Returns a table of rows, and the number of columns that it leaves out.
export function rowTable(query, names, rows) {
  const all = tableColumns(query, names, rows);
  const columns = all.slice(0, maximumColumns);
  const head = columns.map(({ name, value }) => {
    const first = rows.map(value).find((one) => one !== undefined && one !== null);
    return h("th", { scope: "col", class: isNumber(first) ? "number" : undefined }, ...visible(name));
  });
  const body = rows.map((row) => h("tr", {}, columns.map(({ value }) => cell(value(row)))));
  const element = h("div", { class: "table", tabIndex: 0, role: "region", "aria-label": "Rows" },
    h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)));
  return { element, hiddenCount: all.length - columns.length };
}
