import JSONText
import QueryModel

extension RandomQueryCase {
  /// Describes the fault in another engine's result, with all the data needed to reproduce it; returns nil if the
  /// result is correct.
  ///
  /// - Parameters:
  ///   - rows: the rows of the result.
  ///   - columnNames: the names of its columns, or nil if they are not to be checked.
  /// - Throws: ``OracleError``; never for a case created from its seed.
  public func mismatch(with rows: [[OracleValue]], columnNames: [String]? = nil) throws -> String? {
    let expected = try answer()
    let names = expected.columns.map(\.name)
    if let columnNames, columnNames != names {
      return report("columns \(columnNames), expected \(names)", expected.rows, rows)
    }
    return expected.difference(from: rows, isOrdered: true).map { report($0, expected.rows, rows) }
  }

  /// The query, its parameters and the documents of its collections.
  public var summary: String {
    let parameters = self.parameters.keys.sorted().map { "$\($0) = \(self.parameters[$0]?.text ?? "")" }
    var lines = ["seed \(seed) (\(shape)): \(SQLPrinter().text(of: query))"]
    if !parameters.isEmpty { lines.append("with " + parameters.joined(separator: ", ")) }
    let names = Set(
      query.sources.compactMap { source -> String? in
        guard case .collection(let path) = source.content else { return nil }
        return path.fullName
      })
    for name in names.sorted() {
      lines.append("\(name):")
      lines += (documents[name] ?? []).map { "  \($0.id)  \(RandomQueryCase.cut($0.value.description))" }
    }
    return lines.joined(separator: "\n")
  }

  private func report(_ fault: String, _ expected: [[OracleValue]], _ actual: [[OracleValue]]) -> String {
    """
    \(summary)
    expected:
    \(OracleResult.table(expected))
    actual:
    \(OracleResult.table(actual))
    \(fault)
    """
  }

  private static func cut(_ text: String) -> String { text.count > 400 ? text.prefix(400) + "…" : text }
}
