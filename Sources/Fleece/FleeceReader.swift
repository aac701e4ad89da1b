import struct Foundation.Data
import JSONText

/// Converts blocks of Fleece, Couchbase Lite's binary JSON format, to JSON text.
///
/// ```swift
/// var reader = FleeceReader(sharedKeys: try SharedKeys(keys))
/// let json = try reader.json(of: body)   // {"name":"Ghia"}
/// ```
///
/// Blocks from untrusted sources are safe to read: a malformed block causes an error, and the nesting depth, the size
/// of the text and the number of steps are limited.
///
/// JSON has no binary data, no `undefined` and no infinite numbers. Therefore, as in Couchbase Lite:
///
/// - Binary data becomes a Base64 string and is counted in ``dataCount``.
/// - `undefined` in an array becomes null; dictionary members whose value is `undefined` are omitted.
/// - Numbers that are not finite become null.
public struct FleeceReader {
  /// The maximum nesting depth of arrays and dictionaries.
  public static let maximumDepth = 256

  /// The number of binary values that have been converted to strings so far.
  public private(set) var dataCount = 0

  private let sharedKeys: SharedKeys
  private let maximumSize: Int
  /// The number of items, and of bytes of inherited keys, that may still be read. The size limit does not bound the
  /// number of those that produce no output.
  private var steps = 0
  private var text: [UInt8] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - sharedKeys: the shared keys of the database.
  ///   - maximumSize: the maximum size of a JSON text in bytes.
  public init(sharedKeys: SharedKeys = SharedKeys(), maximumSize: Int = 50 << 20) {
    self.sharedKeys = sharedKeys
    self.maximumSize = maximumSize
  }

  /// Converts a block to JSON text.
  ///
  /// - Parameters:
  ///   - block: the block. An empty block is converted to an empty dictionary.
  ///   - isDictionary: whether a value that is not a dictionary is an error, as it is for documents.
  /// - Returns: the JSON text in valid UTF-8.
  /// - Throws: ``FleeceError``.
  /// - Complexity: O(n) in the size of the text.
  public mutating func json(
    of block: UnsafeRawBufferPointer, isDictionary: Bool = true
  ) throws(FleeceError) -> [UInt8] {
    let block = FleeceBlock(bytes: block)
    text = []
    text.reserveCapacity(min(block.bytes.count * 2, maximumSize))
    steps = maximumSize
    defer { text = [] }
    guard let root = try block.root() else { return Array("{}".utf8) }
    if isDictionary, try block.tag(root) != .dictionary { throw .notADictionary }
    try write(root, block, depth: 0)
    return text
  }

  /// Writes the value at an offset as JSON.
  private mutating func write(_ offset: Int, _ block: FleeceBlock, depth: Int) throws(FleeceError) {
    steps -= 1
    guard steps >= 0, text.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
    switch try block.tag(offset) {
    case .shortInteger:
      let bits = UInt16(block.bytes[offset] & 0x0F) << 8 | UInt16(block.bytes[offset + 1])
      write(Int64(Int16(bitPattern: bits << 4) >> 4))
    case .integer: try writeInteger(offset, block)
    case .float: try writeFloat(offset, block)
    case .special: writeSpecial(block.bytes[offset])
    case .text: try writeText(offset, block)
    case .data:
      dataCount += 1
      let content = try block.content(offset)
      // Base64 encodes three bytes as four characters.
      guard content.count <= (maximumSize - text.count) / 4 * 3 else { throw .tooLarge(limit: maximumSize) }
      text.append(UInt8(ascii: "\""))
      text.append(contentsOf: Data(content).base64EncodedData())
      text.append(UInt8(ascii: "\""))
    case .array: try writeArray(offset, block, depth: depth + 1)
    case .dictionary: try writeDictionary(offset, block, depth: depth + 1)
    }
  }

  private mutating func writeArray(_ offset: Int, _ block: FleeceBlock, depth: Int) throws(FleeceError) {
    guard depth <= FleeceReader.maximumDepth else { throw .tooDeep }
    let items = try block.items(offset)
    text.append(UInt8(ascii: "["))
    for index in 0..<items.count {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      let value = try block.item(at: items.start + index * items.width, isWide: items.isWide)
      try write(value, block, depth: depth)
    }
    text.append(UInt8(ascii: "]"))
  }

  private mutating func writeDictionary(_ offset: Int, _ block: FleeceBlock, depth: Int) throws(FleeceError) {
    guard depth <= FleeceReader.maximumDepth else { throw .tooDeep }
    let items = try block.items(offset)
    if items.count > 0, isParentKey(items.start, block) {
      return try writeInherited(offset, block, depth: depth)
    }
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    for index in 0..<items.count {
      let slot = items.start + index * 2 * items.width
      let value = try block.item(at: slot + items.width, isWide: items.isWide)
      guard block.bytes[value] != FleeceReader.undefined else {
        steps -= 1
        continue
      }
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      try writeKey(slot, items.isWide, block)
      try write(value, block, depth: depth)
    }
    text.append(UInt8(ascii: "}"))
  }

