import Foundation

/// Reads a file in blocks and converts UTF-16 to UTF-8.
///
/// Other character sets are not converted: each record is decoded separately because a file of records may mix
/// character sets.
final class ByteSource {
  private let input: FileInput
  /// The bytes that were read or converted but not yet consumed.
  private let pending = ByteBuffer()
  private var taken = 0
  private var utf16: UTF16Decoder?
  private var isAtEnd = false
  /// The most recently read bytes, before conversion.
  private let raw = ByteBuffer()

  /// The size of a read call in bytes.
  static let blockSize = 1 << 20

  /// Reads the start of the file and determines its character set.
  ///
  /// - Parameter toleratesNUL: whether a NUL byte alone does not make the file binary, as for records: one damaged
  ///   record must not hide the others.
  /// - Throws: ``SystemError``, or ``UndecodableText`` for a binary file.
  init(_ input: FileInput, toleratesNUL: Bool = false) throws {
    self.input = input
    while raw.count < TextEncoding.sniffedCount, !isAtEnd {
      isAtEnd = try raw.append(from: input, atMost: TextEncoding.sniffedCount - raw.count) == 0
    }
    switch TextEncoding(sniffing: raw.bytes, toleratesNUL: toleratesNUL) {
    case .binary(let format): throw UndecodableText.binary(format: format)
    case .bytes(let mark): pending.append(UnsafeRawBufferPointer(rebasing: raw.bytes[mark...]))
    case .utf16(let isBigEndian, let mark):
      utf16 = UTF16Decoder(isBigEndian: isBigEndian)
      utf16?.decode(UnsafeRawBufferPointer(rebasing: raw.bytes[mark...]), isLast: isAtEnd, into: pending)
    }
  }

  /// The bytes read ahead, after conversion: initially those of the first 8 KiB of the file.
  var ahead: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: pending.bytes[taken...]) }

  /// Appends the next block to a buffer.
  ///
  /// - Returns: false at the end of the file.
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
