import JSONText
import Testing

@testable import MapReduce

/// Sort keys compare bytewise as a comparison function compares the values.
struct SortKeyTests {
  private let encoder: SortKeyEncoder

  init() throws { encoder = try SortKeyEncoder() }

  private func key(_ json: String) throws -> [UInt8] { encoder.key(of: try JSONValue(jsonText: Array(json.utf8))) }

  /// CouchDB's order, from its documentation and tests.
  static let ordered = [
    "null", "false", "true", "-9223372036854775808", "-10.5", "-1", "0", "2.5", "3", "10", "9007199254740991",
    "9007199254740992", "9007199254740993", "9007199254740994", "9223372036854775806", "9223372036854775807",
    "18446744073709551614", "18446744073709551615", "1e300", #"" ""#, #""_""#, #""~""#, #""1""#, #""a""#, #""A""#,
    #""aa""#,
    #""abc""#, #""Abc""#, #""ABC""#, #""abc1""#, #""b""#, #""B""#, #""ba""#, #""bb""#, "[]", "[null]", "[1]",
    #"["a"]"#, #"["b"]"#, #"["b","c"]"#, #"["b","c","a"]"#, #"["b","d"]"#, #"["b","d","e"]"#, #"["b",{}]"#, "[[1]]",
    "{}",
    #"{"a":1}"#, #"{"a":2}"#, #"{"b":1}"#, #"{"b":2}"#, #"{"b":2,"a":1}"#, #"{"b":2,"c":2}"#,
  ]

