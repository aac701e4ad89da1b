// The plan of a query as a list of steps.
import { h, visible } from "./dom.js";

/// Returns the steps of a plan, with what each reads, and the SQL that the server runs.
export function drawPlan(plan) {
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
