/// Extracts workbooks of Office Open XML (SpreadsheetML): a part for each sheet. Line n of the text is row n, and tabs
/// separate its cells, so that the position of a word identifies its cell.
enum WorkbookExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let metadata = MetadataHandler.read("docProps/core.xml", in: package)
    let list = IDList(element: "sheet")
    try XMLEvents.parse(try package.required("xl/workbook.xml"), list)
    let relations = package.relations(of: "xl/workbook.xml", document: member)
    let strings = SharedStrings()
    package.parse(relations.types["sharedStrings"] ?? "xl/sharedStrings.xml", of: member, strings)
    for (index, sheet) in list.ids.enumerated() {
      guard let target = relations.targets[sheet.relation], package[target] != nil else { continue }
      let handler = SheetHandler(strings: strings.values, limit: extraction.limits.partSize)
      package.parse(target, of: member, handler)
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.xlsx.rawValue,
          location: PartLocation(.sheet, index + 1, name: sheet.name.isEmpty ? nil : sheet.name), metadata: metadata,
          content: handler.grid.result))
    }
    try package.checkComplete()
  }
}

/// The rows of a sheet as lines of text.
struct SheetText {
  private var bytes: [UInt8] = []
  private var row = 1
  private var column = 1
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds the text of a cell, which must follow the previous one; rows and columns are counted from 1. Cells beyond
  /// Excel's limits of 1,048,576 rows and 16,384 columns are ignored.
  mutating func add(_ text: String, row newRow: Int, column newColumn: Int) {
    guard !text.isEmpty, newRow <= 1 << 20, newColumn <= 1 << 14, bytes.count <= limit else { return }
    if newRow > row {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: newRow - row))
      (row, column) = (newRow, 1)
    }
    if newColumn > column {
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: newColumn - column))
      column = newColumn
    }
    // A line break in a cell would change the line numbers of the following rows.
    bytes.append(contentsOf: text.utf8.lazy.map { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 ? 0x20 : $0 })
  }

  var result: [UInt8] { bytes.isEmpty ? [] : bytes + [UInt8(ascii: "\n")] }
}

private final class SheetHandler: XMLHandler {
  private let strings: [String]
  var grid: SheetText
  private var (row, column) = (0, 0)
  private var type = ""
  private var value = ""
  private var isInValue = false

  init(strings: [String], limit: Int) {
    self.strings = strings
    grid = SheetText(limit: limit)
  }

  func start(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "row":
      row = attributes["r"].flatMap(Int.init) ?? row &+ 1
      column = 0
    case "c":
      column = attributes["r"].flatMap(SheetHandler.column) ?? column &+ 1
      type = attributes["t"] ?? ""
      value = ""
    case "v", "t": isInValue = true
    default: break
    }
  }

  func end(_ name: String) {
    switch name {
    case "v", "t": isInValue = false
    case "c":
      if type == "s" {
        let index = Int(value) ?? -1
        value = strings.indices.contains(index) ? strings[index] : ""
      }
      grid.add(value, row: row, column: column)
    default: break
    }
  }

  func text(_ text: String) {
    if isInValue { value += text }
  }

  /// Returns the column of a cell reference: 28 for `AB12`.
  private static func column(_ reference: String) -> Int? {
    var column = 0
    for byte in reference.utf8.prefix(while: { (0x41...0x5A).contains($0) }) {
      guard column < 1 << 20 else { return nil }
      column = column * 26 + Int(byte - 0x40)
    }
    return column > 0 ? column : nil
  }
}

private final class SharedStrings: XMLHandler {
  private(set) var values: [String] = []
  private var current = ""
  private var isInText = false
  private var isPhonetic = false

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "si" { current = "" }
    if name == "rPh" { isPhonetic = true }
    if name == "t" { isInText = true }
  }

  func end(_ name: String) {
    if name == "si" { values.append(current) }
    if name == "rPh" { isPhonetic = false }
    if name == "t" { isInText = false }
  }

  func text(_ text: String) {
    if isInText, !isPhonetic { current += text }
  }
}
