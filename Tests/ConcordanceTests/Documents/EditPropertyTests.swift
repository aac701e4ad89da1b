import Concordance
import Foundation
import TestSupport
import Testing

/// Random values and edits, compared with plain Swift dictionaries.
@Suite struct EditPropertyTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  /// A plain value and its canonical text, which distinguishes types and bytes.
  fileprivate indirect enum Plain: Equatable {
    case null, bool(Bool), int(Int64), double(Double), string(String)
    case list([Plain]), dict([String: Plain])

    var swift: Any {
      switch self {
      case .null: NSNull()
      case .bool(let value): value
      case .int(let value): value
      case .double(let value): value
      case .string(let value): value
      case .list(let values): values.map(\.swift)
      case .dict(let values): values.mapValues(\.swift)
      }
    }

    init(_ value: Any?) {
      // An `NSNumber` can also be cast to other types.
      if let value, type(of: value) is NSNumber.Type, let number = value as? NSNumber {
        self = String(cString: number.objCType) == "d" ? .double(number.doubleValue) : .int(number.int64Value)
        return
      }
      switch value {
      case let value as Bool: self = .bool(value)
      case let value as Int: self = .int(Int64(value))
      case let value as Double: self = .double(value)
      case let value as String: self = .string(value)
      case let value as [Any]: self = .list(value.map { Plain($0) })
      case let value as [String: Any]: self = .dict(value.mapValues { Plain($0) })
      default: self = .null
      }
    }

    static func == (one: Plain, other: Plain) -> Bool {
      switch (one, other) {
      case (.null, .null): true
      case (.bool(let a), .bool(let b)): a == b
      case (.int(let a), .int(let b)): a == b
      case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
      case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
      case (.list(let a), .list(let b)): a == b
      case (.dict(let a), .dict(let b)): a == b
      default: false
      }
    }
  }

  private static let keys = ["a", "b", "c", "", "a b", "\"q\"", "\\", "é", "日本", "k\0", "💚"]

  private func random(_ generator: inout SeededGenerator, depth: Int = 0) -> Plain {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2:
      let any = Int64.random(in: .min ... .max, using: &generator)
      return .int([0, 1, -1, .max, .min, any].randomElement(using: &generator) ?? 0)
    case 3:
      let bits = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
      let some = [0, -0.0, 1, 1e300, .leastNonzeroMagnitude, 0.1, bits.isFinite ? bits : 2]
      return .double(some.randomElement(using: &generator) ?? 0)
    case 4, 5:
      let scalars = (0..<Int.random(in: 0..<8, using: &generator)).compactMap { _ -> Unicode.Scalar? in
        let limit = [0x20, 0x80, 0x800, 0x11_0000].randomElement(using: &generator) ?? 0x80
        return Unicode.Scalar(UInt32.random(in: 0..<UInt32(limit), using: &generator))
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    case 6:
      let count = Int.random(in: 0..<5, using: &generator)
      return .list((0..<count).map { _ in random(&generator, depth: depth + 1) })
    default:
      var members: [String: Plain] = [:]
      for _ in 0..<Int.random(in: 0..<20, using: &generator) {
        let key = EditPropertyTests.keys.randomElement(using: &generator) ?? ""
        if members[key] == nil { members[key] = random(&generator, depth: depth + 1) }
      }
      return .dict(members)
    }
  }

  @Test func valuesAreEqualAfterARoundTrip() throws {
    for seed in 0..<400 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let value = random(&generator)
      try files.collection.save(document: MutableDocument(id: "x", data: ["v": value.swift]))
      let read = try #require(try files.collection.document(id: "x"))
      #expect(Plain(read.toDictionary()["v"]) == value, "seed \(seed)")
      // The same via JSON text.
      let again = try MutableDocument(json: read.toJSON())
      #expect(Plain(again.toDictionary()["v"]) == value, "seed \(seed)")
      #expect(again == MutableDocument(id: again.id, data: ["v": value.swift]), "seed \(seed)")
    }
  }

  @Test func randomEditsAgreeWithADictionary() throws {
    for seed in 0..<150 {
      var generator = SeededGenerator(seed: UInt64(seed) + 10_000)
      var plain: [String: Plain] = [:]
      var document = MutableDocument(id: "x")
      for _ in 0..<40 { document = try edit(document, &plain, &generator) }
      #expect(Plain(document.toDictionary()) == .dict(plain), "seed \(seed)")
      try files.collection.save(document: document)
      let read = try #require(try files.collection.document(id: "x"))
      #expect(Plain(read.toDictionary()) == .dict(plain), "seed \(seed)")
      #expect(Plain(try JSONSerialization.jsonObject(with: Data(read.toJSON().utf8))).isDictionary)
    }
  }

  /// Makes one edit of a property or a nested value. Occasionally the document is saved, read again or copied.
  private func edit(
    _ document: MutableDocument, _ plain: inout [String: Plain], _ generator: inout SeededGenerator
  ) throws -> MutableDocument {
    let key = EditPropertyTests.keys.randomElement(using: &generator) ?? ""
    let value = random(&generator, depth: 3)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      document.removeValue(forKey: key)
      plain[key] = nil
    case 1:
      try files.collection.save(document: document)
    case 2:
      try files.collection.save(document: document)
      return try #require(try files.collection.document(id: "x")).toMutable()
    case 3: return try MutableDocument(id: "x", json: document.toJSON())
    case 4, 5:
      guard case .dict(var members)? = plain[key], let inner = document.dictionary(forKey: key) else { break }
      inner.setValue(value.swift, forKey: "inner")
      members["inner"] = value
      plain[key] = .dict(members)
    case 6:
      guard case .list(var values)? = plain[key], let list = document.array(forKey: key) else { break }
      let position = Int.random(in: 0...values.count, using: &generator)
      list.insertValue(value.swift, at: position)
      values.insert(value, at: position)
      plain[key] = .list(values)
    default:
      document.setValue(value.swift, forKey: key)
      plain[key] = value
    }
    return document
  }
}

extension EditPropertyTests.Plain {
  fileprivate var isDictionary: Bool { if case .dict = self { true } else { false } }
}
