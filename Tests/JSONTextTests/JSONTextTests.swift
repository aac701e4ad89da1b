import Foundation
import Testing

@testable import JSONText

@Suite struct JSONParserTests {
  let parser: JSONParser

  init() throws { parser = try JSONParser() }

  @Test func numbersKeepTheExactType() throws {
    let root = try parser.parse(
      utf8: #"{"min":-9223372036854775808,"max":9223372036854775807,"over":18446744073709551615,"d":1.0,"e":1e3}"#)
    #expect(root["min"]?.int64 == .min)
    #expect(root["max"]?.int64 == .max)
    #expect(root["over"]?.uint64 == .max)
    #expect(root["d"]?.double == 1)
    #expect(root["e"]?.double == 1000)
    #expect(root["d"]?.int64 == nil)
  }

  @Test func sharedParsersOfLargeTextsAreReleased() throws {
    weak var parser: JSONParser?
    try JSONParser.withShared {
      parser = $0
      _ = try $0.parse(utf8: "\"" + String(repeating: "a", count: 2 << 20) + "\"")
    }
    #expect(parser == nil)
  }

  @Test func integersAbove64BitsBecomeDoubles() throws {
    let root = try parser.parse(
      utf8:
        #"{"n":-123456789012345678901234567890,"s":"12345678901234567890123","i":1700000000000000001,"u":18446744073709551615}"#
    )
    #expect(root["i"]?.int64 == 1_700_000_000_000_000_001)
    #expect(root["u"]?.uint64 == .max)
    #expect(root["n"]?.double == -1.2345678901234568e29)
    #expect(root["s"]?.string == "12345678901234567890123")
  }

  @Test func stringsMayContainNUL() throws {
    let root = try parser.parse(utf8: #"{"s":"a\u0000b"}"#)
    #expect(root["s"]?.string == "a\0b")
  }

  @Test(arguments: [
    (#""a\u00e9\n\\""#, "a\u{E9}\n\\"), (#""\ud83d\ude00""#, "\u{1F600}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""""#, ""),
  ])
  func escapesOfAScalarAreResolved(text: String, expected: String) {
    #expect(Array(text.utf8).withUnsafeBytes { JSONValue(scalar: $0) } == .string(expected))
  }

  @Test func elementsAndMembersKeepTheirOrder() throws {
    let root = try parser.parse(utf8: #"{"b":[1,[2,{"x":3}],"z"],"a":null,"t":true}"#)
    var keys: [String] = []
    root.forEachMember { key, _ in keys.append(String(decoding: key, as: UTF8.self)) }
    #expect(keys == ["b", "a", "t"])
    #expect(root["b"]?[1]?[1]?["x"]?.int64 == 3)
    #expect(root["b"]?[-1]?.string == "z")
    #expect(root["b"]?[3] == nil)
    #expect(root["b"]?[-4] == nil)
    #expect(root["a"]?.kind == .null)
    #expect(root["t"]?.boolean == true)
  }

  @Test func copiedValueWritesSameText() throws {
    let text = #"{"a":[1,2.5,"é\n",null,true,{"b":{}}],"n":18446744073709551615,"e":[]}"#
    #expect(JSONValue(try parser.parse(utf8: text)).text == text)
  }

  @Test(arguments: [
    ("{\"a\":}", JSONError.Kind.syntax), ("", .empty), ("{\"a\":01}", .number), ("{\"a\":1e400}", .number),
    ("[1,2", .syntax),
  ])
  func errorsHaveKinds(text: String, kind: JSONError.Kind) {
    let error = #expect(throws: JSONError.self) { _ = try parser.parse(utf8: text) }
    #expect(error?.kind == kind)
  }

  @Test func invalidUTF8ErrorHasOffset() {
    let bytes: [UInt8] = Array("{\"a\":\"é".utf8) + [0xFF, 0x22, 0x7D]
    let error = #expect(throws: JSONError.self) { _ = try bytes.withUnsafeBytes { try parser.parse($0) } }
    #expect(error?.kind == .utf8)
    #expect(error?.offset == 8)
  }

  @Test func syntaxErrorHasOffset() {
    let error = #expect(throws: JSONError.self) { _ = try parser.parse(utf8: "{\"a\": 1, nope}") }
    #expect(error?.offset == 9)
  }

  @Test(arguments: [
    ("{\"a\": 01}", 6), ("[1, -1e400]", 4), ("[1.]", 1), ("tru", 0), ("[nul]", 1), ("[1,]", 3), ("{\"a\":1,}", 7),
    ("[1 2]", 3), ("[\"\\ud800\"]", 2), ("[\"\\x\"]", 2), ("[\"a\u{1}\"]", 3), ("[\"a", 1), ("{\"a\":[1]", 8),
    ("[1]]", 3),
    ("{\"é\":}", 6), ("{\"a\" 1}", 5), ("1 2", 2), ("[-]", 1), ("[\"\\ud83d\\ude00\", \"\\u00\"]", 18),
  ])
  func errorsHaveByteOffsets(text: String, offset: Int) {
    let error = #expect(throws: JSONError.self) { _ = try parser.parse(utf8: text) }
    #expect(error?.offset == offset, "\(text)")
  }

  /// Documents may be nested 1,000 levels deep.
  @Test func errorsInNestedTextHaveOffsets() {
    let text = String(repeating: "[", count: 900) + "1,x" + String(repeating: "]", count: 900)
    let error = #expect(throws: JSONError.self) { _ = try parser.parse(utf8: text) }
    #expect(error?.offset == 902)
  }

  @Test func theLocatorFindsNoErrorInValidText() {
    let object = #"{"a":[1,-2.5E+3,true,false,null,"\u00e9\n"],"b":{"c":{}}}"#
    for text in ["0", " [ ] ", "{}", object, "18446744073709551616"] {
      #expect(Array(text.utf8).withUnsafeBytes { JSONErrorLocator.offset(in: $0) } == nil, "\(text)")
    }
  }

  /// Versions of simdjson that skip the mark accept the text.
  @Test func aByteOrderMarkIsNamed() {
    do {
      let root = try parser.parse(utf8: "\u{FEFF}{\"a\":1}")
      #expect(root["a"]?.int64 == 1)
    } catch {
      #expect("\(error)" == "not JSON: the text begins with a byte order mark; remove it (at byte 0)")
    }
  }

  @Test func minusZeroIsAnInteger() throws {
    #expect(JSONValue(number: "-0") == .int64(0))
    #expect(JSONValue(try parser.parse(utf8: "-0")) == .int64(0))
    #expect(JSONValue(number: "-0.0") == .double(0))
  }

  @Test func membersAreFoundByTheirBytes() throws {
    guard case .object(let members) = JSONValue(try parser.parse(utf8: "{\"e\u{301}\":1,\"\u{E9}\":2}")) else {
      Issue.record("not an object")
      return
    }
    #expect(members.value(forKey: "\u{E9}") == .int64(2) && members.value(forKey: "e\u{301}") == .int64(1))
    #expect(members.value(forKey: "e") == nil)
  }

  @Test func deepNestingThrowsInsteadOfCrashing() {
    let text = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let error = #expect(throws: JSONError.self) { _ = try parser.parse(utf8: text) }
    #expect(error?.kind == .depth)
  }
}

@Suite struct JSONWriterTests {
  @Test func writerEscapesControlsQuotesAndBackslashes() throws {
    var writer = JSONWriter()
    writer.write("\"\\\u{0}\u{8}\t\n\u{C}\r\u{1F}é😀/")
    #expect(writer.text == #""\"\\\u0000\b\t\n\f\r\u001fé😀/""#)
    let parser = try JSONParser()
    #expect(try parser.parse(utf8: "[\(writer.text)]")[0]?.string == "\"\\\u{0}\u{8}\t\n\u{C}\r\u{1F}é😀/")
  }

  @Test func writerSeparatesMembersAndElements() {
    var writer = JSONWriter()
    writer.object {
      $0.member("a", 1)
      $0.member("b") {
        $0.array {
          $0.write(1 as Int64); $0.write(true); $0.array { _ in }; $0.writeNull()
        }
      }
      $0.member("c", 2.0)
    }
    #expect(writer.text == #"{"a":1,"b":[1,true,[],null],"c":2.0}"#)
  }

  @Test func everyDoubleRoundTrips() throws {
    let parser = try JSONParser()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      var writer = JSONWriter()
      writer.array { $0.write(number) }
      #expect(try parser.parse(utf8: writer.text)[0]?.double == number)
    }
  }
}

@Suite struct PropertyPathTests {
  @Test(arguments: [
    ("name", [PropertyPath.Component.key("name")]),
    ("geo.alt", [.key("geo"), .key("alt")]),
    ("reviews[0].author", [.key("reviews"), .position(0), .key("author")]),
    ("reviews[].author", [.key("reviews"), .each, .key("author")]),
    ("a[1][-2]", [.key("a"), .position(1), .position(-2)]),
    ("`odd.key``s`.b", [.key("odd.key`s"), .key("b")]),
    // A backtick with a combining accent is one `Character`, but two scalars.
    ("```\u{301}`", [.key("`\u{301}")]),
  ])
  func pathsRoundTrip(text: String, components: [PropertyPath.Component]) throws {
    let path = try PropertyPath(text)
    #expect(path.components == components)
    #expect(path.description == text)
  }

  @Test(arguments: [
    (#"a\.b"#, [PropertyPath.Component.key("a.b")]),
    (#"a\.b.c\[0.d[1]"#, [.key("a.b"), .key("c[0"), .key("d"), .position(1)]),
    (#"a\\.b"#, [.key(#"a\"#), .key("b")]),
    (#"\."#, [.key(".")]),
    (#"a\b\"#, [.key(#"a\b\"#)]),
    (#"`a\.b`.c"#, [.key(#"a\.b"#), .key("c")]),
  ])
  func backslashesMakeDotsPartOfKeys(text: String, components: [PropertyPath.Component]) throws {
    #expect(try PropertyPath(escaped: text).components == components)
  }

  @Test func backslashesAreOrdinaryWithoutEscapes() throws {
    #expect(try PropertyPath(#"a\.b"#).components == [.key(#"a\"#), .key("b")])
    #expect(throws: PropertyPathError.self) { _ = try PropertyPath(escaped: #"a\.b."#) }
  }

  @Test func emptyBracketsSelectEveryElement() throws {
    let parser = try JSONParser()
    let root = try parser.parse(utf8: #"{"r":[{"a":"x"},{"b":1},{"a":["y","z"]}]}"#)
    var found: [String] = []
    try PropertyPath("r[].a").forEachElement(in: root) { element, steps in
      found.append("\(PropertyPath(steps)) \(element.kind)")
    }
    #expect(found == ["r[0].a string", "r[2].a array"])
  }

  @Test(arguments: ["", ".", "a.", "a..b", "a[", "a[x]", "a]b", "`a", "a`b`"])
  func malformedPathsThrow(text: String) {
    #expect(throws: PropertyPathError.self) { _ = try PropertyPath(text) }
  }
}

@Suite struct JSONObjectTextTests {
  @Test(arguments: [
    (#"{"_id":"x","a":1.0}"#, #"{"a":1.0}"#),
    (#"{"a":1,"_id":"x"}"#, #"{"a":1}"#),
    (#"{ "a" : 1 , "_id" : "x" , "b" : [1,{"_id":2}] }"#, #"{"a" : 1 ,"b" : [1,{"_id":2}] }"#),
    (#"{"_id":"x"}"#, "{}"),
    (#"{"_id":1,"_id":2}"#, "{}"),
    (#"{"a":"_id\",","b":"}"}"#, #"{"a":"_id\",","b":"}"}"#),
    (#"{"a":1,"_id":2,"_id":3}"#, #"{"a":1}"#),
  ])
  func removingRemovesOnlyTopLevelMember(text: String, expected: String) {
    let result = String(decoding: JSONObjectText.removing("_id", from: Array(text.utf8)), as: UTF8.self)
    #expect(result == expected)
  }
}

@Suite struct JSONObjectBuilderTests {
  @Test func parsedFormEqualsTheParsedText() throws {
    let parser = try JSONParser()
    let nested = #"{"a":[1,-2.5,"é\n",null,true,false,{"b":{}},[]],"n":18446744073709551615}"#
    var builder = JSONObjectBuilder()
    builder.add("empty", "")
    builder.add("control \u{1}\u{0}", "quote \" backslash \\ tab \t nul \0 \u{1F}")
    builder.add("integer", Int64.min)
    builder.add("double", 0.1)
    builder.add("nested", json: nested.utf8, try parser.parse(utf8: nested))
    builder.add("last", json: "[]".utf8, try parser.parse(utf8: "[]"))
    try builder.withObject { text, root in
      let built = JSONValue(root)
      let parsed = try text.withUnsafeBytes { JSONValue(try parser.parse($0)) }
      #expect(built == parsed)
      #expect(root["nested"]?["a"]?[2]?.string == "é\n")
      #expect(root["last"]?.kind == .array)
    }
  }

  @Test func emptyObjectHasNoMembers() throws {
    try JSONObjectBuilder().withObject { text, root in
      #expect(String(decoding: text, as: UTF8.self) == "{}")
      root.forEachMember { _, _ in Issue.record("a member") }
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 159, 160, 161, 1000])
  func stringsOfEveryLengthAreEscaped(length: Int) throws {
    var generator = SystemRandomNumberGenerator()
    let parser = try JSONParser()
    let characters = Array("abcdefgh\n\"\\\u{1}é😀".unicodeScalars)
    for _ in 0..<50 {
      var text = ""
      for _ in 0..<length { text.unicodeScalars.append(characters.randomElement(using: &generator) ?? "a") }
      var writer = JSONWriter()
      writer.write(text)
      #expect(try parser.parse(utf8: writer.text).string == text)
    }
  }
}
