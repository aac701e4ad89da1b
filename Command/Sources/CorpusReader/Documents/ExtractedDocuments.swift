import DocumentFormats
import JSONText

/// Converts the parts of a file that ``DocumentFormats`` extracts to documents: one for each page, sheet, slide,
/// chapter or member of an archive.
///
/// The id of a document is the path of the file. For a member of an archive, `/` and the path of the member follow; for
/// a page, sheet, slide or chapter, `:` and its number or name: `report.pdf:12`, `box.zip/letters/a.docx`,
/// `prices.xlsx:March`.
struct ExtractedDocuments {
  let source: SourceFile
  let languages: DocumentLanguage
  let parser: JSONParser
  /// Returns the sections of a text file, or the whole file as one part.
  let read: ([UInt8], SourceFile) throws -> [FilePart]

  private(set) var documentCount = 0
  private(set) var blankCount = 0
  private var ordinal = 0

  init(
    _ source: SourceFile, _ languages: DocumentLanguage, _ parser: JSONParser,
    read: @escaping ([UInt8], SourceFile) throws -> [FilePart]
  ) {
    self.source = source
    self.languages = languages
    self.parser = parser
    self.read = read
  }

  /// Passes the document of a part to `body`. A part without text is only counted.
  ///
  /// - Throws: ``UndecodableText`` for a member that is not text, and errors that `body` throws.
  mutating func add(_ part: ExtractedPart, body: DocumentSink) throws {
    guard part.isFile else {
      return try pass(part, of: source, type: part.format, size: source.size, body: body)
    }
    let path = path(of: part)
    let format = part.format.isEmpty ? CorpusFormat(fileName: path).asDocument : .html
    let file = SourceFile(
      path: path, absolutePath: source.absolutePath, size: Int64(part.content.count), modified: source.modified,
      format: format, language: source.language)
    let plainType = format.withoutSections.rawValue
    for section in try read(part.content, file) {
      var document = part
      document.content = section.text
      document.location = part.location ?? section.location
      document.metadata.title =
        part.location == nil ? section.metadata.title : section.metadata.title ?? part.metadata.title
      document.metadata.author = part.metadata.author ?? section.metadata.author
      document.metadata.created = part.metadata.created ?? section.metadata.created
      // The format of a compressed file or an attachment is that of the source, because a media type may determine it.
      let member = part.member.isEmpty ? source : section.location == nil ? file.withoutSections : file
      try pass(
        document, of: member, meta: section.meta,
        type: !part.format.isEmpty ? part.format : section.location == nil ? plainType : format.rawValue,
        size: part.member.isEmpty ? source.size : file.size, body: body)
    }
  }

  func path(of part: ExtractedPart) -> String {
    part.member.isEmpty ? source.path : "\(source.path)/\(part.member)"
  }

  /// - Parameter file: the file or the member of an archive that contains the part.
  private mutating func pass(
    _ part: ExtractedPart, of file: SourceFile, meta: [UInt8]? = nil, type: String, size: Int64, body: DocumentSink
  ) throws {
    ordinal += 1
    let text = part.content
    guard !(text.withUnsafeBytes { $0.isBlank }) else {
      blankCount += 1
      return
    }
    documentCount += 1
    let path = path(of: part)
    let id = part.location.map { "\(path):\($0.label)" } ?? path
    var document = JSONObjectBuilder()
    document.add("path", path)
    document.add("name", SourceFile.name(ofPath: path))
    document.add("type", type)
    if let title = part.metadata.title { document.add("title", title) }
    // Numbers that JSON cannot represent must not make the other members of an archive unreadable.
    if let meta, let value = try? meta.withUnsafeBytes({ try parser.parse($0) }) {
      document.add("meta", json: meta, value)
    }
    if let author = part.metadata.author { document.add("author", author) }
    if let created = part.metadata.created { document.add("created", created) }
    let language = text.withUnsafeBytes { languages.language(of: $0, declared: part.metadata.language, in: file) }
    if let language { document.add("language", language) }
    if let location = part.location {
      document.add(location.kind.rawValue, Int64(location.number))
      if let name = location.name { document.add(location.kind.nameMember, name) }
    }
    document.add("size", size)
    document.add("modified", Timestamp.text(nanoseconds: source.modified))
    let valid = text.withUnsafeBytes { $0.isUTF8 } ? text : Array(String(decoding: text, as: UTF8.self).utf8)
    valid.withUnsafeBytes { document.add("text", utf8: $0) }
    try document.withObject { json, root in
      // An archive may contain two members with the same name, and a manual page two sections with the same heading.
      try body(CorpusDocument(id: id, alternateID: "\(id)#\(ordinal)", json: json), root)
    }
  }
}

extension ExtractionFailure {
  /// Returns the failure as a problem with the file, or with the member that it concerns.
  func problem(_ path: String) -> CorpusProblem {
    guard member.isEmpty else {
      return CorpusProblem(path: "\(path)/\(member)", kind: .skippedMember, reason: reason)
    }
    if [.unreadable, .unavailable].contains(kind) {
      return CorpusProblem(path: path, kind: .unreadable, reason: reason)
    }
    return CorpusProblem(path: path, kind: .notExtracted(label), reason: reason)
  }

  private var label: String {
    switch kind {
    case .encrypted: "encrypted"
    case .damaged: "damaged"
    case .tooLarge: "above the size limit"
    case .unsupported: "without an installed library"
    case .crashed: "that crashed the extractor"
    case .timedOut: "above the limit on processor time"
    case .unreadable, .unavailable: "unreadable"
    case .otherFormat: "in a format that is not read"
    case .unsafeName: "with unsafe names"
    }
  }
}
