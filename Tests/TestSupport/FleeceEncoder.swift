/// A value for ``FleeceEncoder``.
public indirect enum FleeceValue: Hashable, Sendable {
  case null, undefined
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case text(String)
  case data([UInt8])
  case array([FleeceValue])
  /// The keys are in the order of the array, which a reader must not rely on.
  case dictionary([(key: String, value: FleeceValue)])

  public static func == (one: FleeceValue, other: FleeceValue) -> Bool { "\(one)" == "\(other)" }
  public func hash(into hasher: inout Hasher) { hasher.combine("\(self)") }
}

/// Encodes values as Fleece, written for tests from the description of the format.
public struct FleeceEncoder {
  private var bytes: [UInt8] = []
  private let sharedKeys: [String: Int]

  public init(sharedKeys: [String] = []) {
    self.sharedKeys = Dictionary(uniqueKeysWithValues: sharedKeys.enumerated().map { ($1, $0) })
  }

  /// Encodes a value as a block.
  public static func encode(_ value: FleeceValue, sharedKeys: [String] = []) -> [UInt8] {
    var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    if let inline = encoder.inline(value, width: 2) { return inline }
    let offset = encoder.write(value)
    encoder.align()
    let distance = encoder.bytes.count - offset
    if distance / 2 < 1 << 14 {
      encoder.appendPointer(distance, isWide: false)
    } else {
      encoder.appendPointer(distance, isWide: true)
      encoder.appendPointer(4, isWide: false)
    }
    return encoder.bytes
  }

  private mutating func align() { if bytes.count % 2 == 1 { bytes.append(0) } }

  private mutating func appendPointer(_ distance: Int, isWide: Bool) {
    let half = UInt32(distance / 2)
    if isWide {
      bytes += [0x80 | UInt8(half >> 24), UInt8(half >> 16 & 255), UInt8(half >> 8 & 255), UInt8(half & 255)]
    } else {
      bytes += [0x80 | UInt8(half >> 8), UInt8(half & 255)]
    }
  }

  /// Returns the bytes of a value that fits into an item; nil if it does not.
  private func inline(_ value: FleeceValue, width: Int) -> [UInt8]? {
    let short: [UInt8]
    switch value {
    case .null: short = [0x30, 0]
    case .boolean(let boolean): short = [boolean ? 0x38 : 0x34, 0]
    case .undefined: short = [0x3C, 0]
    case .integer(let number) where (-2048...2047).contains(number):
      short = [UInt8(truncatingIfNeeded: number >> 8) & 0x0F, UInt8(truncatingIfNeeded: number)]
    case .text(let text) where text.utf8.count < width: short = [0x40 | UInt8(text.utf8.count)] + text.utf8
    case .data(let data) where data.count < width: short = [0x50 | UInt8(data.count)] + data
    case .array(let items) where items.isEmpty: short = [0x60, 0]
    case .dictionary(let items) where items.isEmpty: short = [0x70, 0]
    default: return nil
    }
    return short + [UInt8](repeating: 0, count: width - short.count)
  }

  /// Writes a value and returns its offset.
  private mutating func write(_ value: FleeceValue) -> Int {
    switch value {
    case .array(let items): return writeCollection(items.map { (nil, $0) }, tag: 0x60, count: items.count)
    case .dictionary(let items):
      return writeCollection(items.flatMap { [(nil, key($0.key)), (nil, $0.value)] }, tag: 0x70, count: items.count)
    default: break
    }
    align()
    let offset = bytes.count
    switch value {
    case .integer(let number):
      var count = 1
      while count < 8, number >> Int64(8 * count - 1) != 0, number >> Int64(8 * count - 1) != -1 { count += 1 }
      bytes.append(0x10 | UInt8(count - 1))
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(8 * index))) }
    case .unsigned(let number):
      bytes.append(0x1F)
      for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    case .float(let number):
      bytes += [0x20, 0]
      for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * index))) }
    case .double(let number):
      if Double(Float(number)) == number {
        bytes += [0x24, 0]
        for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: Float(number).bitPattern >> UInt32(8 * index))) }
      } else {
        bytes += [0x28, 0]
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * index))) }
      }
    case .text(let text): writeContent(Array(text.utf8), tag: 0x40)
    case .data(let data): writeContent(data, tag: 0x50)
    default: bytes += inline(value, width: 2) ?? []
    }
    return offset
  }

  private func key(_ key: String) -> FleeceValue { sharedKeys[key].map { .integer(Int64($0)) } ?? .text(key) }

  private mutating func writeContent(_ content: [UInt8], tag: UInt8) {
    bytes.append(tag | UInt8(min(content.count, 15)))
    if content.count >= 15 { writeVarint(content.count) }
    bytes += content
  }

  private mutating func writeVarint(_ number: Int) {
    var number = number
    while number >= 0x80 {
      bytes.append(UInt8(number & 0x7F) | 0x80)
      number >>= 7
    }
    bytes.append(UInt8(number))
  }

  private mutating func writeCollection(_ items: [(Int?, FleeceValue)], tag: UInt8, count: Int) -> Int {
    // The width is not known before the targets are written, so a value that fits only a wide item is written apart.
    let targets = items.map { inline($0.1, width: 2) == nil ? write($0.1) : nil }
    align()
    let offset = bytes.count
    let headerSize = 8
    let farthest = targets.compactMap { $0 }.min().map { offset + headerSize + 4 * items.count - $0 } ?? 0
    let isWide = farthest / 2 >= 1 << 14
    let short = min(count, 2047)
    bytes += [tag | (isWide ? 0x08 : 0) | UInt8(short >> 8), UInt8(short & 255)]
    if short == 2047 {
      writeVarint(count - 2047)
      align()
    }
    for (item, target) in zip(items, targets) {
      if let target {
        appendPointer(bytes.count - target, isWide: isWide)
      } else {
        bytes += inline(item.1, width: isWide ? 4 : 2) ?? []
      }
    }
    return offset
  }
}
