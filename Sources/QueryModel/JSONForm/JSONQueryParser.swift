public import JSONText

/// Parses the JSON form of queries, the JSON Query Schema of LiteCore.
///
/// ```swift
/// let parser = JSONQueryParser()
/// let query = try parser.parse(#"{"WHAT": [[".name"]], "WHERE": ["=", [".type"], "hotel"], "LIMIT": 10}"#)
/// ```
///
/// An expression is a literal or an operation: an array of its name and its operands. A query is an object, an
/// operation `SELECT` with that object as its operand, or any other operation, which becomes the `WHERE` of the query.
///
/// | operation | SQL++ |
/// |---|---|
/// | `"text"`, `12`, `true`, `null`, `{"key": x}` | literals |
/// | `["[]", x, y]`, `["MISSING"]` | `[x, y]`, `MISSING` |
/// | `[".a.b[0]"]`, `[".", "a", "b", [0]]` | `a.b[0]`; `.`, `[` and `\` inside a key are escaped with a backslash in the first form |
/// | `["."]`, `[".h."]` | `*`, `h.*` |
/// | `["._id"]`, `[".h._id"]`, `["META()", "h"]` | `META().id`, `META(h).id`, `META(h)`; also `_sequence`, `_deleted`, `_expiration`, `_revisionID` |
/// | `["$name"]`, `["?v.a"]`, `["_.a.b", x]` | `$name`, the variable `v.a`, `(x).a.b`; path components may be separate operands, `["?", "v", "a"]` |
/// | `["+", x, y]` and the other operators | `x + y`; `+`, `*`, `\|\|`, `AND` and `OR` accept more than two operands |
/// | `["IN", x, ["[]", y]]`, `["BETWEEN", x, y, z]`, `["LIKE", x, y]`, `["EXISTS", x]` | also with `NOT` before the name |
/// | `["IS", x, y]`, `["IS NOT", x, y]`, `["IS VALUED", x]` | |
/// | `["CASE", x, when, then, …, else]` | `null` for a missing `x`, `["NULL"]` for the null value |
/// | `["ANY", "v", array, x]` | also `EVERY`, `ANY AND EVERY` |
/// | `["COLLATE", {"UNICODE": true, "LOCALE": "de", "CASE": false, "DIAC": false}, x]` | |
/// | `["LOWER()", x]`, `["COUNT()", ["DISTINCT", x]]` | functions |
/// | `["MATCH()", "h.index", x]`, `["RANK()", "index"]` | |
///
/// The keys of a query are `WHAT` (expressions, or `["AS", x, "name"]`), `DISTINCT`, `FROM` (objects with `COLLECTION`
/// or `UNNEST`, `AS`, `JOIN` and `ON`), `WHERE`, `GROUP_BY`, `HAVING`, `ORDER_BY` (expressions, or `["DESC", x]`),
/// `LIMIT`, `OFFSET`. Without `WHAT`, the query returns the id and the sequence; without `FROM`, it reads the default
/// collection. Operations, functions and these keys are case-insensitive.
///
/// A list of expressions that begins with a string such as `".name"` is an error, because `[[".name"]]` was probably
/// meant. To return the string itself, write `["LITERAL", ".name"]`.
///
/// Extensions to the schema: `LITERAL`, `NULLS FIRST` and `NULLS LAST` after `ASC` and `DESC`, `"JOIN": "LEFT UNNEST"`,
/// an empty `FROM` for a query without documents, and `["NULL"]`.
///
/// Source: <https://github.com/couchbase/couchbase-lite-core/wiki/JSON-Query-Schema>
public struct JSONQueryParser: Sendable {
  /// Creates a parser.
  public init() {}

  /// Parses the JSON text of a query.
  ///
  /// - Throws: ``JSONQueryError`` with the path of the error.
  public func parse(_ text: String) throws(JSONQueryError) -> SelectQuery {
    try parse(try value(of: text))
  }

  /// Parses the JSON value of a query.
  ///
  /// - Throws: ``JSONQueryError`` with the path of the error.
  public func parse(_ value: JSONValue) throws(JSONQueryError) -> SelectQuery {
    var reader = JSONQueryReader()
    return try reader.query(value)
  }

  /// Parses the JSON value of an expression, as in the definition of an index.
  ///
  /// - Parameter sources: the sources whose names the expression may use, as in `FROM`.
  /// - Throws: ``JSONQueryError`` with the path of the error.
  public func parseExpression(
    _ value: JSONValue, sources: [QuerySource] = []
  ) throws(JSONQueryError) -> QueryExpression {
    var reader = JSONQueryReader()
    reader.names = SourceNames(of: sources)
    return try reader.expression(LocatedJSON(value))
  }

  private func value(of text: String) throws(JSONQueryError) -> JSONValue {
    // Checked before the JSON is parsed, because the JSON parser is recursive as well. The limit is 16 higher, because
    // clauses add brackets around their expressions.
    guard Self.depth(of: text) <= SQLParser.maximumDepth + 16 else {
      throw JSONQueryError("the query is nested more than \(SQLParser.maximumDepth) levels deep", at: [])
    }
    do {
      return try JSONParser.withShared { JSONValue(try $0.parse(utf8: text)) }
    } catch {
      throw JSONQueryError("this is not JSON: \(error)", at: [])
    }
  }

  /// Returns the greatest number of brackets that are open at the same time.
  private static func depth(of text: String) -> Int {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text.utf8 {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isInString { (depth, deepest) = (depth + 1, max(deepest, depth + 1)) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { depth -= 1 }
      default: break
      }
    }
    return deepest
  }
}

/// An error in the JSON form of a query.
///
/// ```
/// JSON query, at WHERE[2][1]: there is no operation "=>"
/// ```
public struct JSONQueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path to the error from the root; empty for the query as a whole.
  public let path: PropertyPath
  /// A description of the error.
  public let reason: String

  init(_ reason: String, at path: [PropertyPath.Component]) {
    self.path = PropertyPath(path)
    self.reason = reason
  }

  /// The error with its path.
  public var description: String {
    path.components.isEmpty ? "JSON query: \(reason)" : "JSON query, at \(path): \(reason)"
  }
}
