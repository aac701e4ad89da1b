// Facets: the properties of a collection that are useful as filters, the selected values, and their controls.
import { collectionPath, post } from "./api.js";
import { h, number, replace, visible } from "./dom.js";

/// The properties of a collection without documents.
export const noProperties = { facets: [], sortable: [] };
const samples = new Map();

/// Returns the properties of a collection that are useful as facets and for sorting. The sample of documents is taken once,
/// even if the user types or leaves before it is complete, and again if it failed or was empty.
export function properties(state) {
  const path = `${collectionPath(state)}/search`;
  const key = JSON.stringify([path, state.index]);
  if (!samples.has(key)) {
    const sample = sampledProperties(path, state.index);
    samples.set(key, sample);
    sample.then((result) => { if (result === noProperties) samples.delete(key); }, () => samples.delete(key));
  }
  return samples.get(key);
}

async function sampledProperties(path, index) {
  // The sample is taken at several positions, because documents with neighbouring ids often have the same properties.
  const sample = (offset) => post(path, { q: "*", index, limit: 25, offset, snippets: 0 });
  const start = await sample(0);
  const offsets = (start.totalHits ?? 0) > 100 ? [0.25, 0.5, 0.75].map((part) => Math.min(10000, Math.floor(start.totalHits * part))) : [];
  const hits = [start, ...await Promise.all(offsets.map(sample))].flatMap((one) => one.hits);
  if (!hits.length) return noProperties;
  const seen = new Map();
  for (const { document } of hits) {
    for (const [key, value] of Object.entries(document)) {
      const isShort = typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value.length <= 40);
      if (!isShort || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) continue;
      const one = seen.get(key) ?? { n: 0, values: new Set(), number: typeof value === "number" };
      one.n += 1;
      one.values.add(value);
      one.time ||= typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value);
      seen.set(key, one);
    }
  }
  const all = [...seen].filter(([, one]) => one.n >= hits.length * 0.05);
  return {
    // A time, or a property with mostly different values, such as a name, is not a category.
    facets: all.filter(([, one]) => !one.number && !one.time && one.n > 1 && one.values.size <= Math.max(2, one.n * 0.5)).map(([key]) => key).slice(0, 6),
    sortable: all.map(([key]) => key).slice(0, 12),
  };
}

/// Returns the selected values of each facet. Ignores what a user changed in the URL by mistake.
export function selected(state) {
  try { return Object.fromEntries(Object.entries(JSON.parse(state.f ?? "{}")).filter(([, values]) => Array.isArray(values))); } catch { return {}; }
}

/// Returns the selected values of a state after a value was selected or deselected, as a parameter of the URL.
export function toggled(state, key, value) {
  const chosen = selected(state);
  const values = chosen[key] ?? [];
  chosen[key] = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  if (!chosen[key].length) delete chosen[key];
  return Object.keys(chosen).length ? JSON.stringify(chosen) : undefined;
}

/// Shows the values of facets as check boxes.
export function drawFacets(aside, all, chosen, toggle) {
  const shown = all.filter((facet) => chosen[facet.property] || facet.values.length > 1);
  replace(aside, ...shown.map((facet) => h("fieldset", {}, h("legend", {}, facet.property),
    facet.values.slice(0, 8).map(({ value, count }) => h("label", {},
      h("input", { type: "checkbox", "data-key": JSON.stringify([facet.property, value]), checked: chosen[facet.property]?.includes(value) ?? false, onchange: () => toggle(facet.property, value) }),
      h("span", { class: "value" }, ...visible(String(value))), h("span", { class: "count" }, number(count)))),
    facet.values.length > 8 || facet.otherValueCount ? h("small", {}, `${number(Math.max(0, facet.values.length - 8) + (facet.otherValueCount || 0))} other values`) : null)));
}

/// Returns a button for each selected value, which removes it.
export function filterChips(chosen, toggle) {
  return Object.entries(chosen).flatMap(([key, values]) => values.map((value) => h("button", {
    type: "button", class: "chip", "data-key": JSON.stringify([key, value]), "aria-label": `Remove filter ${key}: ${value}`, onclick: () => toggle(key, value),
  }, ...visible(key), ": ", h("b", {}, ...visible(String(value))), h("span", { "aria-hidden": "true" }, "×"))));
}

/// Returns the options of the menu that sorts hits by a property.
export function sortOptions(keys, chosen) {
  const options = [["", "Relevance"], ...keys.flatMap((key) => [[`\`${key}\``, `${key} ↑`], [`\`${key}\` DESC`, `${key} ↓`]])];
  if (chosen && !options.some(([value]) => value === chosen)) options.push([chosen, chosen]);
  return options.map(([value, label]) => h("option", { value }, label));
}
