/// Byte classes for the fast path. A separator has no bit set.
enum ByteClass {
  static let letter: UInt8 = 1
  static let digit: UInt8 = 2
  static let connector: UInt8 = 4
  static let apostrophe: UInt8 = 8
  /// `.` `,` `;`: join two digits.
  static let midNumber: UInt8 = 16
  /// Also the class of ESC, so that the main loop needs no test for it.
  static let nonASCII: UInt8 = 32
  /// Set in addition to `letter`.
  static let upper: UInt8 = 64

  /// ESC, which begins a control sequence of a terminal.
  static let escape: UInt8 = 0x1B

  /// The bytes that are always part of a word, whatever their neighbours.
  static let word = letter | digit | connector
  /// The bytes that end a run of ``word``, but not necessarily the word.
  static let special = apostrophe | midNumber | nonASCII

  /// Returns a new table of the class of each byte; the caller deallocates it. It agrees with ``CharacterClass`` for
  /// ASCII, except for ESC.
  static func makeTable() -> UnsafeMutablePointer<UInt8> {
    let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    table.initialize(repeating: 0, count: 128)
    (table + 128).initialize(repeating: nonASCII, count: 128)
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { table[Int(byte)] = letter }
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { table[Int(byte)] = letter | upper }
    for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { table[Int(byte)] = digit }
    table[Int(UInt8(ascii: "_"))] = connector
    table[Int(UInt8(ascii: "'"))] = apostrophe
    for byte in ".,;".utf8 { table[Int(byte)] = midNumber }
    table[Int(escape)] = nonASCII
    return table
  }
}

/// Copies `length` bytes of ASCII in lower case. Reads no byte at or after `limit`; writes up to seven bytes more than
/// `length`.
@inline(__always)
func copyLowercased(
  _ source: UnsafePointer<UInt8>, _ length: Int, limit: Int, into target: UnsafeMutablePointer<UInt8>
) {
  var index = 0
  while index &+ 8 <= limit, index < length {
    let block = UnsafeRawPointer(source).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    UnsafeMutableRawPointer(target).storeBytes(of: lowercased(block), toByteOffset: index, as: UInt64.self)
    index &+= 8
  }
  while index < length {
    let byte = source[index]
    target[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
    index &+= 1
  }
}

/// Converts eight bytes at a time: the top bits of `atLeastA` and `aboveZ` hold the results of comparing each byte with
/// `A` and `Z`.
@inline(__always)
private func lowercased(_ block: UInt64) -> UInt64 {
  let low = block & 0x7F7F_7F7F_7F7F_7F7F
  let atLeastA = low &+ 0x3F3F_3F3F_3F3F_3F3F
  let aboveZ = low &+ 0x2525_2525_2525_2525
  return block | ((atLeastA ^ aboveZ) & 0x8080_8080_8080_8080 & ~block) >> 2
}
