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
    try XMLEvents.parse(try package.required("content.xml"), handler)
    for (location, text) in handler.parts {
      try extraction.emit(
        ExtractedPart(
          member: member, format: format.rawValue, location: location, metadata: metadata, content: text))
    }
    try package.checkComplete()
  }
}

private final class OpenDocumentHandler: XMLHandler {
  private(set) var parts: [(PartLocation?, [UInt8])] = []
  private let format: ExtractedFormat
  private let limit: Int
  private var text: [UInt8] = []
  private var textDepth = 0
  private var grid: SheetText
  private var (row, column, number, repeated) = (0, 0, 0, 1)
  private var rowRepetition = 1
  private var name: String?

  init(_ format: ExtractedFormat, limit: Int) {
    self.format = format
    self.limit = limit
    grid = SheetText(limit: limit)
  }

  func start(_ element: String, _ attributes: [String: String]) {
    switch element {
    case "p", "h": textDepth += 1
    case "tab": text.append(UInt8(ascii: "\t"))
    case "line-break": text.append(UInt8(ascii: "\n"))
    case "s":
      let count = attributes["c"].flatMap(Int.init) ?? 1
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: min(max(count, 1), 1000)))
    case "page" where format == .odp: begin(nil)
    case "table" where format == .ods:
      begin(attributes["name"])
      grid = SheetText(limit: limit)
      row = 0
    case "table-row" where format == .ods:
      row &+= 1
      rowRepetition = OpenDocumentHandler.count(attributes["number-rows-repeated"])
      column = 0
    case "table-cell" where format == .ods, "covered-table-cell" where format == .ods:
      column += 1
      repeated = OpenDocumentHandler.count(attributes["number-columns-repeated"])
      text.removeAll()
    default: break
    }
  }

  func end(_ element: String) {
    switch element {
    case "p", "h":
      textDepth = max(0, textDepth - 1)
      text.append(UInt8(ascii: "\n"))
    case "page" where format == .odp:
      parts.append((PartLocation(.slide, number), text))
      text.removeAll()
    case "table" where format == .ods:
      parts.append((PartLocation(.sheet, number, name: name), grid.result))
      text.removeAll()
    case "table-row" where format == .ods: row = min(row &+ rowRepetition - 1, 1 << 24)
    case "table-cell" where format == .ods, "covered-table-cell" where format == .ods:
      while text.last == UInt8(ascii: "\n") { text.removeLast() }
      // The text of repeated cells is extracted once.
      grid.add(String(decoding: text, as: UTF8.self), row: row, column: column)
      text.removeAll()
      column = min(column + repeated - 1, 1 << 24)
    case "text" where format == .odt:
      if !text.isEmpty { parts.append((nil, text)) }
      text.removeAll()
    default: break
    }
  }

  func text(_ characters: String) {
    if textDepth > 0 { text.append(contentsOf: characters.utf8) }
  }

  private func begin(_ name: String?) {
    number += 1
    self.name = name
    text.removeAll()
  }

  private static func count(_ text: String?) -> Int { min(max(text.flatMap { Int($0) } ?? 1, 1), 1 << 24) }
}
