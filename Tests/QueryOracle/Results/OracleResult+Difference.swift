extension OracleResult {
  /// Returns the missing and the unexpected rows; nil if the result is correct.
  ///
  /// Rows are compared as a multiset. If the order is significant, each run of rows that are equal in the order is
  /// compared. Types are significant: true is not 1, and 1 is not 1.0, except where it is not specified which of them
  /// represents a group.
  ///
  /// - Parameters:
  ///   - actual: the rows of another engine.
  ///   - isOrdered: whether the order is significant. Ignored without ORDER BY.
  public func difference(from actual: [[OracleValue]], isOrdered: Bool) -> String? {
    var differences: [String] = []
    if actual.count != rows.count { differences.append("expected \(rows.count) rows, got \(actual.count)") }
    for run in runs(isOrdered) {
      let (missing, unexpected) = unmatched(
        rows[run.clamped(to: rows.indices)], actual[run.clamped(to: actual.indices)])
      let location = isOrdered && !ties.isEmpty ? "rows \(run.lowerBound) to \(run.upperBound - 1): " : ""
      differences += missing.map { location + "missing    " + OracleResult.text(of: $0) }
      differences += unexpected.map { location + "unexpected " + OracleResult.text(of: $0) }
    }
    if rows.count < actual.count, isOrdered, !ties.isEmpty {
      differences += actual[rows.count...].map { "unexpected " + OracleResult.text(of: $0) }
    }
    guard !differences.isEmpty else { return nil }
    return (differences.prefix(12) + (differences.count > 12 ? ["… \(differences.count - 12) more"] : [])).joined(
      separator: "\n")
  }

  /// Returns the rows as lines of text, cut to a readable size.
  public static func table(_ rows: [[OracleValue]]) -> String {
    let lines = rows.prefix(20).map { "  " + text(of: $0) }
    return (lines + (rows.count > 20 ? ["  … \(rows.count - 20) more"] : [])).joined(separator: "\n")
  }

  private static func text(of row: [OracleValue]) -> String {
    let text = row.map(\.description).joined(separator: " | ")
    return text.count > 300 ? text.prefix(300) + "…" : text
  }

  /// Returns the ranges of rows whose order is not specified.
  private func runs(_ isOrdered: Bool) -> [Range<Int>] {
    guard isOrdered, !ties.isEmpty else { return [0..<Int.max] }
    var runs: [Range<Int>] = []
    for index in rows.indices {
      if index > 0, ties[index] == ties[index - 1], let last = runs.popLast() {
        runs.append(last.lowerBound..<index + 1)
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  private func unmatched(
    _ expected: ArraySlice<[OracleValue]>, _ actual: ArraySlice<[OracleValue]>
  ) -> (missing: [[OracleValue]], unexpected: [[OracleValue]]) {
    var unexpected = Array(actual)
    let missing = expected.filter { row in
      guard let index = unexpected.firstIndex(where: { accepts($0, for: row) }) else { return true }
      unexpected.remove(at: index)
      return false
    }
    return (Array(missing), unexpected)
  }

  private func accepts(_ actual: [OracleValue], for expected: [OracleValue]) -> Bool {
    actual.count == expected.count
      && zip(columns, zip(expected, actual)).allSatisfy { $0.tolerance.accepts($1.1, for: $1.0) }
  }
}
