public import DocumentFormats
import Foundation
public import JSONText

/// Turns files into JSON documents.
///
/// ```swift
/// let reader = try CorpusFileReader(checkID: DocumentImporter.checkID, extractor: InProcessExtractor())
/// try CorpusWalker(paths: ["docs"]).walk { file in
///   try reader.read(file) { document, root in
///     print(document.id, root["title"]?.string ?? "")
///   } problem: { print($0) }
/// }
/// ```
///
/// A file of text, code, Markdown or HTML is one document with the members `path`, `name`, `type`, `title` (if it has
/// one), `meta` (Markdown front matter), `symbols` (the names that source code defines), `size`, `modified` and `text`;
/// its id is its path. Each record of a JSON, JSONL, CSV or TSV file is a document with the members of the
/// record; its id is the property that the options name, else `_id`, else `id`, else ``CorpusDocument/location(in:)``.
/// Files compressed with gzip, xz, Zstandard or bzip2 are decompressed. A PDF file, an office file, a book or an
/// archive becomes one document for each page, sheet, slide, chapter or member; a notebook, a manual page or a subtitle
/// file becomes one for each cell, section or cue. Each message of a mailbox is a document with the members `title`,
/// `from`, `to`, `cc`, `subject`, `date` and `text`; its id is its Message-ID, else the path, `#` and its number. Its
/// attachments are separate documents.
///
/// Files of records are streamed. Memory is bounded by ``CorpusOptions/maximumDocumentSize``.
///
/// A reader reuses its buffers and is not `Sendable`: each thread needs its own.
public final class CorpusFileReader {
  let options: CorpusOptions
  private let identity: RecordIdentity
  let parser: JSONParser
  private let html: HTMLParser
  private let decoder = TextDecoder()
  private let buffer = ByteBuffer()
  private let titles = FileTitle()
  let extractor: any DocumentExtracting
  let languages: DocumentLanguage
  /// The nesting depth of the message being read: 0 unless another file contains it.
  var depth = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - options: which files are read, and how.
  ///   - checkID: throws if the store does not accept an id. The error's description is part of the problem that is
  ///     reported.
  ///   - extractor: extracts documents in binary formats and archives. A ``WorkerExtractor`` extracts them in another
  ///     process, which files that are not trusted require.
  /// - Throws: if memory cannot be allocated.
  public init(
    options: CorpusOptions = CorpusOptions(), checkID: @escaping (String) throws -> Void,
    extractor: any DocumentExtracting
  ) throws {
    self.options = options
    self.extractor = extractor
    languages = DocumentLanguage(detects: options.detectsLanguage)
    identity = RecordIdentity(idField: options.idField, checkID: checkID)
    parser = try JSONParser()
    html = try HTMLParser()
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - source: a file found by a walk.
  ///   - body: called with each document and its parsed text, which is valid during the call. An error that it throws
  ///     ends the reading.
  ///   - problem: called for each file or record that could not be read; reading continues if possible.
  /// - Throws: only errors that `body` throws.
  public func read(
    _ source: SourceFile, body: (CorpusDocument, JSONElement) throws -> Void, problem: (CorpusProblem) -> Void
  ) throws {
    if let preprocessor = source.preprocessor {
      buffer.removeAll()
      return try readingProblems(source.path, problem) {
        try preprocessor.run(
          path: source.absolutePath, allowsPipe: source.isPipe, into: buffer, limit: options.maximumDocumentSize)
        try passFile(source, .location, body: body, problem: problem)
      }
    }
    if source.format == .document { return try readParts(of: source, body: body, problem: problem) }
    try readingProblems(source.path, problem) {
      let descriptor = try FileSystem.openForReading(source.absolutePath, allowsPipe: source.isPipe)
      defer { close(descriptor) }
      try read(descriptor, source, body: body, problem: problem)
    }
  }

  /// Reads the standard input, or another open file.
  ///
  /// The options name the format. Without a format, text that begins with `[` is JSON, text that begins with `{` is
  /// JSONL if its first line is a complete object and JSON otherwise, and everything else is plain text.
  ///
  /// - Parameters:
  ///   - descriptor: the file to read, up to its end. It is left open.
  ///   - path: the path used in ids and problems. The id of a document without an id consists of this path and a
  ///     checksum of the content: `stdin:0f3c…`.
  ///   - body: called with each document and its parsed text, which is valid during the call. An error that it throws
  ///     ends the reading.
  ///   - problem: called for each record that could not be read.
  /// - Throws: only errors that `body` throws.
  public func read(
    standardInput descriptor: Int32 = 0, path: String = "stdin",
    body: (CorpusDocument, JSONElement) throws -> Void, problem: (CorpusProblem) -> Void
  ) throws {
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0 && status.isRegular
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // The modification time of a stream is the time of reading, with a precision of one second.
    now.tv_nsec = 0
    try readingProblems(path, problem) {
      // The format may be that of records. For the others, the whole text is checked.
      let bytes = try ByteSource(.plain(descriptor), toleratesNUL: true)
      let source = SourceFile(
        path: path, absolutePath: "/dev/fd/\(descriptor)", size: isKnown ? Int64(status.st_size) : 0,
        modified: isKnown ? status.modified : now.nanosecondsSince1970,
        format: options.format ?? StreamFormat.guess(bytes.ahead, parser))
      try read(bytes, source, .content, body: body, problem: problem)
    }
  }

  /// Returns the file, changed to a single document if its format is a guess and it does not parse as that format.
  ///
  /// ```swift
  /// let file = try reader.checkingFormat(of: file) { print($0) }   // tsconfig.json:3: not JSON: …
  /// ```
  ///
  /// - Parameters:
  ///   - source: a file found by a walk.
  ///   - problem: called with the first error, of kind ``CorpusProblem/Kind/otherFormat``, if the file is not a file of
  ///     records.
  /// - Complexity: O(n) for a file of records whose format is uncertain, which is parsed to its end; O(1) for others.
  public func checkingFormat(of source: SourceFile, problem: (CorpusProblem) -> Void) -> SourceFile {
    guard source.holdsRecords, !source.isFormatCertain,
      let fault = FormatCheck(self, source, maximumSize: options.maximumDocumentSize).fault()
    else { return source }
    problem(
      CorpusProblem(
        path: source.path, line: fault.line, kind: .otherFormat, reason: "\(fault.reason); the file is read as text"))
    return source.readAsText()
  }

  private func read(
    _ descriptor: Int32, _ source: SourceFile, body: DocumentSink, problem: ProblemSink
  ) throws {
    let input = try input(descriptor, source)
    if source.holdsRecords {
      // A NUL byte is a fault of one record.
      try read(try ByteSource(input, toleratesNUL: true), source, .location, body: body, problem: problem)
    } else {
      buffer.removeAll()
      // One byte more than the file size, so that a single call reaches the end.
      var wanted = Int(clamping: min(source.size, Int64(options.maximumDocumentSize))) + 1
      while buffer.count <= options.maximumDocumentSize {
        if try buffer.append(from: input, atMost: wanted) == 0 { break }
        wanted = max(wanted - buffer.count, 64 << 10)
      }
      try passFile(source, .location, body: body, problem: problem)
    }
  }

  /// Opens the input of a file, decompressing up to a limit if its name is that of a compressed file.
  private func input(_ descriptor: Int32, _ source: SourceFile) throws -> FileInput {
    guard source.isCompressed else { return .plain(descriptor) }
    let maximum = source.holdsRecords ? CorpusOptions.maximumDecompressedSize : Int64(options.maximumDocumentSize)
    return .compressed(try Decompressor(descriptor, limit: min(maximum, options.maximumFileSize ?? maximum)))
  }
}

extension CorpusFileReader {
  /// Returns the parts of a text file in memory: its sections, or one part.
  func parts(of bytes: [UInt8], _ source: SourceFile, problem: ProblemSink) throws -> [FilePart] {
    try bytes.withUnsafeBytes { bytes in
      let text = try decode(bytes, source).get()
      if let sections = FileSections(parser: parser, html: html).parts(of: text, in: source) { return sections }
      var part = FilePart(text: [])
      switch source.format {
      case .html:
        let page = html.parse(text)
        (part.metadata.title, part.text) = (page.title, page.text)
      case .markdown:
        let content = markdown(text, of: source, problem: problem)
        (part.metadata.title, part.meta, part.text) = (content.title, content.meta, Array(content.text))
      default: (part.metadata.title, part.text) = (titles.title(of: text, in: source), Array(text))
      }
      return [part]
    }
  }