  @Test func keysAreInTheOrderOfCouchDB() throws {
    let keys = try SortKeyTests.ordered.map { try key($0) }
    for (one, first) in keys.enumerated() {
      for (other, second) in keys.enumerated() {
        #expect(
          first.lexicographicallyPrecedes(second) == (one < other),
          "\(SortKeyTests.ordered[one]) and \(SortKeyTests.ordered[other])")
      }
    }
  }

  @Test(arguments: [("3", "3.0"), ("0", "-0.0"), (#""c""#, #""c\u200b""#), (#""é""#, #""e\u0301""#), ("1e2", "100")])
  func equalValuesHaveEqualKeys(_ one: String, _ other: String) throws {
    #expect(try key(one) == key(other))
  }

  @Test func noKeyIsAPrefixOfAnotherOne() throws {
    let keys = try SortKeyTests.ordered.map { try key($0) }
    for first in keys {
      #expect(keys.count { $0.starts(with: first) } == 1)
    }
  }

  @Test(
    arguments: [
      (
        #""ab""#, 1, [#""ab""#, #""AB""#, #""abc""#, #""ab\uFFFF""#, #""ab\uFFFF\uFFFF""#, #""abλ""#, #""áb1""#],
        [#""ac""#, "[]"]
      ),
      (#""""#, 1, [#""""#, #""z""#, #""\uFFFF""#], ["[]"]),
      ("[]", 1, ["[]", "[{}]", #"[{"x":1}]"#], ["{}"]),
      (#"["a"]"#, 1, [#"["a"]"#, #"["a",{},1]"#, #"["a",{"x":1}]"#], [#"["aa"]"#, #"["A"]"#, #"["b"]"#]),
      (#"["a"]"#, 2, [#"["a"]"#, #"["A",1]"#, #"["ab",{"x":1}]"#, #"["a\uFFFF"]"#], [#"["b"]"#, "[[]]"]),
      (#"[1,["a"]]"#, 2, [#"[1,["a",{"x":1}],2]"#], [#"[1,["b"]]"#]),
      (#"[1,["a"]]"#, 3, [#"[1,["ab"]]"#], [#"[1,["b"]]"#, #"[2]"#]),
    ] as [(String, Int, [String], [String])])
  func upperBoundsOfPrefixesIncludeAllExtensions(
    _ prefix: String, _ level: Int, _ below: [String], _ above: [String]
  ) throws {
    let bound = try #require(encoder.upperBound(ofPrefix: try JSONValue(jsonText: Array(prefix.utf8)), level: level))
    for json in below { #expect(try key(json).lexicographicallyPrecedes(bound), "\(json)") }
    for json in above { #expect(try bound.lexicographicallyPrecedes(key(json)), "\(json)") }
  }

  @Test(arguments: [("1", 1), ("[]", 2), ("[1]", 2), (#"{"a":1}"#, 1)])
  func otherKeysAreNotPrefixes(_ json: String, _ level: Int) throws {
    #expect(try encoder.upperBound(ofPrefix: JSONValue(jsonText: Array(json.utf8)), level: level) == nil)
  }

  @Test(arguments: [
    (#"["a",1,{"x":[2]}]"#, 1, #"["a",2]"#, true), (#"["a",1]"#, 2, #"["a",2]"#, false),
    (#"["a"]"#, 1, #"["a",2]"#, true),
    (#"["a"]"#, 2, #"["a",2]"#, false), (#"[[1,[2]],3]"#, 1, #"[[1,[2]],4]"#, true),
    (#"[{"a":"b"},3]"#, 1, #"[{"a":"c"}]"#, false),
    (#""a""#, 1, #""a""#, true), ("1", 1, "2", false), ("[]", 1, "[1]", false), ("[0,1]", 1, "[0,2]", true),
  ])
  func prefixesIdentifyGroups(_ one: String, _ count: Int, _ other: String, _ isSame: Bool) throws {
    let first = SortKeyPrefix.of(try key(one), elements: count)
    let second = SortKeyPrefix.of(try key(other), elements: count)
    #expect(first.elementsEqual(second) == isSame)
  }

  @Test func randomValuesAreInTheOrderOfTheComparison() throws {
    var generator = SystemRandomNumberGenerator()
    let values = (0..<400).map { _ in randomValue(depth: 3, &generator) }
    let keys = values.map { encoder.key(of: $0) }
    let comparison = try ValueComparison()
    for one in values.indices {
      for other in values.indices {
        let expected = comparison.compare(values[one], values[other])
        let isBefore = keys[one].lexicographicallyPrecedes(keys[other])
        #expect(isBefore == (expected < 0), "\(values[one].text) and \(values[other].text)")
        #expect((keys[one] == keys[other]) == (expected == 0), "\(values[one].text) and \(values[other].text)")
      }
    }
  }

  @Test func damagedKeysHavePrefixes() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = [UInt8](repeating: 0, count: Int.random(in: 0...12, using: &generator))
        .map { _ in UInt8.random(in: 0...9, using: &generator) }
      #expect(SortKeyPrefix.of(bytes, elements: 2).count <= bytes.count)
    }
  }
}

func randomValue(depth: Int, _ generator: inout some RandomNumberGenerator) -> JSONValue {
  let texts = ["", "a", "A", "b", "aa", "é", "e", "ß", "10", "_", "a b", "日本", "\u{200b}", "😀", "Z"]
  func text() -> String { texts.randomElement(using: &generator) ?? "" }
  switch Int.random(in: 0..<(depth > 0 ? 12 : 9), using: &generator) {
  case 0: return .null
  case 1: return .boolean(Bool.random(using: &generator))
  case 2: return .int64(Int64.random(in: -3...3, using: &generator))
  case 3: return .int64(Int64.random(in: .min ... .max, using: &generator))
  case 4: return .int64(9_007_199_254_740_992 + Int64.random(in: -3...3, using: &generator))
  case 5: return .uint64(UInt64.max - UInt64.random(in: 0...3, using: &generator))
  case 6: return .double(Double.random(in: -3...3, using: &generator).rounded() / 2)
  case 7, 8: return .string(text())
  case 9, 10:
    return .array(
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in randomValue(depth: depth - 1, &generator) })
  default:
    return .object(
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        JSONMember(text(), randomValue(depth: depth - 1, &generator))
      })
  }
}
