import JSONText

/// `_count`: the number of rows.
struct CountReducer: ViewReducer {
  var readsValues: Bool { false }

  func partial(of rows: [ReducedRow]) -> [UInt8] { Array(String(rows.count).utf8) }

  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8] {
    var sum: Int64 = 0
    for partial in partials {
      if case .int64(let count) = try JSONValue(jsonText: partial) {
        sum = sum.addingReportingOverflow(count).partialValue
      }
    }
    return Array(String(sum).utf8)
  }
}
