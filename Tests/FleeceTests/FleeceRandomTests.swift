import Fleece
import JSONText
import TestSupport
import Testing

/// Random values, encoded by the encoder of the tests, compared with their JSON.
@Suite struct FleeceRandomTests {
  private static let keys = ["type", "name", "geo", "n"]

  @Test(arguments: 0..<40) func randomValuesKeepTheirContent(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var reader = FleeceReader(sharedKeys: SharedKeys(FleeceRandomTests.keys))
    let parser = try JSONParser()
    for _ in 0..<50 {
      let value = FleeceRandomTests.dictionary(&generator, depth: 0)
      let block = FleeceEncoder.encode(value, sharedKeys: FleeceRandomTests.keys)
      let text = try block.withUnsafeBytes { try reader.json(of: $0) }
      let found = JSONValue(try text.withUnsafeBytes { try parser.parse($0) })
      #expect(found == FleeceRandomTests.json(value))
    }
  }

  /// The only demand is that there is a result or an error, and that a result is JSON.
  @Test(arguments: 0..<20) func damagedBlocksAreReadOrRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var reader = FleeceReader(sharedKeys: SharedKeys(FleeceRandomTests.keys), maximumSize: 1 << 18)
    let parser = try JSONParser()
    var refusedCount = 0
    for _ in 0..<200 {
      let value = FleeceRandomTests.dictionary(&generator, depth: 0)
      var block = FleeceEncoder.encode(value, sharedKeys: FleeceRandomTests.keys)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        block[Int.random(in: 0..<block.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      if Bool.random(using: &generator) { block.removeLast(Int.random(in: 0..<block.count, using: &generator)) }
      do {
        let text = try block.withUnsafeBytes { try reader.json(of: $0) }
        #expect(throws: Never.self) { try text.withUnsafeBytes { _ = try parser.parse($0) } }
      } catch {
        refusedCount += 1
      }
    }
    #expect(refusedCount > 0)
  }

  private static func dictionary(_ generator: inout SeededGenerator, depth: Int) -> FleeceValue {
    var items: [(key: String, value: FleeceValue)] = []
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let key = Bool.random(using: &generator) ? keys.randomElement(using: &generator) ?? "" : text(&generator)
      guard !items.contains(where: { $0.key == key }) else { continue }
      items.append((key, value(&generator, depth: depth + 1)))
    }
    return .dictionary(items)
  }

  private static func value(_ generator: inout SeededGenerator, depth: Int) -> FleeceValue {
    switch Int.random(in: 0..<(depth > 5 ? 8 : 11), using: &generator) {
    case 0: .null
    case 1: .boolean(.random(using: &generator))
    case 2: .integer(.random(in: -3000...3000, using: &generator))
    case 3: .integer(.random(in: .min ... .max, using: &generator))
    case 4: .unsigned(.random(in: (1 << 63) ... .max, using: &generator))
    case 5: .double(Double.random(in: -1e6...1e6, using: &generator) + 0.25)
    case 6, 7: .text(text(&generator))
    case 8: .array((0..<Int.random(in: 0...5, using: &generator)).map { _ in value(&generator, depth: depth + 1) })
    case 9: .array([.text(String(repeating: "long ", count: 9000)), value(&generator, depth: depth + 1)])
    default: dictionary(&generator, depth: depth)
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let letters = ["a", "B", "\"", "\\", "\u{1}", "é", "漢", "😀", " "]
    return (0..<Int.random(in: 0...20, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "" }
      .joined()
  }

  private static func json(_ value: FleeceValue) -> JSONValue {
    switch value {
    case .null, .undefined: .null
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let number): .int64(number)
    case .unsigned(let number): .uint64(number)
    case .float(let number): .double(Double(number))
    case .double(let number): .double(number)
    case .text(let text): .string(text)
    case .data: .null
    case .array(let items): .array(items.map(json))
    case .dictionary(let items): .object(items.map { JSONMember($0.key, json($0.value)) })
    }
  }
}
