/// The encoding that the first bytes of a file indicate.
enum TextEncoding: Equatable {
  /// UTF-8, ASCII or a single-byte character set; the whole text is needed to decide.
  case bytes(mark: Int)
  /// UTF-16, with a byte order mark of the given number of bytes, or 0.
  case utf16(isBigEndian: Bool, mark: Int)
  /// A binary file. `format` is the name of its format, such as PNG, or nil if its signature is unknown.
  case binary(format: String?)

  /// The number of bytes examined.
  static let sniffedCount = 8 << 10

  /// Examines the first ``sniffedCount`` bytes of a file, or all of a shorter one.
  ///
  /// As in git and grep, a file is binary if it contains a NUL byte. It is also binary if it begins with the signature
  /// of a binary format. NUL bytes at positions that are plausible for UTF-16 are ignored.
  ///
  /// - Parameter toleratesNUL: whether a file that contains a NUL byte, but no other control characters of binary
  ///   files, is not binary.
  init(sniffing file: UnsafeRawBufferPointer, toleratesNUL: Bool = false) {
    let head = UnsafeRawBufferPointer(rebasing: file.prefix(TextEncoding.sniffedCount))
    let toleratesNUL = toleratesNUL && !head.contains(where: TextEncoding.isBinaryControl)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = head.hasNUL && !toleratesNUL ? .binary(format: nil) : .bytes(mark: 3)
    } else if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .binary(format: "UTF-32")
    } else if head.starts(with: [0xFF, 0xFE]) {
      self = .utf16(isBigEndian: false, mark: 2)
    } else if head.starts(with: [0xFE, 0xFF]) {
      self = .utf16(isBigEndian: true, mark: 2)
    } else if let format = BinarySignature.kind(of: head) {
      self = .binary(format: format)
    } else if !head.hasNUL {
      self = .bytes(mark: 0)
    } else if let isBigEndian = TextEncoding.utf16Order(of: head) {
      self = .utf16(isBigEndian: isBigEndian, mark: 0)
    } else {
      self = toleratesNUL ? .bytes(mark: 0) : .binary(format: nil)
    }
  }

  /// Returns whether a byte is a control character that text does not contain, other than NUL. Escape begins a sequence
  /// of ISO 2022.
  private static func isBinaryControl(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x01...0x08, 0x0E...0x1A, 0x1C...0x1F, 0x7F: true
    default: false
    }
  }

  /// Guesses the byte order of UTF-16 without a mark: most characters are below U+0100 and have a zero high byte, few
  /// have a zero low byte, and none is U+0000.
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
