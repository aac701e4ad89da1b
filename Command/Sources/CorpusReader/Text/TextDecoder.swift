/// Turns the bytes of a text in an unknown character set into UTF-8.
///
/// UTF-8 is taken as it stands, without its byte order mark. Then come UTF-16, by its byte order mark or by its
/// zero bytes, and Windows-1252, which Latin-1 is a part of, if no byte speaks against it.
///
/// Not `Sendable`: its buffer is reused from text to text.
final class TextDecoder {
  private let converted = ByteBuffer()

  /// The text as UTF-8.
  ///
  /// - Returns: bytes that are valid while `file` is and until the next call, or why there is no text.
  func decode(_ file: UnsafeRawBufferPointer) -> Result<UnsafeRawBufferPointer, UndecodableText> {
    converted.removeAll()
    switch TextEncoding(sniffing: file) {
    case .binary(let reason):
      return .failure(UndecodableText(kind: .binary, reason: reason))
    case .utf16(let isBigEndian, let mark):
      var decoder = UTF16Decoder(isBigEndian: isBigEndian)
      decoder.decode(UnsafeRawBufferPointer(rebasing: file[mark...]), isLast: true, into: converted)
      // Without a mark it was a guess, which a broken pair refutes.
      if mark == 0, decoder.repairs > 0 {
        return .failure(UndecodableText(kind: .binary, reason: "binary file"))
      }
      return .success(converted.bytes)
    case .bytes(let mark):
      let text = UnsafeRawBufferPointer(rebasing: file[mark...])
      if text.isUTF8 { return .success(text) }
      guard mark == 0, Windows1252.isPlausible(text) else {
        return .failure(
          UndecodableText(kind: .notUTF8, reason: "neither UTF-8 nor another known character set"))
      }
      Windows1252.decode(text, into: converted)
      return .success(converted.bytes)
    }
  }

  /// Keeps text that was decoded otherwise, as ``decode(_:)`` would.
  func keep(_ text: [UInt8]) -> UnsafeRawBufferPointer {
    converted.removeAll()
    text.withUnsafeBytes { converted.append($0) }
    return converted.bytes
  }
}

/// Why a file is not text.
struct UndecodableText: Error {
  var kind: CorpusProblem.Kind
  var reason: String

  func problem(_ path: String, line: Int? = nil) -> CorpusProblem {
    CorpusProblem(path: path, line: line, kind: kind, reason: reason)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are valid UTF-8.
  var isUTF8: Bool {
    withMemoryRebound(to: UInt8.self) { bytes in
      do {
        _ = try UTF8Span(validating: bytes.span)
        return true
      } catch {
        return false
      }
    }
  }
}
