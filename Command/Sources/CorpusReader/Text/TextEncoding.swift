/// What the first bytes of a file tell about its character set.
enum TextEncoding: Equatable {
  /// UTF-8, ASCII, or a set of one byte a character: to be told by the whole text.
  case bytes(mark: Int)
  /// UTF-16, with or without a byte order mark of so many bytes.
  case utf16(isBigEndian: Bool, mark: Int)
  /// Not text; the reason in words.
  case binary(String)

  /// How many bytes are looked at.
  static let sniffedCount = 8 << 10

  /// Looks at the first ``sniffedCount`` bytes of a file, or all of a shorter one.
  ///
  /// A file is binary when it begins as a known kind of binary file does or holds a NUL byte, as for git and
  /// grep, unless the NUL bytes stand where UTF-16 has them.
  init(sniffing file: UnsafeRawBufferPointer) {
    let head = UnsafeRawBufferPointer(rebasing: file.prefix(TextEncoding.sniffedCount))
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = head.hasNUL ? .binary("binary file") : .bytes(mark: 3)
    } else if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .binary("UTF-32 is not supported")
    } else if head.starts(with: [0xFF, 0xFE]) {
      self = .utf16(isBigEndian: false, mark: 2)
    } else if head.starts(with: [0xFE, 0xFF]) {
      self = .utf16(isBigEndian: true, mark: 2)
    } else if let kind = BinarySignature.kind(of: head) {
      self = .binary("binary file (\(kind))")
    } else if !head.hasNUL {
      self = .bytes(mark: 0)
    } else if let isBigEndian = TextEncoding.utf16Order(of: head) {
      self = .utf16(isBigEndian: isBigEndian, mark: 0)
    } else {
      self = .binary("binary file")
    }
  }

  /// The byte order of UTF-16 without a mark: most text has characters below U+0100, whose high byte is zero, few
  /// whose low byte is, and no U+0000.
  private static func utf16Order(of head: UnsafeRawBufferPointer) -> Bool? {
    let pairs = head.count / 2
    guard pairs >= 2 else { return nil }
    var first = 0
    var second = 0
    for pair in 0..<pairs {
      let (a, b) = (head[2 * pair], head[2 * pair + 1])
      if a == 0, b == 0 { return nil }
      if a == 0 { first += 1 }
      if b == 0 { second += 1 }
    }
    if first * 10 <= pairs, second * 10 >= pairs * 7 { return false }
    if second * 10 <= pairs, first * 10 >= pairs * 7 { return true }
    return nil
  }
}
