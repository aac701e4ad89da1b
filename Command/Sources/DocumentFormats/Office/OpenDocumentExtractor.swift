/// Extracts the text of OpenDocument files (ISO/IEC 26300). A text document is one part, a spreadsheet has a part for
/// each table, in which line n is row n, and a presentation has a part for each slide.
enum OpenDocumentExtractor {
  static func extract(
    _ package: OfficePackage, format: ExtractedFormat, member: String, _ extraction: Extraction
  ) throws {
    let metadata = MetadataHandler.read("meta.xml", in: package)
    if let manifest = package["META-INF/manifest.xml"],
      String(decoding: manifest, as: UTF8.self).contains("encryption-data")
    {
      throw ExtractionFailure(.encrypted, "the document is encrypted")
    }
    let handler = OpenDocumentHandler(format, limit: extraction.limits.partSize)
    let fault = XMLEvents.fault { try XMLEvents.parse(try package.required("content.xml"), handler) }
    handler.finish()
    if let fault, handler.parts.isEmpty { throw fault }
    if format == .odt {
      // Headers and footers.
      let styles = OpenDocumentHandler(.odt, limit: extraction.limits.partSize, root: "master-styles")
      package.parse("styles.xml", of: member, styles)
      styles.finish()
      handler.append(styles)
    }
    for (location, text) in handler.parts {
      try extraction.emit(
        ExtractedPart(
          member: member, format: format.rawValue, location: location, metadata: metadata, content: text))
    }
    if let fault { throw fault }
    try package.checkComplete()
  }
}
