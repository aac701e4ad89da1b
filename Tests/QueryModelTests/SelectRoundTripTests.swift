import JSONText
import QueryModel
import Testing

struct SelectRoundTripTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func printedQueriesRoundTrip(seed: UInt64) throws {
    var queries = RandomSelectQueries(seed: seed)
    for _ in 0..<120 {
      let query = queries.query()
      let text = query.description
      let parsed = try SQLParser().parse(text)
      #expect(parsed == query, "\(text)\n\(parsed)")
      if parsed != query { return }
      #expect(query.resolvingSources() == query)
    }
  }

  /// Before an array or `NOT`, `ALL` may be a property.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func allAfterSelectHasNoEffect(seed: UInt64) throws {
    var queries = RandomSelectQueries(seed: seed)
    for _ in 0..<120 {
      let query = queries.query()
      let columns = String(query.description.dropFirst("SELECT ".count))
      if query.isDistinct || columns.hasPrefix("[") || columns.hasPrefix("NOT ") { continue }
      let parsed = try SQLParser().parse("SELECT ALL " + columns)
      #expect(parsed == query, "\(query)\n\(parsed)")
      if parsed != query { return }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func jsonQueriesRoundTrip(seed: UInt64) throws {
    var queries = RandomSelectQueries(seed: seed)
    for _ in 0..<120 {
      let query = queries.query()
      let text = JSONQueryWriter().value(of: query).text
      let parsed = try JSONQueryParser().parse(text)
      #expect(parsed == query, "\(text)\n\(query)\n\(parsed)")
      if parsed != query { return }
    }
  }
}
