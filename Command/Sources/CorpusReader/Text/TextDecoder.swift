/// Converts text in an unknown character set to UTF-8.
///
/// UTF-8 is used unchanged, without its byte order mark. Otherwise the decoder tries UTF-16, which it recognizes by the
/// byte order mark or by zero bytes, then the encoding that an XML declaration names, then UTF-8 with a few invalid
/// bytes, and then Windows-1252, a superset of Latin-1, unless a byte is invalid in it.
///
/// Not `Sendable` because it reuses its buffer.
final class TextDecoder {
  private let converted = ByteBuffer()

  /// Returns the text as UTF-8.
  ///
  /// - Returns: bytes that are valid as long as `file` is and until the next call, or the reason why the file is not
  ///   text.
  func decode(_ file: UnsafeRawBufferPointer) -> Result<UnsafeRawBufferPointer, UndecodableText> {
    converted.removeAll()
    switch TextEncoding(sniffing: file) {
    case .binary(let format):
      return .failure(.binary(format: format))
    case .utf16(let isBigEndian, let mark):
      var decoder = UTF16Decoder(isBigEndian: isBigEndian)
      decoder.decode(UnsafeRawBufferPointer(rebasing: file[mark...]), isLast: true, into: converted)
      // Without a byte order mark, UTF-16 is only a guess, which an unpaired surrogate disproves.
      if mark == 0, decoder.repairs > 0 {
        return .failure(.binary(format: nil))
      }
      return .success(converted.bytes)
    case .bytes(let mark):
      let text = UnsafeRawBufferPointer(rebasing: file[mark...])
      if text.isUTF8 { return .success(text) }
      if mark == 0, let name = XMLDeclaration.encoding(of: text).flatMap({ DeclaredCharacterSet.resolved($0) }),
        let declared = NamedCharacterSet.decode(text, name: name)
      {
        return .success(keep(declared))
      }
      if let repaired = DamagedUTF8.repaired(text) { return .success(keep(repaired)) }
      guard mark == 0, Windows1252.isPlausible(text) else {
        return .failure(
          UndecodableText(kind: .notUTF8, reason: "neither UTF-8 nor another known character set"))
      }
      Windows1252.decode(text, into: converted)
      return .success(converted.bytes)
    }
  }

  /// Copies text that was decoded elsewhere into the buffer, and returns bytes that are valid until the next call.
  func keep(_ text: [UInt8]) -> UnsafeRawBufferPointer {
    converted.removeAll()
    text.withUnsafeBytes { converted.append($0) }
    return converted.bytes
  }
}

/// The reason why a file is not text.
struct UndecodableText: Error {
  var kind: CorpusProblem.Kind
  var reason: String

  /// Returns the error for a binary file.
  ///
  /// - Parameter format: the name of the format, if it is known.
  static func binary(format: String?) -> UndecodableText {
    UndecodableText(kind: .binary(format: format), reason: "binary file" + (format.map { " (\($0))" } ?? ""))
  }

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
