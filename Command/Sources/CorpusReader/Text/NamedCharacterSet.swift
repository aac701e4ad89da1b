import Foundation

/// Decodes text in a character set that a mail header or an HTML page declares, using the system's iconv.
enum NamedCharacterSet {
  /// Returns the text as UTF-8, or nil if iconv does not support the character set. Malformed input becomes U+FFFD.
  static func decode(_ text: UnsafeRawBufferPointer, name: String) -> [UInt8]? {
    // iconv interprets "//" and the text after it as options.
    guard !name.isEmpty, name.utf8.count < 64, name.utf8.allSatisfy(isNamePart) else { return nil }
    // Latin-1 is commonly used as a name for Windows-1252 (<https://encoding.spec.whatwg.org/#names-and-labels>).
    if ["iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252", "cp1252"].contains(name.lowercased()) {
      let result = ByteBuffer()
      Windows1252.decode(text, into: result)
      return result.array
    }
    guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    let result = ByteBuffer()
    var input = UnsafeMutablePointer(mutating: text.baseAddress?.assumingMemoryBound(to: CChar.self))
    var inputLeft = text.count
    while inputLeft > 0 {
      var fault: Int32 = 0
      result.fill(atMost: inputLeft * 2 + 64) { buffer in
        var output = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        var outputLeft = buffer.count
        // If input remains, an error occurred, and errno contains the reason.
        _ = iconv(converter, &input, &inputLeft, &output, &outputLeft)
        fault = errno
        return buffer.count - outputLeft
      }
      // E2BIG means that the buffer is full. The next iteration extends it.
      if inputLeft > 0, fault != E2BIG {
        result.append(scalar: 0xFFFD)
        input = input?.advanced(by: 1)
        inputLeft -= 1
      }
    }
    let decoded = result.array
    return decoded.withUnsafeBytes { $0.isUTF8 } ? decoded : nil
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "-_.:".utf8.contains(byte)
  }
}
