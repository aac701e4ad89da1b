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

/// Writes the document of a file.
struct DocumentWriter {
  /// The text stands last, so that who looks for another member need not read past it.
  static func json(_ content: FileContent, of source: SourceFile) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("path", source.path)
      writer.member("name", source.name)
      writer.member("type", source.format.rawValue)
      if let title = content.title { writer.member("title", title) }
      if let meta = content.meta { writer.member("meta") { $0.write(rawJSON: meta) } }
      writer.member("size", source.size)
      writer.member("modified", Timestamp.text(nanoseconds: source.modified))
      writer.member("text") { $0.write(utf8: content.text) }
    }
    return writer.bytes
  }
}
