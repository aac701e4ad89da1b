import DocumentFormats
import JSONText

/// A part of a text file that becomes a document: a cell, a section, a node or a cue, or the whole file.
struct FilePart {
  /// The location in the file; nil for the whole file.
  var location: PartLocation?
  var metadata = DocumentMetadata()
  /// The front matter without the title, as JSON object text.
  var meta: [UInt8]?
  /// The text in UTF-8.
  var text: [UInt8]
}

/// Splits files of formats with sections.
struct FileSections {
  let parser: JSONParser
  let html: HTMLParser

  /// Returns the parts of a file; nil if its format has no sections, or if its content is not in that format.
  ///
  /// - Parameter text: UTF-8.
  func parts(of text: UnsafeRawBufferPointer, in source: SourceFile) -> [FilePart]? {
    switch source.format {
    case .notebook: Notebook.cells(of: text, parser: parser, html: html)
    case .man: ManualPage.sections(of: text)
    case .info: InfoFile.nodes(of: text, name: source.contentName)
    case .subtitles: Subtitles.cues(of: text)
    default: nil
    }
  }
}
