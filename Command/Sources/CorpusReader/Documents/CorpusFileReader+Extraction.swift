import DocumentFormats

/// Documents in binary formats, archives, and files within files.
extension CorpusFileReader {
  /// Announces the files that will be read, in this order, so that the extractor can extract several of them at the
  /// same time.
  public func prepare(_ files: [SourceFile]) {
    extractor.prepare(
      files.filter { $0.format == .document && $0.preprocessor == nil }.map {
        ExtractionRequest(path: $0.absolutePath, name: $0.name, limits: extractionLimits)
      })
  }

  private var extractionLimits: ExtractionLimits {
    var limits = ExtractionLimits()
    limits.partSize = options.maximumDocumentSize
    if let size = options.maximumFileSize { limits.totalSize = Int(clamping: max(size, 0)) }
    return limits
  }

  /// Reads a document in a binary format, or an archive.
  func readParts(of source: SourceFile, body: DocumentSink, problem: ProblemSink) throws {
    try extract(source, body: body, problem: problem) { limits, part, failure in
      try extractor.extract(
        path: source.absolutePath, name: source.name, limits: limits, body: part, failure: failure)
    }
  }

  /// Calls an extractor and passes on the documents in the parts that it extracts.
  private func extract(
    _ source: SourceFile, body: DocumentSink, problem: ProblemSink,
    with extract: (ExtractionLimits, (ExtractedPart) throws -> Void, (ExtractionFailure) -> Void) throws -> Void
  ) throws {
    // `passParts` passes closures that capture `body` and `problem` to another closure.
    try withoutActuallyEscaping(body) { body in
      try withoutActuallyEscaping(problem) { try passParts(of: source, body: body, problem: $0, with: extract) }
    }
  }

  private func passParts(
    of source: SourceFile, body: @escaping DocumentSink, problem: @escaping ProblemSink,
    with extract: (ExtractionLimits, (ExtractedPart) throws -> Void, (ExtractionFailure) -> Void) throws -> Void
  ) throws {
    var documents = ExtractedDocuments(source, languages, parser) { try self.parts(of: $0, $1, problem: problem) }
    var hasMessages = false
    var hasProblems = false
    do {
      try extract(
        extractionLimits,
        { part in
          do {
            guard part.isFile, part.format.isEmpty, CorpusFormat(fileName: part.member).isMail else {
              return try documents.add(part, body: body)
            }
            hasMessages = true
            try readMessages(part, in: source, body: body, problem: problem)
          } catch let fault as UndecodableText {
            hasProblems = true
            // A chapter that is not text must not make the whole book an error.
            if let location = part.location {
              return problem(
                CorpusProblem(
                  path: "\(documents.path(of: part)):\(location.label)", kind: .skippedMember, reason: fault.reason))
            }
            guard !part.member.isEmpty else { return problem(fault.problem(source.path)) }
            problem(CorpusProblem(path: "\(source.path)/\(part.member)", kind: .skippedMember, reason: fault.reason))
          }
        },
        {
          hasProblems = true
          problem($0.problem(source.path))
        })
      guard documents.documentCount == 0, !hasMessages, !hasProblems || documents.blankCount > 0 else { return }
      problem(
        CorpusProblem(
          path: source.path, kind: .notExtracted("without text"), reason: CorpusFileReader.reasonForNoText(source)))
    } catch let failure as ExtractionFailure {
      problem(failure.problem(source.path))
    }
  }

  private static func reasonForNoText(_ source: SourceFile) -> String {
    switch ExtractedFormat(name: source.contentName) {
    case .pdf: "the document has no text; its pages are probably scanned and need text recognition (OCR)"
    case .archive: "the archive has no text"
    default: "the document has no text"
    }
  }

  /// Reads the messages of a member of an archive.
  private func readMessages(
    _ part: ExtractedPart, in source: SourceFile, body: DocumentSink, problem: ProblemSink
  ) throws {
    let path = "\(source.path)/\(part.member)"
    let file = SourceFile(
      path: path, absolutePath: source.absolutePath, size: Int64(part.content.count), modified: source.modified,
      format: CorpusFormat(fileName: path), language: source.language)
    try readEmbedded(part.content, file, line: nil, body: body, problem: problem)
  }

