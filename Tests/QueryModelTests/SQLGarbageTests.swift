import JSONText
import QueryModel
import TestSupport
import Testing

/// For every input, a parser returns a query or throws an error.
struct SQLGarbageTests {
  private static let pieces =
    SQLKeyword.allCases.map(\.rawValue) + [
      "a", "b", "h", "_", "x.y", "`q`", "'s'", "\"d\"", "1", "2.5", "1e9", "$p", "(", ")", "[", "]", "{", "}", ",", ".",
      ":", ";", "+",
      "-", "*", "/", "%", "||", "=", "==", "!=", "<>", "<", "<=", ">", ">=", "META", "META()", "MATCH(", "RANK(i)",
      "COUNT(*)", "LOWER(",
      "ALL", ".5", "5.", "&", "<<",
      "EXISTS", "SOME", "NULLS", "FIRST", "UNICODE", "NOCASE", "--", "/*", "*/", "'", "`", "$", "é", "\0", "\u{301}",
      "😀", "\n", "?",
    ]

  @Test(arguments: 0..<8 as Range<UInt64>)
  func randomTokensParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let count = Int.random(in: 1...16, using: &random)
      let words = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
      let separator = Bool.random(using: &random) ? " " : ""
      check((Bool.random(using: &random) ? "SELECT " : "") + words.joined(separator: separator))
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func randomBytesParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 1000)
    for _ in 0..<1000 {
      let highest: UInt8 = Bool.random(using: &random) ? 0x7F : 0xFF
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...highest, using: &random)
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Queries with a part cut out, doubled or moved.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func damagedQueriesParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 2000)
    var queries = RandomSelectQueries(seed: seed)
    for _ in 0..<100 {
      var bytes = Array(queries.query().description.utf8)
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = Int.random(in: start...min(bytes.count, start + 12), using: &random)
      let part = bytes[start..<end]
      if Bool.random(using: &random) { bytes.removeSubrange(start..<end) }
      if Bool.random(using: &random) {
        bytes.insert(contentsOf: part, at: Int.random(in: 0...bytes.count, using: &random))
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: NastyStringTests.strings.indices) func nastyStringsParseOrThrow(index: Int) {
    let text = NastyStringTests.strings[index]
    check(text)
    check("SELECT " + text)
    let quoted = QueryExpression.string(text)
    #expect(throws: Never.self) { try SQLParser().parseExpression(quoted.description) == quoted }
    let name = SelectQuery(
      columns: [ResultColumn(.property(PropertyPath([.key(text)]), source: nil), alias: text)],
      sources: [QuerySource(.collection(CollectionPath(text, scope: text)), alias: "h")])
    #expect((try? SQLParser().parse(name.description)) == name)
    #expect((try? JSONQueryParser().parse(JSONQueryWriter().value(of: name).text)) == name)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func damagedJSONParsesOrThrows(seed: UInt64) {
    var random = SeededGenerator(seed: seed + 3000)
    var queries = RandomSelectQueries(seed: seed)
    for _ in 0..<100 {
      let value = damaged(JSONQueryWriter().value(of: queries.query()), &random)
      do {
        let query = try JSONQueryParser().parse(value)
        #expect(try JSONQueryParser().parse(JSONQueryWriter().value(of: query)) == query, "\(value.text)")
      } catch {
        #expect(error.description.hasPrefix("JSON query"))
      }
    }
  }

  private func damaged(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
    let others: [JSONValue] = [
      .null, .int64(0), .string(""), .string("."), .string("_."), .array([]), .object([]), .array([.string("?")]),
      .array([.string("NOT")]),
    ]
    if Int.random(in: 0..<40, using: &random) == 0 { return others.randomElement(using: &random) ?? .null }
    switch value {
    case .array(let elements): return .array(elements.map { damaged($0, &random) })
    case .object(let members): return .object(members.map { JSONMember($0.key, damaged($0.value, &random)) })
    default: return value
    }
  }

  private func check(_ text: String) {
    do {
      let query = try SQLParser().parse(text)
      #expect((try? SQLParser().parse(query.description)) == query, "\(text.debugDescription)")
      let json = JSONQueryWriter().value(of: query)
      #expect((try? JSONQueryParser().parse(json)) == query, "\(text.debugDescription)")
    } catch {
      #expect(error.span.end <= text.utf8.count)
      let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count >= (text.isEmpty ? 1 : 3))
      #expect(lines.allSatisfy { $0.count < 200 })
    }
    _ = try? SQLParser().parseExpression(text)
  }
}
