import DocumentFormats

/// Reads subtitles in SubRip (`.srt`) and WebVTT (<https://www.w3.org/TR/webvtt1/>).
enum Subtitles {
  /// Returns the cues, each with its start time (`00:01:02`) as the name of its location; nil if the text has none.
  static func cues(of text: UnsafeRawBufferPointer) -> [FilePart]? {
    var lines = TextLines(text)
    var parts: [FilePart] = []
    var metadata = DocumentMetadata()
    var isFirstLine = true
    var isWebVTT = false
    while let line = lines.next() {
      if isFirstLine, line.starts(with: "WEBVTT".utf8) {
        isWebVTT = true
        metadata.title = title(line)
      }
      isFirstLine = false
      guard let start = startTime(line) else { continue }
      var words: [UInt8] = []
      while let line = lines.next(), !line.isBlank {
        append(line, to: &words)
        words.append(UInt8(ascii: "\n"))
      }
      if isWebVTT, words.contains(UInt8(ascii: "&")) { words = decodingReferences(words) }
      guard words.contains(where: { !$0.isJSONSpace }) else { continue }
      parts.append(
        FilePart(location: PartLocation(.cue, parts.count + 1, name: start), metadata: metadata, text: words))
    }
    return parts.isEmpty ? nil : parts
  }

  /// Returns the title in the first line of WebVTT: `WEBVTT - Interview`.
  private static func title(_ line: UnsafeRawBufferPointer) -> String? {
    let rest = UnsafeRawBufferPointer(
      rebasing: line.dropFirst("WEBVTT".utf8.count).drop { $0 == 0x2D || $0.isJSONSpace })
    let title = rest.trimmedString
    return title.isEmpty || title.utf8.count > 1000 ? nil : title
  }

  /// Returns the first time of a line `00:01:02,500 --> 00:01:04,000` or `01:02.500 --> 01:04.000`, without fractions;
  /// nil for any other line.
  private static func startTime(_ line: UnsafeRawBufferPointer) -> String? {
    // A quick check: lines with times are short, and most lines are text.
    guard line.count < 200, line.contains(UInt8(ascii: ">")) else { return nil }
    let words = line.split { $0.isJSONSpace }
    guard words.count >= 3, words[1].elementsEqual("-->".utf8) else { return nil }
    let clock = words[0].prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ".") }
    let numbers = clock.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
      UInt16(String(decoding: $0, as: UTF8.self))
    }
    guard numbers.count == 2 || numbers.count == 3, !numbers.contains(nil) else { return nil }
    let padded = (numbers.count == 2 ? [0] : []) + numbers.compactMap { $0 }
    return padded.map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }

  /// Appends a line without tags (`<i>`, `<v Anna>`) and positions (`{\an8}`). A `<` without a following `>` is text.
  private static func append(_ line: UnsafeRawBufferPointer, to words: inout [UInt8]) {
    var index = 0
    while index < line.count {
      let close: UInt8? =
        switch line[index] {
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        case UInt8(ascii: "{") where index + 1 < line.count && line[index + 1] == UInt8(ascii: "\\"): UInt8(ascii: "}")
        default: nil
        }
      if let close, let end = line.firstIndex(of: close, from: index) {
        index = end + 1
      } else {
        if close != nil {
          // No closing bracket follows, so the rest of the line contains no tags.
          words += line[index...]
          return
        }
        words.append(line[index])
        index += 1
      }
    }
  }

  /// Decodes the references `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, `&nbsp;`, `&lrm;`, `&rlm;` and numbers:
  /// `&#8217;`, `&#x2019;`. Others, which WebVTT also allows, are rare in subtitles.
  private static func decodingReferences(_ words: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var index = 0
    while index < words.count {
      if words[index] == UInt8(ascii: "&"), let end = words[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: words[(index + 1)..<end], as: UTF8.self))
      {
        decoded += String(character).utf8
        index = end + 1
      } else {
        decoded.append(words[index])
        index += 1
      }
    }
    return decoded
  }

  /// Returns the character of a reference without `&` and `;`.
  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    case "lrm": return "\u{200E}"
    case "rlm": return "\u{200F}"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
      let value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
      // A NUL is not text.
      return value.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
    }
  }
}
