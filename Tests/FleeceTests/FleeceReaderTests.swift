import Fleece
import JSONText
import TestSupport
import Testing

@Suite struct FleeceReaderTests {
  private func json(_ block: [UInt8], keys: [String] = [], isDictionary: Bool = false) throws -> String {
    var reader = FleeceReader(sharedKeys: SharedKeys(keys))
    return String(
      decoding: try block.withUnsafeBytes { try reader.json(of: $0, isDictionary: isDictionary) }, as: UTF8.self)
  }

  private func bytes(_ hex: String) throws -> [UInt8] {
    try hex.split(whereSeparator: \.isWhitespace).map { try #require(UInt8($0, radix: 16)) }
  }

  @Test func theExampleOfTheSpecificationIsRead() throws {
    let block = try bytes(
      """
      45 68 65 6c 6c 6f 46 77 6f 72 6c 64 21 00 44 74 69 6d 65 00 1b d2 02 96 49 00 45 66 6c 6f 61 74
      28 00 f6 0b 76 c3 b6 45 89 3f 47 62 6f 6f 6c 65 61 6e 49 6f 74 68 65 72 62 6f 6f 6c 44 6e 75 6c
      6c 00 43 6f 62 6a 44 77 68 61 74 00 44 74 68 61 74 00 70 01 80 07 80 05 43 61 72 72 60 03 00 01
      00 02 00 03 70 08 80 07 80 06 80 20 38 00 80 2a 80 28 80 39 80 37 80 1d 30 00 80 1c 80 15 80 26
      34 00 80 3a 80 38 80 11
      """)
    let text =
      #"{"arr":[1,2,3],"boolean":true,"float":0.01234,"hello":"world!","null":null,"obj":{"what":"that"},"#
      + #""otherbool":false,"time":1234567890}"#
    #expect(try json(block, isDictionary: true) == text)
  }

  @Test func aDocumentOfARealFileIsRead() throws {
    let keys = try bytes("44 65 76 65 6E 00 60 02 41 6E 80 05 80 03")
    var reader = FleeceReader(sharedKeys: try keys.withUnsafeBytes { try SharedKeys($0) })
    let body = try bytes("70 02 00 00 00 01 00 01 34 00 80 05")
    #expect(try body.withUnsafeBytes { try reader.json(of: $0) } == Array(#"{"n":1,"even":false}"#.utf8))
  }

  @Test(arguments: [
    (FleeceValue.integer(-2048), "-2048"), (.integer(2047), "2047"), (.integer(2048), "2048"),
    (.integer(-2049), "-2049"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (.unsigned(.max), "18446744073709551615"), (.float(0.1), "0.1"), (.double(0.1), "0.1"), (.double(0.5), "0.5"),
    (.double(1e300), "1e+300"), (.double(.infinity), "null"), (.null, "null"), (.undefined, "null"),
    (.boolean(true), "true"), (.boolean(false), "false"), (.text(""), #""""#), (.text("a\"\n"), #""a\"\n""#),
    (.text("Zürich 😀"), "\"Zürich 😀\""), (.data([1, 2, 255]), #""AQL/""#), (.array([]), "[]"), (.dictionary([]), "{}"),
  ]) func aScalarIsRead(value: FleeceValue, text: String) throws {
    #expect(try json(FleeceEncoder.encode(value)) == text)
    #expect(try json(FleeceEncoder.encode(.array([value]))) == "[\(text)]")
  }

  @Test(arguments: [0, 1, 2, 14, 15, 16, 127, 128, 70_000]) func textOfAnyLengthIsRead(length: Int) throws {
    let text = String(repeating: "x", count: length)
    #expect(try json(FleeceEncoder.encode(.array([.text(text), .integer(1)]))) == "[\"\(text)\",1]")
  }

  @Test(arguments: [2046, 2047, 2048, 100_000]) func anArrayOfAnyCountIsRead(count: Int) throws {
    let block = FleeceEncoder.encode(.array((0..<count).map { .integer(Int64($0 % 5000)) }))
    #expect(try json(block) == "[" + (0..<count).map { "\($0 % 5000)" }.joined(separator: ",") + "]")
  }

  @Test func undefinedMembersAreOmitted() throws {
    let block = FleeceEncoder.encode(.dictionary([("a", .undefined), ("b", .integer(1)), ("c", .undefined)]))
    #expect(try json(block) == #"{"b":1}"#)
  }

  /// `{"a":1,"b":2}` is the parent of a dictionary with `b` and `c`.
  @Test func inheritedMembersAreRead() throws {
    let block = try bytes(
      "70 02 41 61 00 01 41 62 00 02 70 03 08 00 80 07 41 62 00 07 41 63 00 03 80 07")
    #expect(try json(block) == #"{"b":7,"c":3,"a":1}"#)
  }

  @Test func anEmptyBlockIsAnEmptyDictionary() throws {
    #expect(try json([], isDictionary: true) == "{}")
  }

  @Test func aDocumentMustBeADictionary() {
    #expect(throws: FleeceError.notADictionary) { try json(FleeceEncoder.encode(.integer(1)), isDictionary: true) }
  }

  @Test func anUnknownSharedKeyIsAnError() {
    let block = FleeceEncoder.encode(.dictionary([("name", .integer(1))]), sharedKeys: ["type", "name"])
    #expect(throws: FleeceError.unknownSharedKey(1)) { try json(block, keys: ["type"]) }
  }

  /// Regression test: many items can refer to one long string.
  @Test func sharedKeysAreLimited() throws {
    func count(_ keys: [String]) throws -> Int {
      let block = FleeceEncoder.encode(.array(keys.map { .text($0) }))
      return try block.withUnsafeBytes { try SharedKeys($0).count }
    }
    let keys = (0..<2049).map { "key\($0)" }
    #expect(try count(Array(keys.dropLast())) == 2048)
    #expect(throws: FleeceError.self) { _ = try count(keys) }
    #expect(try count([String(repeating: "k", count: 1024)]) == 1)
    #expect(throws: FleeceError.self) { _ = try count([String(repeating: "k", count: 1025)]) }
  }

  @Test func deepNestingIsAnError() {
    var value = FleeceValue.integer(1)
    for _ in 0...FleeceReader.maximumDepth { value = .array([value]) }
    #expect(throws: FleeceError.tooDeep) { try json(FleeceEncoder.encode(value)) }
  }

  /// Each array refers to the one before it twice, so that the text would have 2^40 numbers.
  @Test func sharedValuesCannotMakeAHugeText() throws {
    var block = try bytes("60 02 00 01 00 01")
    for _ in 0..<40 { block += [0x60, 0x02, 0x80, 0x04, 0x80, 0x05] }
    block += [0x80, 0x03]
    var reader = FleeceReader(maximumSize: 1 << 20)
    #expect(throws: FleeceError.tooLarge(limit: 1 << 20)) {
      try block.withUnsafeBytes { try reader.json(of: $0, isDictionary: false) }
    }
  }

  /// Dictionaries of undefined members write nothing, so the number of steps must be limited, too.
  @Test func workWithoutTextIsLimited() throws {
    var block: [UInt8] = [0x70 | 0x03, 0xE8]
    for _ in 0..<1000 { block += [0x41, 0x61, 0x3C, 0x00] }
    var start = 0
    for _ in 0..<4 {
      let array = block.count
      block += [0x60 | 0x03, 0xE8]
      for _ in 0..<1000 {
        let distance = (block.count - start) / 2
        block += [0x80 | UInt8(distance >> 8), UInt8(distance & 255)]
      }
      start = array
    }
    let distance = (block.count - start) / 2
    block += [0x80 | UInt8(distance >> 8), UInt8(distance & 255)]
    var reader = FleeceReader(maximumSize: 1 << 20)
    #expect(throws: FleeceError.tooLarge(limit: 1 << 20)) {
      try block.withUnsafeBytes { try reader.json(of: $0, isDictionary: false) }
    }
  }

  /// A dictionary that inherits from an empty one, and whose other keys are all the same string of 1,000 bytes.
  @Test func repeatedInheritedKeysAreLimited() throws {
    var block: [UInt8] = [0x4F, 0xE8, 0x07] + [UInt8](repeating: UInt8(ascii: "k"), count: 1000) + [0]
    let count = 1500
    let start = block.count
    block += [0x70 | UInt8((count + 1) >> 8), UInt8((count + 1) & 255), 0x08, 0x00, 0x70, 0x00]
    for _ in 0..<count {
      let distance = block.count / 2
      block += [0x80 | UInt8(distance >> 8), UInt8(distance & 255), 0x00, 0x01]
    }
    let distance = (block.count - start) / 2
    block += [0x80 | UInt8(distance >> 8), UInt8(distance & 255)]
    var reader = FleeceReader(maximumSize: 1 << 20)
    #expect(throws: FleeceError.tooLarge(limit: 1 << 20)) {
      try block.withUnsafeBytes { try reader.json(of: $0) }
    }
    reader = FleeceReader(maximumSize: 1 << 21)
    let text = try block.withUnsafeBytes { try reader.json(of: $0) }
    #expect(text.count == 1000 + #"{"":1}"#.utf8.count)
  }

  @Test(arguments: ["80 00", "80 01", "60 01", "45 61", "1F 00", "28 00", "00", "FF FF FF FF 80 02"])
  func malformedDataIsAnError(hex: String) throws {
    let block = try bytes(hex)
    #expect(throws: FleeceError.self) { try json(block) }
  }

  /// The first item of an array refers to the array.
  @Test func aCycleIsTooDeep() throws {
    #expect(throws: FleeceError.tooDeep) { try json(try bytes("60 01 80 01 80 02")) }
  }

  /// An inline array whose item leads back to the outer array.
  @Test func aCycleIsAnError() throws {
    #expect(throws: FleeceError.self) { try json(try bytes("60 02 60 01 80 02 80 03")) }
  }
}