  /// Reads the messages of a file.
  func readMail(
    _ bytes: ByteSource, _ source: SourceFile, _ generatedID: GeneratedID, buffer: ByteBuffer, body: DocumentSink,
    problem: ProblemSink
  ) throws {
    try withoutActuallyEscaping(body) { body in
      try withoutActuallyEscaping(problem) { problem in
        var mailbox = MailboxReader(
          identity: identity, path: source.path, limit: options.maximumDocumentSize, body: MailBody(html: html),
          generatedID: generatedID)
        mailbox.holdsOneMessage = source.format == .mail
        mailbox.usesMessageID = depth == 0
        mailbox.language = { self.languages.language(of: $0, in: source) }
        mailbox.readAttachments = { attachments, location, line in
          try self.readAttachments(attachments, at: location, line: line, of: source, body: body, problem: problem)
        }
        try mailbox.read(bytes, buffer: buffer, body: body, problem: problem)
      }
    }
  }

  /// Reads a file in blocks: its records, or the whole file as one document.
  private func read(
    _ bytes: ByteSource, _ source: SourceFile, _ generatedID: GeneratedID, body: DocumentSink, problem: ProblemSink
  ) throws {
    let limit = options.maximumDocumentSize
    let records = RecordParser(parser: parser, identity: identity, path: source.path, generatedID: generatedID)
    switch source.format {
    case .jsonl:
      try JSONLinesReader(records: records, limit: limit)
        .read(bytes, buffer: buffer, body: body, problem: problem)
    case .json:
      try JSONFileReader(records: records, limit: limit)
        .read(bytes, buffer: buffer, body: body, problem: problem)
    case .csv, .tsv:
      try CSVReader(
        identity: identity, path: source.path, generatedID: generatedID, limit: limit,
        isTabSeparated: source.format == .tsv
      ).read(bytes, buffer: buffer, body: body, problem: problem)
    case .mbox, .mail: try readMail(bytes, source, generatedID, buffer: buffer, body: body, problem: problem)
    case .text, .code, .markdown, .html, .notebook, .man, .info, .subtitles, .document:
      buffer.removeAll()
      while buffer.count <= limit, try bytes.read(into: buffer) {}
      try passFile(source, generatedID, body: body, problem: problem)
    }
  }

