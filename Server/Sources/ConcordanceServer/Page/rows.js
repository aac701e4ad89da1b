// The rows of a query, read from a JSON text while it arrives.
import { chunks, parseExactly, Problem } from "./api.js";

/// Reads `{"columns":[…],"rows":[{…},…],"warnings":[…]}`. The text may be longer than the page can hold, so it is divided
/// into values while it arrives, and the response is cancelled if `onRow` returns false. Returns the columns and warnings.
///
/// onRow: called with each row and the number of its characters.
export async function readRows(response, onRow) {
  // The lists in the order in which the server writes them; that of the rows stays empty.
  const lists = [];
  let text = "", position = 0, start = 0, depth = 0, isString = false;
  const token = /["\\[\]{}]/g;
  for await (const chunk of chunks(response)) {
    text += chunk;
    token.lastIndex = position;
    for (let match; (match = token.exec(text));) {
      const [character] = match;
      if (isString) {
        // The character after a backslash does not end the string.
        if (character === "\\") token.lastIndex += 1;
        else if (character === '"') isString = false;
      } else if (character === '"') isString = true;
      else if (character === "{" || character === "[") {
        depth += 1;
        // Values of the object are at depth 2, and rows at depth 3.
        if (depth === 2 || depth === 3) start = match.index;
      } else {
        depth -= 1;
        const end = match.index + 1;
        if (depth === 2 && onRow(parseExactly(text.slice(start, end)), end - start) === false) return result(lists);
        if (depth === 1) lists.push(lists.length === 1 ? [] : JSON.parse(text.slice(start, end)));
        // The text of a value that was read is not needed any more.
        if (depth === 1 || depth === 2) start = end;
      }
      // An escaped character may be the first of the next chunk.
      position = token.lastIndex;
    }
    position = Math.max(position, text.length);
    text = text.slice(start);
    position -= start;
    start = 0;
  }
  if (depth !== 0 || !lists.length) throw new Problem(0, { detail: "the answer is not complete" });
  return result(lists);
}

const result = ([columns, , warnings = []]) => ({ columns, warnings });
