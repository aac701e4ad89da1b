// The menu of databases and collections.
import { get } from "./api.js";
import { h, visibleText } from "./dom.js";

const menu = document.getElementById("source");
// The collections that are in the menu, and whether all databases have answered.
let known = [], isComplete = false;

const value = (db, c) => JSON.stringify([db, c.includes(".") ? c : `_default.${c}`]);
const has = (state) => [...menu.options].some((one) => one.value === value(state.db, state.c));
const label = (db, c) => {
  const short = c.replace(/^_default\./, "");
  return short === "_default" ? db : `${db} · ${short}`;
};

async function load() {
  const { databases } = await get("/databases");
  const answers = await Promise.allSettled(databases.map(({ name }) => get(`/databases/${encodeURIComponent(name)}/collections`)));
  const groups = databases.map(({ name }, index) => ({ name, error: answers[index].reason, collections: answers[index].value?.collections ?? [] }));
  const failed = groups.filter(({ error }) => error);
  // An error of one database does not prevent the use of the others.
  if (failed.length && failed.length === groups.length) throw failed[0].error;
  menu.replaceChildren(...groups.map(({ name, error, collections }) =>
    h("optgroup", { label: error ? `${name}: ${visibleText(error.message)}` : name, disabled: !!error }, error ? h("option", { disabled: true }, "not available")
      : collections.map((one) => h("option", { value: value(name, one.name) }, label(name, one.name))))));
  known = groups.flatMap(({ name, collections }) => collections.map((one) => ({ db: name, c: one.name, n: one.documentCount })));
  isComplete = !failed.length;
}

/// Fills the menu and returns the database and collection of a state; null if the server has none. If a state names none, they
/// are those of the largest collection, because the default collection is often empty.
export async function chosenSource(state) {
  // Databases that were not available, and collections that other programs have created since, are looked up.
  const isLoaded = isComplete && known.length > 0;
  if (!isLoaded) await load();
  const fits = (one) => (!state.db || one.db === state.db) && (!state.c || value(one.db, one.c) === value(one.db, state.c));
  if (isLoaded && !known.some(fits)) await load();
  if (!known.length) return null;
  const [largest] = known.filter(fits).sort((a, b) => b.n - a.n);
  return { db: state.db || (largest ?? known[0]).db, c: state.c || (largest?.c ?? "_default._default") };
}

/// Shows the collection of a state as the chosen one.
export function showSource(state) {
  menu.querySelector("[data-missing]")?.remove();
  if (!has(state)) {
    menu.append(h("option", { value: value(state.db, state.c), disabled: true, "data-missing": true }, visibleText(`${label(state.db, state.c)} (not found)`)));
  }
  menu.value = value(state.db, state.c);
}
