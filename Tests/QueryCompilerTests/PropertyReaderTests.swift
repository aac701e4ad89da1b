import Foundation
import JSONText
import QueryCompiler
import TestSupport
import Testing

@Suite struct PropertyReaderTests {
  private func read(_ path: String, in json: String) throws -> JSONValue? {
    let reader = PropertyReader(path.isEmpty ? PropertyPath([]) : try PropertyPath(path))
    return Array(json.utf8).withUnsafeBytes { text in
      reader.value(in: text).map { QueryValue($0).json ?? .null }
    }
  }

  @Test(arguments: [
    ("a", #"{"a":1}"#, "1"), ("b", #"{"a":{"b":2},"b":3}"#, "3"), ("a.b", #"{"a":{"b":2},"b":3}"#, "2"),
    ("a", #"{"a":1,"a":2}"#, "1"), ("a[1]", #"{"a":[1,"x"]}"#, #""x""#), ("a[-1]", #"{"a":[1,[2]]}"#, "[2]"),
    ("a[-3]", #"{"a":[1,2]}"#, nil), ("a[2]", #"{"a":[1,2]}"#, nil), ("a[0]", #"{"a":[]}"#, nil),
    ("a.b", #"{"a":1}"#, nil), ("a", "[1]", nil), ("a", "{}", nil), ("", #" {"a": 1} "#, #"{"a":1}"#),
    ("`a\"b`", #"{"a\"b":1}"#, "1"), ("é", #"{"\u00e9":1}"#, "1"), ("😀", #"{"\ud83d\ude00":1}"#, "1"),
    ("a\\", #"{"a\\":1}"#, "1"), ("s", #"{"x":"\\","s":"q\"\\\n\u0041"}"#, #""q\"\\\nA""#),
    ("b", " { \"a\" : [ 1 , { \"b\" : \"}\" } ] , \"b\" : null } ", "null"), ("n", #"{"n":-0}"#, "0"),
    ("n", #"{"n":1.5e3}"#, "1500.0"), ("n", #"{"n":9223372036854775807}"#, "9223372036854775807"),
    ("n", #"{"n":0.1}"#, "0.1"), ("n", #"{"n":true}"#, "true"), ("", "", nil), ("", "  ", nil),
  ]) func valuesAreRead(path: String, json: String, expected: String?) throws {
    let value = try read(path, in: json)
    #expect(value?.text == expected)
  }

  @Test func pathWithBracketsHasNoValue() throws {
    #expect(try read("a[]", in: #"{"a":[1]}"#) == nil)
  }

  @Test func valuesAgreeWithParser() throws {
    let parser = try JSONParser()
    for seed in 0..<5000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let text = RandomJSON.text(&generator, depth: 4)
      let path = PropertyPath(RandomJSON.path(&generator))
      let expected = path.element(in: try parser.parse(utf8: text)).map { JSONValue($0) }
      let value = Array(text.utf8).withUnsafeBytes { PropertyReader(path).value(in: $0).map { QueryValue($0) } }
      #expect(
        value?.json?.text == expected.flatMap { QueryValue($0).json?.text }, "seed \(seed): \(path) in \(text)")
    }
  }

  /// Reads truncated, modified and random bytes, which must not crash, loop or read outside the text.
  @Test func damagedTextIsReadSafely() throws {
    for seed in 0..<5000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var bytes = Array(RandomJSON.text(&generator, depth: 4).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let offset = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.removeSubrange(offset...)
        case 1: bytes[offset] = "\"\\{}[],:".utf8.randomElement(using: &generator) ?? 0
        default: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      let reader = PropertyReader(PropertyPath(RandomJSON.path(&generator)))
      bytes.withUnsafeBytes { text in
        if let slice = reader.value(in: text) { _ = QueryValue(slice) }
      }
    }
  }
}

/// Random documents with few keys, so that random paths often have a value.
enum RandomJSON {
  private static let keys = ["a", "b", "é", "a\\\"b", "\\u0061", "\\ud83d\\ude00", "c d"]
  private static let pathKeys = ["a", "b", "é", "a\"b", "😀", "c d", "x"]

  static func text(_ generator: inout SeededGenerator, depth: Int) -> String {
    "{" + members(&generator, depth) + "}"
  }

  static func path(_ generator: inout SeededGenerator) -> [PropertyPath.Component] {
    var components: [PropertyPath.Component] = [.key(pathKeys.randomElement(using: &generator) ?? "a")]
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      components.append(
        Bool.random(using: &generator)
          ? .key(pathKeys.randomElement(using: &generator) ?? "a")
          : .position(Int.random(in: -3...3, using: &generator)))
    }
    return components
  }

  private static func members(_ generator: inout SeededGenerator, _ depth: Int) -> String {
    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      let key = keys.randomElement(using: &generator) ?? "a"
      return space(&generator) + "\"\(key)\"" + space(&generator) + ":" + space(&generator)
        + value(&generator, depth - 1) + space(&generator)
    }.joined(separator: ",")
  }

  private static func space(_ generator: inout SeededGenerator) -> String {
    Int.random(in: 0..<6, using: &generator) == 0 ? " \n" : ""
  }

  static func value(_ generator: inout SeededGenerator, _ depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &generator) {
    case 0: "null"
    case 1: Bool.random(using: &generator) ? "true" : "false"
    case 2: "\(Int64.random(in: .min ... .max, using: &generator))"
    case 3: "\(Int.random(in: -9...9, using: &generator))"
    case 4: "\(Double.random(in: -1e6...1e6, using: &generator))"
    case 5:
      ["123456789012345678901234567890", "18446744073709551615", "-0", "0.5E-7", "1.25", "-3.0e+2"]
        .randomElement(using: &generator) ?? "0"
    case 6:
      ["\"\"", "\"plain\"", "\"q\\\"\"", "\"\\\\\"", "\"}]{[,:\"", "\"é\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\""]
        .randomElement(using: &generator) ?? "0"
    case 7:
      "["
        + (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(&generator, depth - 1) }
        .joined(separator: space(&generator) + ",") + "]"
    default: "{" + members(&generator, depth) + "}"
    }
  }
}
