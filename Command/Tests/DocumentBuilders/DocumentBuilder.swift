/// Creates small files of each format. Each of the six sentences is in a separate part if the format has parts.
public enum DocumentBuilder {
  /// A sentence in each of six languages, with a word that occurs in no other sentence.
  public static let sentences: [(language: String, text: String, word: String)] = [
    ("en", "The lighthouse keeper counts the ships.", "lighthouse"),
    ("de", "Der Leuchtturmwärter zählt die Schiffe.", "Leuchtturmwärter"),
    ("el", "Ο φαροφύλακας μετράει τα πλοία.", "φαροφύλακας"),
    ("ru", "Смотритель маяка считает корабли.", "Смотритель"),
    ("ja", "灯台守は船を数える。", "灯台守"),
    ("tr", "Deniz feneri bekçisi gemileri sayıyor.", "bekçisi"),
  ]

  /// The formats that ``file(_:)`` supports.
  public static let formats = [
    "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "rtf", "pdf", "zip", "tar.gz", "7z",
  ]

  /// The text formats that ``file(_:)`` supports, whose files are split into documents.
  public static let textFormats = ["eml", "mbox", "ipynb", "1", "info", "srt", "vtt"]

  /// Returns the end of the id of a sentence's document, after the path of the file.
  public static func location(_ format: String, _ index: Int) -> String {
    switch format {
    case "xlsx", "ods": ":Sheet \(index + 1)"
    case "pptx", "odp", "pdf", "epub": ":\(index + 1)"
    case "zip", "tar.gz", "7z": "/folder/\(sentences[index].language).txt"
    case "eml": index == 0 ? "" : "/\(sentences[index].language).txt"
    case "mbox": "#\(index + 1)"
    case "ipynb": ":\(index + 1)"
    case "1", "info": ":Part \(index + 1)"
    case "srt", "vtt": ":00:00:0\(index + 1)"
    default: ""
    }
  }

  /// Returns a file of the format with the sentences.
  public static func file(_ format: String) throws -> [UInt8] {
    switch format {
    case "docx": try docx()
    case "xlsx": try xlsx()
    case "pptx": try pptx()
    case "odt", "ods", "odp": try openDocument(format)
    case "epub": try epub()
    case "rtf": rtf()
    case "eml", "mbox", "ipynb", "1", "info", "srt", "vtt": Array(TextBuilder.file(format).utf8)
    case "pdf": PDFBuilder.file(pages: sentences.map(\.text), title: "Lights")
    default:
      try ArchiveBuilder.archive(
        ArchiveBuilder.Kind(rawValue: format) ?? .zip,
        texts: sentences.map { ("folder/\($0.language).txt", $0.text + "\n") })
    }
  }

  private static let core = """
    <cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Lights</dc:title>\
    <dc:creator>A. Fresnel</dc:creator><dcterms:created>2024-05-01T00:00:00Z</dcterms:created>\
    <dc:language>en</dc:language></cp:coreProperties>
    """

  private static func relations(_ targets: [(id: String, type: String, target: String)]) -> String {
    "<Relationships>"
      + targets.map { "<Relationship Id=\"\($0.id)\" Type=\"http://x/\($0.type)\" Target=\"\($0.target)\"/>" }.joined()
      + "</Relationships>"
  }

  private static func docx() throws -> [UInt8] {
    let paragraphs = sentences.map { sentence in
      // A word is often split into several runs.
      let middle = sentence.text.index(sentence.text.startIndex, offsetBy: 5)
      return
        "<w:p><w:r><w:t>\(sentence.text[..<middle])</w:t></w:r><w:r><w:t>\(sentence.text[middle...])</w:t></w:r></w:p>"
    }
    return try ArchiveBuilder.archive(
      .zip,
      texts: [
        ("word/document.xml", "<w:document xmlns:w=\"w\"><w:body>\(paragraphs.joined())</w:body></w:document>"),
        ("word/footnotes.xml", "<w:footnotes xmlns:w=\"w\"><w:p><w:r><w:t>A footnote.</w:t></w:r></w:p></w:footnotes>"),
        ("docProps/core.xml", core), ("word/media/image.png", "picture"),
      ])
  }

