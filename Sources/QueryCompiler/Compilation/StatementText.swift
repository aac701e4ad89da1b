/// A SELECT to which conditions can be added. A query that runs in parts has several versions of its statement; each
/// one is written when it runs, because most queries need only one.
struct StatementText: Sendable {
  /// The text before WHERE.
  let beginning: String
  /// The conditions that always hold.
  let conditions: [String]
  /// The text after WHERE.
  let ending: String

  /// Returns the statement with additional conditions.
  func sql(where additional: [String]) -> String {
    let all = conditions + additional
    return all.isEmpty ? beginning + ending : "\(beginning) WHERE \(SQLText.joined(all, by: "AND"))\(ending)"
  }
}
