import QueryModel

/// A row of FROM: the value of each source. A left join without a match omits a source.
struct OracleRow {
  /// A document, or an element of an array, which has no metadata.
  struct Item {
    let value: OracleValue
    let document: OracleDocument?
  }

  var items: [String: Item] = [:]
}

/// FROM with its joins: every combination, in nested loops.
struct OracleSources {
  let database: OracleDatabase
  let query: SelectQuery
  let evaluator: OracleEvaluator

  func rows() throws -> [OracleRow] {
    var rows = [OracleRow()]
    for (source, name) in zip(query.sources, evaluator.sources) {
      var joined: [OracleRow] = []
      for row in rows {
        let partners = try items(of: source, for: row).map { item in
          var partner = row
          partner.items[name] = item
          return partner
        }.filter { try isJoined($0, source) }
        joined += partners
        if partners.isEmpty, source.join == .left { joined.append(row) }
      }
      rows = joined
    }
    return rows
  }

  private func items(of source: QuerySource, for row: OracleRow) throws -> [OracleRow.Item] {
    switch source.content {
    case .collection(let path):
      return try database.documents(of: path).map { OracleRow.Item(value: $0.value, document: $0) }
    case .unnest(let array):
      switch try evaluator.value(of: array, in: OracleScope(row: row)) {
      case .array(let elements): return elements.map { OracleRow.Item(value: $0, document: nil) }
      case .object: throw OracleError.undefined("UNNEST of an object")
      default: return []
      }
    }
  }

  private func isJoined(_ row: OracleRow, _ source: QuerySource) throws -> Bool {
    guard let condition = source.condition else { return true }
    return OracleLogic.truth(of: try evaluator.value(of: condition, in: OracleScope(row: row))) == true
  }
}
