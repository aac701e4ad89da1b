import Foundation
import JSONText

/// Numbers different strings, numbers and booleans, in the order in which they come.
///
/// Strings are told apart by their bytes, `1` and `1.0` are one number, `true` is none. A hash table over flat memory: it is asked
/// once for each value of each document.
struct ScalarDictionary {
  /// The values, by number.
  private(set) var values: [ColumnValue] = []
  /// The keys of all values, one behind the other: a byte for the type, and the value.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// For each place of the hash table one more than a number; 0 where it is free.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  /// The key that is being looked for.
  private var key: [UInt8] = []

  private static let booleanType: UInt8 = 0
  private static let integerType: UInt8 = 1
  private static let doubleType: UInt8 = 2
  private static let stringType: UInt8 = 3

  /// The number of a value, which is added where it is new.
  mutating func number(of value: ScalarSlice) -> Int {
    write(value)
    if let known = find() { return known }
    return add(hash: ScalarDictionary.hash(key))
  }

  /// The number of a value; nil for one that is not there.
  mutating func knownNumber(of value: ScalarSlice) -> Int? {
    write(value)
    return find()
  }

  /// The number of a value, which is added where it is new; nil for what is neither string nor number nor boolean.
  mutating func number(ofColumn value: ColumnValue) -> Int? {
    switch value {
    case .boolean(let boolean): number(of: ScalarSlice.boolean(boolean))
    case .integer(let integer): number(of: ScalarSlice.number(.integer(integer)))
    case .double(let double): number(of: ScalarSlice.number(.double(double)))
    case .string(var string):
      string.withUTF8 { number(of: ScalarSlice.string(UnsafeRawBufferPointer($0), hasEscapes: false)) }
    case .missing, .null, .container: nil
    }
  }

  // MARK: Keys

  private mutating func write(_ value: ScalarSlice) {
    key.removeAll(keepingCapacity: true)
    switch value {
    case .boolean(let boolean):
      key.append(ScalarDictionary.booleanType)
      key.append(boolean ? 1 : 0)
    case .number(let number): write(number)
    case .string(let text, hasEscapes: false):
      key.append(ScalarDictionary.stringType)
      key.append(contentsOf: text)
    case .string(let text, hasEscapes: true):
      key.append(ScalarDictionary.stringType)
      let start = key.count
      key.append(contentsOf: repeatElement(0, count: text.count))
      let count = key.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { JSONString.decode(text, into: $0 + start) } ?? 0
      }
      key.removeLast(text.count - count)
    }
  }

  private mutating func write(_ number: JSONNumber) {
    func append(_ type: UInt8, _ bits: UInt64) {
      key.append(type)
      withUnsafeBytes(of: bits) { key.append(contentsOf: $0) }
    }
    switch number {
    case .integer(let integer): append(ScalarDictionary.integerType, UInt64(bitPattern: integer))
    case .double(let double):
      if let integer = Int64(exactly: double) {
        append(ScalarDictionary.integerType, UInt64(bitPattern: integer))
      } else {
        append(ScalarDictionary.doubleType, double.bitPattern)
      }
    }
  }

  /// The value of the key.
  private var value: ColumnValue {
    func bits() -> UInt64 { key.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self) } }
    switch key[0] {
    case ScalarDictionary.booleanType: return .boolean(key[1] != 0)
    case ScalarDictionary.integerType: return .integer(Int64(bitPattern: bits()))
    case ScalarDictionary.doubleType: return .double(Double(bitPattern: bits()))
    default: return .string(String(decoding: key[1...], as: UTF8.self))
    }
  }

  // MARK: The hash table

  private func find() -> Int? {
    let hash = ScalarDictionary.hash(key)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, isKey(number) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isKey(_ number: Int) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == key.count else { return false }
    return bytes.withUnsafeBytes { all in
      key.withUnsafeBytes { key in
        guard let all = all.baseAddress, let wanted = key.baseAddress else { return false }
        return memcmp(all + start, wanted, key.count) == 0
      }
    }
  }

  private mutating func add(hash: UInt64) -> Int {
    values.append(value)
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
    hashes.append(hash)
    if values.count * 2 > slots.count {
      slots = Array(repeating: 0, count: slots.count * 4)
      for number in hashes.indices { occupy(number) }
    } else {
      occupy(values.count - 1)
    }
    return values.count - 1
  }

  private mutating func occupy(_ number: Int) {
    var slot = Int(truncatingIfNeeded: hashes[number]) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(truncatingIfNeeded: number + 1)
  }

  /// A multiplication for each eight bytes. The values come from documents of the user's own.
  private static func hash(_ key: [UInt8]) -> UInt64 {
    key.withUnsafeBytes { bytes in
      var hash = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15
      var index = 0
      while index + 8 <= bytes.count {
        hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        index += 8
      }
      var rest: UInt64 = 0
      while index < bytes.count {
        rest = rest << 8 | UInt64(bytes[index])
        index += 1
      }
      return mixed(hash ^ rest)
    }
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
