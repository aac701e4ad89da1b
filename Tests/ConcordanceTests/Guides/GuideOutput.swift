import Concordance
import Testing

/// Records the output of the examples of a guide, in the form of `print`.
final class GuideOutput {
  private(set) var lines: [String] = []

  func print(_ items: [Any]) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
}

/// The rows of a query, as JSON.
func rows(of query: Query) throws -> [String] { try query.execute().map { $0.toJSON() } }

/// The text of a column in every row, in the order of the result.
func column(_ key: String, of query: Query) throws -> [String] {
  try query.execute().map { $0.string(forKey: key) ?? "-" }
}
