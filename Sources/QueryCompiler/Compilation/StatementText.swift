/// A SELECT in which conditions can be put, of which a query that is run in parts has several. Written when it is run: most queries
/// need only one.
struct StatementText: Sendable {
  /// All before WHERE.
  let beginning: String
  /// The conditions that always hold.
  let conditions: [String]
  /// All behind WHERE.
  let ending: String

  /// The statement with further conditions.
  func sql(where further: [String]) -> String {
    let all = conditions + further
    return all.isEmpty ? beginning + ending : "\(beginning) WHERE \(SQLText.joined(all, by: "AND"))\(ending)"
  }
}
