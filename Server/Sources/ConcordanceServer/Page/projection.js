// Which columns of a query are whole documents.

// Strings, quoted names and comments, which are not searched for keywords; words; and single characters.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[^]*?\*\/|[\p{L}\p{N}_$]+|[^\s]/gu;

/// Returns the projections of the first SELECT, each as a list of tokens.
function projections(query) {
  const items = [[]];
  let depth = 0;
  const tokens = query.match(token)?.filter((one) => !/^(--|\/\*)/.test(one)) ?? [];
  const isKeyword = (one, ...names) => names.includes(one.toUpperCase());
  const first = tokens.findIndex((one) => isKeyword(one, "SELECT"));
  for (const one of first < 0 ? [] : tokens.slice(first + 1)) {
    if (/^[([{]$/.test(one)) depth += 1;
    if (/^[)\]}]$/.test(one)) depth -= 1;
    if (depth === 0 && isKeyword(one, "FROM")) break;
    if (depth === 0 && one === ",") items.push([]);
    else if (items.length > 1 || items[0].length || !isKeyword(one, "DISTINCT", "ALL")) items.at(-1).push(one);
  }
  return items;
}

/// Returns the names of the columns that `*` and `alias.*` select.
///
/// `*` selects a document of each source of the query, and each other projection is one column, so the columns can be
/// assigned to the projections.
export function documentColumns(query, columns) {
  const items = projections(query);
  const isAll = (item) => item.length === 1 && item[0] === "*";
  const isDocument = (item) => isAll(item) || (item.length === 3 && item[1] === "." && item[2] === "*");
  const others = items.filter((item) => !isAll(item)).length;
  const stars = items.length - others;
  const sources = stars ? (columns.length - others) / stars : 0;
  if (!Number.isInteger(sources) || sources < 0) return [];
  const wholes = items.flatMap((item) => Array(isAll(item) ? sources : 1).fill(isDocument(item)));
  return columns.filter((_, index) => wholes[index]);
}
