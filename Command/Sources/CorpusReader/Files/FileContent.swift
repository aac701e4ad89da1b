import JSONText

/// The content of a file that becomes one document.
struct FileContent {
  var title: String?
  /// The front matter without the title, as JSON object text.
  var meta: [UInt8]?
  /// The names that a file of source code defines, separated by spaces; nil if there are none.
  var symbols: String?
  /// The text in UTF-8.
  var text: UnsafeRawBufferPointer
}

extension FileContent {
  /// Returns the document for a file. The text is its last member, so that reading another member does not scan the
  /// text.
  ///
  /// - Parameters:
  ///   - language: the code of the language, if it is known.
  ///   - parser: parses the front matter.
  /// - Throws: ``JSONError`` if the front matter contains a number that JSON cannot represent.
  func document(of source: SourceFile, language: String?, parser: JSONParser) throws -> JSONObjectBuilder {
    var document = JSONObjectBuilder()
    document.add("path", source.path)
    document.add("name", source.name)
    document.add("type", source.format.rawValue)
    if let title { document.add("title", title) }
    if let meta { document.add("meta", json: meta, try meta.withUnsafeBytes { try parser.parse($0) }) }
    if let language { document.add("language", language) }
    if let symbols { document.add("symbols", symbols) }
    document.add("size", source.size)
    document.add("modified", Timestamp.text(nanoseconds: source.modified))
    document.add("text", utf8: text)
    return document
  }
}
