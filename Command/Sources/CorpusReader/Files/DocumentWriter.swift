import Foundation
import JSONText

/// What was found in a file that is one document.
struct FileContent {
  var title: String?
  /// The front matter without the title, as the text of a JSON object.
  var meta: [UInt8]?
  /// UTF-8.
  var text: UnsafeRawBufferPointer
}

/// Writes the documents of files.
///
/// Not `Sendable`: its buffer is reused from document to document.
final class DocumentWriter {
  private let buffer = ByteBuffer()

  /// The text stands last, so that who looks for another member need not read past it.
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
    // Without its brace, which stands behind the text.
    writer.bytes.dropLast().withUnsafeBytes { buffer.append($0) }
    for byte in #","text":"#.utf8 { buffer.append(byte) }
    JSONStringEscape.append(content.text, to: buffer)
    buffer.append(UInt8(ascii: "}"))
    return [UInt8](buffer.bytes)
  }
}
