import JSONText
import QueryModel
import QueryOracle
import Testing

/// A line of a truth table: an expression in SQL++ and its value, MISSING or JSON.
struct Truth: CustomTestStringConvertible, Sendable {
  let expression: String
  let expected: String

  init(_ expression: String, _ expected: String) {
    self.expression = expression
    self.expected = expected
  }

  var testDescription: String { expression }
}

/// Checks lines against one document that has a property of every type and no property `none`.
func check(_ table: [Truth], sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
  let database = try database([
    "docs": [
      #"{"i": 3, "d": 2.5, "one": 1.0, "s": "abc", "t": true, "f": false, "z": null, "a": [1, null, "x"], "e": [], "o": {"k": 1, "l": [5, 6]}}"#
    ]
  ])
  for line in table {
    let rows = try database.evaluate(SQLParser().parse("SELECT \(line.expression) FROM docs")).rows
    #expect(rows.first?.first?.description == line.expected, "\(line.expression)", sourceLocation: sourceLocation)
  }
}

/// Creates a database of documents with the ids `1`, `2` and so on in each collection.
func database(_ texts: [String: [String]]) throws -> OracleDatabase {
  OracleDatabase(
    try texts.mapValues { texts in
      try texts.enumerated().map { try OracleDocument(id: "\($0 + 1)", text: $1, sequence: Int64($0 + 1)) }
    })
}

/// Returns the rows of a query as text: values separated by spaces, rows separated by commas.
func answer(
  _ sql: String, _ database: OracleDatabase, parameters: [String: JSONValue] = [:]
) throws -> String {
  try database.evaluate(SQLParser().parse(sql), parameters: parameters).rows.map { row in
    row.map(\.description).joined(separator: " ")
  }.joined(separator: ", ")
}