  /// Writes a key and a colon.
  private mutating func writeKey(_ slot: Int, _ isWide: Bool, _ block: FleeceBlock) throws(FleeceError) {
    let key = try block.item(at: slot, isWide: isWide)
    switch try block.tag(key) {
    case .shortInteger:
      let number = Int(block.bytes[key] & 0x0F) << 8 | Int(block.bytes[key + 1])
      guard number < sharedKeys.members.count else { throw .unknownSharedKey(number) }
      text.append(contentsOf: sharedKeys.members[number])
    case .text:
      try writeText(key, block)
      text.append(UInt8(ascii: ":"))
    default: throw .malformed("a key is neither a string nor a shared key number", offset: key)
    }
  }
}

// MARK: - Inherited dictionaries

extension FleeceReader {
  /// Returns whether a key is -2048. The value for this key is the parent: the dictionary to inherit entries from.
  private func isParentKey(_ slot: Int, _ block: FleeceBlock) -> Bool {
    block.bytes[slot] == 0x08 && block.bytes[slot + 1] == 0
  }

  /// Writes a dictionary that inherits from others: its own entries, then each ancestor's entries whose keys have not
  /// already been written.
  private mutating func writeInherited(_ offset: Int, _ block: FleeceBlock, depth: Int) throws(FleeceError) {
    var known: Set<[UInt8]> = []
    var next: Int? = offset
    var level = depth
    text.append(UInt8(ascii: "{"))
    var isFirst = true
    while let dictionary = next {
      next = nil
      guard level <= FleeceReader.maximumDepth else { throw .tooDeep }
      level += 1
      guard try block.tag(dictionary) == .dictionary else {
        throw .malformed("the parent of a dictionary is not a dictionary", offset: dictionary)
      }
      let items = try block.items(dictionary)
      for index in 0..<items.count {
        steps -= 1
        guard steps >= 0 else { throw .tooLarge(limit: maximumSize) }
        let slot = items.start + index * 2 * items.width
        let value = try block.item(at: slot + items.width, isWide: items.isWide)
        if isParentKey(slot, block) {
          next = value
          continue
        }
        let start = text.count
        if !isFirst { text.append(UInt8(ascii: ",")) }
        let keyStart = text.count
        try writeKey(slot, items.isWide, block)
        // Keys that were written before are removed, so the size limit does not bound their total size.
        steps -= text.count - keyStart
        guard steps >= 0 else { throw .tooLarge(limit: maximumSize) }
        guard known.insert(Array(text[keyStart...])).inserted, block.bytes[value] != FleeceReader.undefined else {
          text.removeSubrange(start...)
          continue
        }
        isFirst = false
        try write(value, block, depth: depth)
      }
    }
    text.append(UInt8(ascii: "}"))
  }
}

// MARK: - Scalars

extension FleeceReader {
  /// The first byte of an `undefined` value.
  private static let undefined: UInt8 = 0x3C

  private mutating func write(_ number: Int64) { text.append(contentsOf: String(number).utf8) }

  private mutating func writeInteger(_ offset: Int, _ block: FleeceBlock) throws(FleeceError) {
    let count = Int(block.bytes[offset] & 0x07) + 1
    let bits = try block.littleEndian(offset + 1, count: count)
    if block.bytes[offset] & 0x08 != 0 { return text.append(contentsOf: String(bits).utf8) }
    let shift = UInt64(64 - 8 * count)
    write(Int64(bitPattern: bits << shift) >> Int64(shift))
  }

  private mutating func writeFloat(_ offset: Int, _ block: FleeceBlock) throws(FleeceError) {
    switch block.bytes[offset] & 0x0F {
    case 0x00:
      let number = Float(bitPattern: UInt32(try block.littleEndian(offset + 2, count: 4)))
      text.append(contentsOf: number.isFinite ? "\(number)".utf8 : "null".utf8)
    case 0x04: write(Double(Float(bitPattern: UInt32(try block.littleEndian(offset + 2, count: 4)))))
    case 0x08: write(Double(bitPattern: try block.littleEndian(offset + 2, count: 8)))
    default: throw .malformed("unknown number type", offset: offset)
    }
  }

  private mutating func write(_ number: Double) {
    text.append(contentsOf: number.isFinite ? "\(number)".utf8 : "null".utf8)
  }

  private mutating func writeSpecial(_ byte: UInt8) {
    switch byte {
    case 0x34: text.append(contentsOf: "false".utf8)
    case 0x38: text.append(contentsOf: "true".utf8)
    default: text.append(contentsOf: "null".utf8)
    }
  }

  private mutating func writeText(_ offset: Int, _ block: FleeceBlock) throws(FleeceError) {
    let content = try block.content(offset)
    guard text.count + content.count <= maximumSize else { throw .tooLarge(limit: maximumSize) }
    guard FleeceReader.isUTF8(content) else { throw .malformed("a string is not valid UTF-8", offset: offset) }
    text.append(UInt8(ascii: "\""))
    JSONString.encode(content, into: &text)
    text.append(UInt8(ascii: "\""))
  }

  private static func isUTF8(_ content: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index + 8 <= content.count,
      content.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
    }
    while index < content.count, content[index] < 0x80 { index += 1 }
    return index == content.count || String(validating: content, as: UTF8.self) != nil
  }
}
