import Foundation

/// Decodes text with iconv(3).
package enum Iconv {
  /// Returns the text as UTF-8, or nil if iconv does not support the character set.
  ///
  /// - Parameters:
  ///   - characterSet: the name of the character set, without options for iconv.
  ///   - replacement: the text for each byte of malformed input.
  package static func decode(
    _ text: UnsafeRawBufferPointer, characterSet: String, replacement: String = "\u{FFFD}"
  ) -> [UInt8]? {
    guard let converter = iconv_open("UTF-8", characterSet), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count + text.count / 2)
    var block = [UInt8](repeating: 0, count: min(text.count * 2 + 64, 64 << 10))
    var input = UnsafeMutablePointer(mutating: text.baseAddress?.assumingMemoryBound(to: CChar.self))
    var inputLeft = text.count
    var isComplete = false
    while !isComplete {
      // Without input, the call writes the letter that iconv holds back in character sets with combining characters,
      // such as Windows-1255.
      isComplete = inputLeft == 0
      var fault: Int32 = 0
      let count = block.withUnsafeMutableBytes { buffer in
        var output = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        var outputLeft = buffer.count
        // If input remains, an error occurred, and errno contains the reason.
        if isComplete {
          _ = iconv(converter, nil, nil, &output, &outputLeft)
        } else {
          _ = iconv(converter, &input, &inputLeft, &output, &outputLeft)
        }
        fault = errno
        return buffer.count - outputLeft
      }
      result += block[..<count]
      // E2BIG means that the block is full.
      if inputLeft > 0, fault != E2BIG {
        result += replacement.utf8
        input = input?.advanced(by: 1)
        inputLeft -= 1
      }
    }
    return result
  }
}
