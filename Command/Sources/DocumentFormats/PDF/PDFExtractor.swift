import Foundation

/// Extracts PDF files: a part for each page, with the text in the reading order that poppler determines.
enum PDFExtractor {
  static func extract(_ bytes: [UInt8], member: String, _ extraction: Extraction) throws {
    guard let poppler = Poppler.shared else {
      throw ExtractionFailure(.unsupported, "PDF requires poppler, which is not installed (Debian: libpoppler-glib8)")
    }
    guard bytes.count <= Int32.max else { throw ExtractionFailure(.tooLarge, "the PDF is larger than 2 GiB") }
    try bytes.withUnsafeBytes { bytes in
      var error: Poppler.Object?
      let data = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      guard let document = poppler.open(data, Int32(bytes.count), nil, &error) else {
        throw failure(error, poppler)
      }
      defer { poppler.release(document) }
      try extractPages(of: document, member: member, poppler, extraction)
    }
  }

  private static func extractPages(
    of document: Poppler.Object, member: String, _ poppler: Poppler, _ extraction: Extraction
  ) throws {
    let metadata = metadata(of: document, poppler)
    var missing = 0
    // A damaged page tree may declare billions of pages.
    let count = min(Int(poppler.pageCount(document)), 1_000_000)
    for index in 0..<max(count, 0) {
      guard let page = poppler.page(document, Int32(index)) else {
        missing += 1
        guard missing < 1000 else { break }
        continue
      }
      defer { poppler.release(page) }
      let text = Hyphens.joined(poppler.take(poppler.text(page)))
      try extraction.count(text.count)
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.pdf.rawValue, location: PartLocation(.page, index + 1),
          metadata: metadata, content: text))
    }
    if missing > 0 { throw ExtractionFailure(.damaged, "\(missing) or more pages cannot be read") }
  }

  private static func metadata(of document: Poppler.Object, _ poppler: Poppler) -> DocumentMetadata {
    var metadata = DocumentMetadata()
    func text(_ bytes: [UInt8]) -> String? {
      let words = String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
      return words.isEmpty || words.utf8.count > 10_000 ? nil : words
    }
    metadata.title = text(poppler.take(poppler.title(document)))
    metadata.author = text(poppler.take(poppler.author(document)))
    var created = poppler.creationDate(document)
    var parts = tm()
    if created > 0, gmtime_r(&created, &parts) != nil, (0...8099).contains(parts.tm_year) {
      var buffer = [CChar](repeating: 0, count: 32)
      if strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 {
        metadata.created = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    return metadata
  }

  /// The memory layout of GLib's GError.
  private struct GError {
    var domain: UInt32
    var code: Int32
    var message: UnsafePointer<CChar>?
  }

  private static func failure(_ error: Poppler.Object?, _ poppler: Poppler) -> ExtractionFailure {
    guard let error else { return ExtractionFailure(.damaged, "poppler cannot open the PDF") }
    defer { poppler.freeError(error) }
    let content = UnsafeRawPointer(error).load(as: GError.self)
    let message = content.message.map { String(cString: $0) } ?? "unknown error"
    // POPPLER_ERROR_ENCRYPTED. Other GLib errors have the same code in other domains.
    let isEncrypted = content.domain == poppler.errorDomain() && content.code == 1
    return ExtractionFailure(isEncrypted ? .encrypted : .damaged, message)
  }
}
