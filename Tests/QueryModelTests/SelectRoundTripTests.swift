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
