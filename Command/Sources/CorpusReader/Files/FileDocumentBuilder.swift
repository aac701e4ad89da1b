import Foundation
import JSONText

/// The content of a file that is one document.
struct FileContent {
  var title: String?
  /// The front matter without the title, as JSON object text.
  var meta: [UInt8]?
  /// UTF-8.
  var text: UnsafeRawBufferPointer
}

/// Writes the documents of files.
///
/// Not `Sendable` because it reuses its buffer.
final class FileDocumentBuilder {
  private let buffer = ByteBuffer()

  /// Writes the text last, so that a reader of another member need not scan it.
  func json(_ content: FileContent, of source: SourceFile) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", source.path)
      writer.member("name", source.name)
      writer.member("type", source.format.rawValue)
      if let title = content.title { writer.member("title", title) }
      if let meta = content.meta { writer.member("meta") { $0.write(rawJSON: meta) } }
      writer.member("size", source.size)
      writer.member("modified", Timestamp.text(nanoseconds: source.modified))
    }
    buffer.removeAll()
    // Appends the members without the closing brace, which follows the text.
    writer.bytes.dropLast().withUnsafeBytes { buffer.append($0) }
    for byte in #","text":"#.utf8 { buffer.append(byte) }
    JSONStringEscape.append(content.text, to: buffer)
    buffer.append(UInt8(ascii: "}"))
    return [UInt8](buffer.bytes)
  }
}
