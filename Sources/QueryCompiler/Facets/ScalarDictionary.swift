import Foundation
import JSONText

/// Assigns consecutive numbers to distinct strings, numbers and Booleans in the order of their first occurrence.
///
/// Strings are compared by their bytes, `1` and `1.0` are equal, and `true` is not a number. The hash table uses
/// flat arrays, because a lookup runs for every value of every document.
struct ScalarDictionary {
  /// The concatenated keys of all values: a byte for the type, and the value.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt64] = []
  /// The slots of the hash table: a number plus one, or 0 for a free slot.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  /// The key of the current lookup.
  private var key: [UInt8] = []

  private static let booleanType: UInt8 = 0
  private static let integerType: UInt8 = 1
  private static let doubleType: UInt8 = 2
  private static let stringType: UInt8 = 3

  /// The memory of a value in the flat arrays and in those of a counter, in addition to its key.
  private static let entryMemory = 64

  /// The number of values.
  var count: Int { ends.count }

  /// The approximate memory of the values in bytes.
  var memory: Int { bytes.count + count * ScalarDictionary.entryMemory }

  /// Returns the value with a number.
  func value(of number: Int) -> ColumnValue { ScalarDictionary.value(ofKey: bytes[range(of: number)]) }

  /// Returns the number of a value, and adds the value if it is new.
  mutating func number(of value: ScalarSlice) -> Int {
    write(value)
    return numberOfKey()
  }

  /// Returns the number of the value that has a number in another dictionary, and adds the value if it is new.
  mutating func number(of number: Int, in other: ScalarDictionary) -> Int {
    key.removeAll(keepingCapacity: true)
    key.append(contentsOf: other.bytes[other.range(of: number)])
    return numberOfKey()
  }

  /// Returns the number of a value; nil if it is not in the dictionary.
  mutating func knownNumber(of value: ScalarSlice) -> Int? {
    write(value)
    return find()
  }

  /// Returns the number of a value, and adds the value if it is new. Returns nil for a value that is not a string,
  /// number or Boolean.
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

  /// Returns the value that a key encodes.
  private static func value(ofKey key: ArraySlice<UInt8>) -> ColumnValue {
    let content = key.dropFirst()
    func bits() -> UInt64 { content.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
    switch key[key.startIndex] {
    case booleanType: return .boolean(content.first != 0)
    case integerType: return .integer(Int64(bitPattern: bits()))
    case doubleType: return .double(Double(bitPattern: bits()))
    default: return .string(String(decoding: content, as: UTF8.self))
    }
  }

  /// The position of the key of a value in ``bytes``.
  private func range(of number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  // MARK: The hash table

  /// Returns the number of the current key, and adds the key if it is new.
  private mutating func numberOfKey() -> Int {
    if let known = find() { return known }
    return add(hash: ScalarDictionary.hash(key))
  }

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
    let known = range(of: number)
    guard known.count == key.count else { return false }
    return bytes.withUnsafeBytes { all in
      key.withUnsafeBytes { key in
        guard let all = all.baseAddress, let needle = key.baseAddress else { return false }
        return memcmp(all + known.lowerBound, needle, key.count) == 0
      }
    }
  }

  private mutating func add(hash: UInt64) -> Int {
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
    hashes.append(hash)
    if count * 2 > slots.count {
      slots = Array(repeating: 0, count: slots.count * 4)
      for number in hashes.indices { occupy(number) }
    } else {
      occupy(count - 1)
    }
    return count - 1
  }

  private mutating func occupy(_ number: Int) {
    var slot = Int(truncatingIfNeeded: hashes[number]) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(truncatingIfNeeded: number + 1)
  }

  /// Hashes eight bytes per multiplication. The hash is not secure against chosen collisions, which is acceptable
  /// because the values come from the user's own documents.
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