  /// Passes the document of the file whose bytes are in the buffer to `body`.
  private func passFile(
    _ source: SourceFile, _ generatedID: GeneratedID, body: DocumentSink, problem: ProblemSink
  ) throws {
    guard buffer.count <= options.maximumDocumentSize else {
      let size = max(source.size, Int64(buffer.count))
      return problem(
        .tooLarge(source.path, what: "the file", size: size, limit: Int64(options.maximumDocumentSize)))
    }
    switch decode(buffer.bytes, source) {
    case .failure(let fault): return problem(fault.problem(source.path))
    case .success(let text):
      if let sections = FileSections(parser: parser, html: html).parts(of: text, in: source) {
        var documents = ExtractedDocuments(source, languages, parser) { _, _ in [] }
        for section in sections {
          try documents.add(
            ExtractedPart(
              format: source.format.rawValue, location: section.location, metadata: section.metadata,
              content: section.text), body: body)
        }
        return
      }
      if source.format == .notebook { problem(Notebook.problem(with: text, path: source.path, parser: parser)) }
      // Derived from the text alone because the document also contains the time at which a stream was read.
      let id = generatedID == .content ? GeneratedID.contentID(text, path: source.path) : source.path
      let document: JSONObjectBuilder
      do {
        document = try self.document(text, of: source.withoutSections, problem: problem)
      } catch let fault as JSONError {
        return problem(CorpusProblem(path: source.path, kind: .invalidRecord, reason: fault.description))
      }
      try document.withObject { json, root in try body(CorpusDocument(id: id, json: json), root) }
    }
  }

  private func document(
    _ text: UnsafeRawBufferPointer, of source: SourceFile, problem: ProblemSink
  ) throws -> JSONObjectBuilder {
    switch source.format {
    case .markdown:
      let content = markdown(text, of: source, problem: problem)
      return try content.document(
        of: source, language: languages.language(of: content.text, in: source), parser: parser)
    case .html:
      let page = html.parse(text)
      return try page.text.withUnsafeBytes {
        try FileContent(title: page.title, text: $0)
          .document(of: source, language: languages.language(of: $0, in: source), parser: parser)
      }
    default:
      let symbols = source.format == .code ? DefinedNames.names(in: text) : nil
      return try FileContent(title: titles.title(of: text, in: source), symbols: symbols, text: text)
        .document(of: source, language: languages.language(of: text, in: source), parser: parser)
    }
  }

  private func markdown(
    _ text: UnsafeRawBufferPointer, of source: SourceFile, problem: ProblemSink
  ) -> FileContent {
    MarkdownContent.read(text, html: html) { line, reason in
      problem(CorpusProblem(path: source.path, line: line, kind: .frontMatter, reason: reason))
    }
  }

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ source: SourceFile
  ) -> Result<UnsafeRawBufferPointer, UndecodableText> {
    source.format == .html ? PageDecoder(decoder: decoder).decode(bytes) : decoder.decode(bytes)
  }

  /// Reports read errors as problems; rethrows errors of the caller's closure.
  private func readingProblems(
    _ path: String, _ problem: ProblemSink, _ read: () throws -> Void
  ) throws {
    do {
      try read()
    } catch let fault as SystemError {
      problem(fault.problem(path))
    } catch let fault as UndecodableText {
      problem(fault.problem(path))
    }
  }
}
