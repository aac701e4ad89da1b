import Foundation

/// A file that is read in pieces, as UTF-8 where it turns out to be UTF-16.
///
/// Other character sets are left as they are: a record is decoded on its own, since a file of records may be mixed.
final class ByteSource {
  private let input: FileInput
  /// What has been read or converted, and not been taken.
  private let pending = ByteBuffer()
  private var taken = 0
  private var utf16: UTF16Decoder?
  private var isAtEnd = false
  /// What was read last, before it was converted.
  private let raw = ByteBuffer()

  /// How many bytes are asked of the system at a time.
  static let blockSize = 1 << 20

  /// Reads the start of the file and tells its character set by it.
  ///
  /// - Throws: ``SystemError``, or ``UndecodableText`` for a binary file.
  init(_ input: FileInput) throws {
    self.input = input
    while raw.count < TextEncoding.sniffedCount, !isAtEnd {
      isAtEnd = try raw.append(from: input, atMost: TextEncoding.sniffedCount - raw.count) == 0
    }
    switch TextEncoding(sniffing: raw.bytes) {
    case .binary(let reason): throw UndecodableText(kind: .binary, reason: reason)
    case .bytes(let mark): pending.append(UnsafeRawBufferPointer(rebasing: raw.bytes[mark...]))
    case .utf16(let isBigEndian, let mark):
      utf16 = UTF16Decoder(isBigEndian: isBigEndian)
      utf16?.decode(UnsafeRawBufferPointer(rebasing: raw.bytes[mark...]), isLast: isAtEnd, into: pending)
    }
  }

  /// What comes next, as far as it has been read: 8 KiB at the start of a longer file.
  var ahead: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: pending.bytes[taken...]) }

  /// Appends the next piece to a buffer.
  ///
  /// - Returns: whether there was one.
  func read(into buffer: ByteBuffer) throws -> Bool {
    while true {
      if !ahead.isEmpty {
        buffer.append(ahead)
        taken = pending.count
        return true
      }
      if isAtEnd { return false }
      guard utf16 != nil else {
        isAtEnd = try buffer.append(from: input, atMost: ByteSource.blockSize) == 0
        return !isAtEnd
      }
      pending.removeAll()
      raw.removeAll()
      taken = 0
      isAtEnd = try raw.append(from: input, atMost: ByteSource.blockSize) == 0
      utf16?.decode(raw.bytes, isLast: isAtEnd, into: pending)
    }
  }
}