  /// Reads the attachments of a message.
  ///
  /// - Parameters:
  ///   - location: the location of the message, with which the ids of the attachments begin.
  ///   - line: the line of the message in a mailbox.
  ///   - source: the file of the message.
  func readAttachments(
    _ attachments: [MailAttachment], at location: String, line: Int, of source: SourceFile, body: DocumentSink,
    problem: ProblemSink
  ) throws {
    let limit = SuspendingClock.now.advanced(by: .seconds(ExtractionLimits().seconds))
    for attachment in attachments {
      let path = "\(location)/\(attachment.name)"
      // A message may contain thousands of attachments, each of which may take almost the full time limit of a file.
      guard SuspendingClock.now < limit else {
        // The machine may be overloaded, so the documents of the attachment are kept.
        problem(
          CorpusProblem(
            path: path, kind: .unreadable, reason: "the message took too long; the next run reads it again"))
        continue
      }
      var format = CorpusFormat(fileName: attachment.formatName)
      if !format.isMail { format = format.asDocument }
      let file = SourceFile(
        path: path, absolutePath: source.absolutePath, size: Int64(attachment.bytes.count),
        modified: source.modified, format: format, language: source.language)
      do {
        let isCompressed = CompressedName.inner(of: attachment.formatName) != nil
        if isCompressed || ExtractedFormat(name: attachment.formatName)?.isOptional == false {
          try readExtracted(attachment, file, line: line, body: body, problem: problem)
        } else {
          try readEmbedded(attachment.bytes, file, line: line, body: body, problem: problem)
        }
      } catch let fault as UndecodableText {
        problem(CorpusProblem(path: path, kind: .skippedMember, reason: fault.reason))
      }
    }
  }

  private func readExtracted(
    _ attachment: MailAttachment, _ file: SourceFile, line: Int, body: DocumentSink, problem: ProblemSink
  ) throws {
    try extract(
      file, body: { document, root in try body(document.moved(toLine: line), root) }, problem: { problem($0.asMember) }
    ) { limits, part, failure in
      try extractor.extract(
        content: attachment.bytes, name: attachment.formatName, limits: limits, body: part, failure: failure)
    }
  }

  /// The maximum nesting depth of messages.
  private static let maximumDepth = 5

  /// Reads a text file or messages from memory.
  private func readEmbedded(
    _ bytes: [UInt8], _ file: SourceFile, line: Int?, body: DocumentSink, problem: ProblemSink
  ) throws {
    guard file.format.isMail else {
      return try withoutActuallyEscaping(problem) { problem in
        var documents = ExtractedDocuments(file, languages, parser) { bytes, _ in
          try self.parts(of: bytes, file, problem: problem)
        }
        try documents.add(
          ExtractedPart(content: bytes, isFile: true), body: { try body($0.moved(toLine: line), $1) })
      }
    }
    guard depth < CorpusFileReader.maximumDepth else {
      return problem(
        CorpusProblem(
          path: file.path, kind: .skippedMember,
          reason: "messages are nested more than \(CorpusFileReader.maximumDepth) levels deep"))
    }
    depth += 1
    defer { depth -= 1 }
    // Uses a buffer of its own because the reader's buffer contains the enclosing message.
    try readMail(
      try ByteSource(.memory(MemoryInput(bytes)), toleratesNUL: true), file, .location, buffer: ByteBuffer(),
      body: { try body($0.moved(toLine: line), $1) }, problem: { problem($0.asMember) })
  }
}

extension CorpusDocument {
  /// Returns a copy of the document whose line is that of the enclosing message.
  fileprivate func moved(toLine line: Int?) -> CorpusDocument {
    CorpusDocument(
      id: id, alternateID: alternateID, json: json, line: line, ordinal: ordinal, hasContentID: hasContentID)
  }
}

extension CorpusProblem {
  /// The same problem, reported for a file inside another file. It does not affect the enclosing file, unless the
  /// extractor was unavailable: then the enclosing file is read again in the next run. A file whose front matter is not
  /// YAML is not skipped.
  fileprivate var asMember: CorpusProblem {
    if kind == .unreadable || kind == .frontMatter { return self }
    return CorpusProblem(path: path, kind: .skippedMember, reason: reason)
  }
}
