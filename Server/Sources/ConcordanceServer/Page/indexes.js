// The full-text indexes of a collection as a choice.
import { collectionPath, get } from "./api.js";
import { announce, h, notice, visible } from "./dom.js";

/// Returns the names of the full-text indexes of a collection.
export async function fullTextIndexes(state, signal) {
  const { indexes } = await get(`${collectionPath(state)}/indexes`, signal);
  return indexes.filter((one) => one.kind === "full-text").map((one) => one.name);
}

/// Returns a message for the error `missing_index` with a button for each full-text index of the collection; null if there
/// are none.
export async function indexChoice(error, state, signal, choose) {
  const names = await fullTextIndexes(state, signal);
  if (!names.length) return null;
  announce("Choose a full-text index");
  return notice("Choose a full-text index", error.message, "", ...names.map((name) =>
    h("button", { type: "button", "data-index": name, onclick: () => choose(name) }, ...visible(name))));
}