  private static func xlsx() throws -> [UInt8] {
    let sheets = sentences.indices.map { "<sheet name=\"Sheet \($0 + 1)\" sheetId=\"\($0)\" r:id=\"r\($0)\"/>" }
    let strings = sentences.map { "<si><t>\($0.text)</t></si>" }.joined()
    return try ArchiveBuilder.archive(
      .zip,
      texts: [
        ("xl/workbook.xml", "<workbook xmlns:r=\"r\"><sheets>\(sheets.joined())</sheets></workbook>"),
        (
          "xl/_rels/workbook.xml.rels",
          relations(
            sentences.indices.map { ("r\($0)", "worksheet", "worksheets/s\($0).xml") }
              + [("s", "sharedStrings", "sharedStrings.xml")])
        ),
        ("xl/sharedStrings.xml", "<sst>\(strings)</sst>"), ("docProps/core.xml", core),
      ]
        + sentences.indices.map {
          (
            "xl/worksheets/s\($0).xml",
            "<worksheet><sheetData><row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"3\"><c r=\"C3\" t=\"s\"><v>\($0)</v>"
              + "</c></row></sheetData></worksheet>"
          )
        })
  }

  private static func pptx() throws -> [UInt8] {
    // The names of the slides are in the reverse order of the presentation.
    let count = sentences.count
    let list = sentences.indices.map { "<p:sldId id=\"\($0 + 256)\" r:id=\"r\($0)\"/>" }.joined()
    return try ArchiveBuilder.archive(
      .zip,
      texts: [
        ("ppt/presentation.xml", "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\">\(list)</p:presentation>"),
        (
          "ppt/_rels/presentation.xml.rels",
          relations(sentences.indices.map { ("r\($0)", "slide", "slides/slide\(count - $0).xml") })
        ),
        ("docProps/core.xml", core),
      ]
        + sentences.indices.map {
          (
            "ppt/slides/slide\(count - $0).xml",
            "<p:sld xmlns:p=\"p\" xmlns:a=\"a\"><a:p><a:r><a:t>\(sentences[$0].text)</a:t></a:r></a:p></p:sld>"
          )
        })
  }

  private static func openDocument(_ format: String) throws -> [UInt8] {
    let body =
      switch format {
      case "odt": "<office:text>\(sentences.map { "<text:p>\($0.text)</text:p>" }.joined())</office:text>"
      case "ods":
        sentences.enumerated().map {
          "<table:table table:name=\"Sheet \($0 + 1)\"><table:table-row table:number-rows-repeated=\"2\"><table:table-cell/>"
            + "</table:table-row><table:table-row><table:table-cell table:number-columns-repeated=\"2\"/><table:table-cell>"
            + "<text:p>\($1.text)</text:p></table:table-cell></table:table-row></table:table>"
        }.joined()
      default: sentences.map { "<draw:page><text:p>\($0.text)</text:p></draw:page>" }.joined()
      }
    return try ArchiveBuilder.archive(
      .zip,
      texts: [
        (
          "content.xml",
          "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:table=\"b\" xmlns:draw=\"d\"><office:body>\(body)"
            + "</office:body></office:document-content>"
        ),
        (
          "meta.xml",
          "<m xmlns:dc=\"d\" xmlns:meta=\"m\"><meta:generator>G</meta:generator><dc:title>Lights</dc:title>"
            + "<meta:initial-creator>A. Fresnel</meta:initial-creator>"
            + "<meta:creation-date>2024-05-01T00:00:00Z</meta:creation-date><dc:language>en</dc:language></m>"
        ),
      ])
  }

  private static func epub() throws -> [UInt8] {
    let items = sentences.indices.map { "<item id=\"c\($0)\" href=\"text/c%20\($0).xhtml\"/>" }.joined()
    let spine = sentences.indices.map { "<itemref idref=\"c\($0)\"/>" }.joined()
    return try ArchiveBuilder.archive(
      .zip,
      texts: [
        ("META-INF/container.xml", "<container><rootfiles><rootfile full-path=\"OPS/a.opf\"/></rootfiles></container>"),
        (
          "OPS/a.opf",
          "<package xmlns:dc=\"d\"><metadata><dc:title>Lights</dc:title><dc:creator>A. Fresnel</dc:creator>"
            + "<dc:date>2024-05-01T00:00:00Z</dc:date><dc:language>en</dc:language></metadata>"
            + "<manifest>\(items)</manifest><spine>\(spine)</spine></package>"
        ),
      ]
        + sentences.indices.map {
          ("OPS/text/c \($0).xhtml", "<html><body><h1>Chapter \($0 + 1)</h1><p>\(sentences[$0].text)</p></body></html>")
        })
  }

  private static func rtf() -> [UInt8] {
    var text = "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Times;}}{\\info{\\title Lights}{\\author A. Fresnel}}"
    for sentence in sentences {
      for unit in sentence.text.utf16 {
        if unit < 0x80 {
          text.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
        } else if unit < 0x100, unit >= 0xA0 {
          text += "\\'" + String(unit, radix: 16)
        } else {
          text += "\\u\(Int16(bitPattern: unit))?"
        }
      }
      text += "\\par\n"
    }
    return Array((text + "}").utf8)
  }
}
