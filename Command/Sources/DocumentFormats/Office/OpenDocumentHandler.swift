/// Collects the text of an OpenDocument file.
final class OpenDocumentHandler: XMLHandler {
  private(set) var parts: [(PartLocation?, [UInt8])] = []
  private let format: ExtractedFormat
  private let limit: Int
  private var text: [UInt8] = []
  private var textDepth = 0
  /// The element whose end is the end of a text document.
  private let root: String
  /// The number of open elements with text that a tracked change deleted, or that is not part of the document.
  private var deletedDepth = 0
  /// The names of the open elements.
  private var open: [String] = []
  /// For each open note, comment or ruby text in a paragraph, the text of the paragraph before it, and the number of
  /// open elements including the note, comment or ruby text.
  private var outer: [(text: [UInt8], depth: Int)] = []
  /// The text of the notes, comments and ruby texts of the open paragraph. It follows the paragraph, because they may
  /// be anchored inside a word.
  private var asides: [UInt8] = []
  /// The text of shapes on a sheet, which are not in cells.
  private var shapes: [UInt8] = []
  private var shapesDepth = 0
  private var isInTable = false
  private var grid: SheetText
  private var (row, column, number, repeated) = (0, 0, 0, 1)
  private var rowRepetition = 1
  private var name: String?

  init(_ format: ExtractedFormat, limit: Int, root: String = "text") {
    self.root = root
    self.format = format
    self.limit = limit
    grid = SheetText(limit: limit)
  }

  /// Ends the part that a malformed file does not end.
  func finish() {
    deletedDepth = 0
    while !outer.isEmpty { endAside() }
    addAsides()
    if format == .odt { end(root) }
    if format == .odp, !text.isEmpty { end("page") }
    if format == .ods, isInTable { end("table") }
  }

  /// Appends the text of another member of a text document.
  func append(_ other: OpenDocumentHandler) {
    guard let added = other.parts.first?.1 else { return }
    if parts.isEmpty { parts.append((nil, added)) } else { parts[0].1 += added }
  }

  func start(_ element: String, _ attributes: [String: String]) {
    if deletedDepth > 0 || isIgnored(element) {
      deletedDepth += 1
      return
    }
    let isAside = textDepth > 0 && OpenDocumentHandler.isAside(element)
    if isBlock(element), !isAside { breakLine() }
    open.append(element)
    if isAside {
      outer.append((text, open.count))
      text = []
    }
    switch element {
    case "shapes" where format == .ods: shapesDepth += 1
    case "p", "h":
      if textDepth > 0 { breakLine() }
      textDepth += 1
    case "tab": text.append(UInt8(ascii: "\t"))
    case "line-break": text.append(UInt8(ascii: "\n"))
    case "s":
      let count = attributes["c"].flatMap(Int.init) ?? 1
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: min(max(count, 1), 1000)))
    case "page" where format == .odp: begin(nil)
    case "table" where format == .ods:
      // A table within a shape is part of its text.
      guard shapesDepth == 0 else { break }
      begin(attributes["name"])
      isInTable = true
      shapes.removeAll()
      grid = SheetText(limit: limit)
      row = 0
    case "table-row" where format == .ods && shapesDepth == 0:
      row &+= 1
      rowRepetition = OpenDocumentHandler.count(attributes["number-rows-repeated"])
      column = 0
    case "table-cell" where format == .ods && shapesDepth == 0,
      "covered-table-cell" where format == .ods && shapesDepth == 0:
      column += 1
      repeated = OpenDocumentHandler.count(attributes["number-columns-repeated"])
      text.removeAll()
    default: break
    }
  }

  func end(_ element: String) {
    if deletedDepth > 0 {
      deletedDepth -= 1
      return
    }
    let isAside = OpenDocumentHandler.isAside(element) && outer.last?.depth == open.count
    if open.last == element { open.removeLast() }
    if isAside { endAside() } else if isBlock(element) { breakLine() }
    switch element {
    case "shapes" where format == .ods:
      shapesDepth = max(0, shapesDepth - 1)
      if shapesDepth == 0 {
        shapes += text
        text.removeAll()
      }
    case "p", "h":
      textDepth = max(0, textDepth - 1)
      text.append(UInt8(ascii: "\n"))
      if textDepth == 0 { addAsides() }
    case "page" where format == .odp:
      parts.append((PartLocation(.slide, number), text))
      text.removeAll()
    case "table" where format == .ods:
      guard shapesDepth == 0 else { break }
      // Line n of the grid is row n, so the text of shapes follows it.
      parts.append((PartLocation(.sheet, number, name: name), grid.result + shapes))
      isInTable = false
      text.removeAll()
    case "table-row" where format == .ods && shapesDepth == 0: row = min(row &+ rowRepetition - 1, 1 << 24)
    case "table-cell" where format == .ods && shapesDepth == 0,
      "covered-table-cell" where format == .ods && shapesDepth == 0:
      while text.last == UInt8(ascii: "\n") { text.removeLast() }
      // The text of repeated cells is extracted once.
      grid.add(String(decoding: text, as: UTF8.self), row: row, column: column)
      text.removeAll()
      column = min(column + repeated - 1, 1 << 24)
    case root where format == .odt:
      if !text.isEmpty { parts.append((nil, text)) }
      text.removeAll()
    default: break
    }
  }

  func text(_ characters: String) {
    if textDepth > 0, deletedDepth == 0 { text.append(contentsOf: characters.utf8) }
  }

  /// Returns whether the text of an element is not part of the document: deleted text, the number of a note, and the
  /// author and the date of a comment.
  private func isIgnored(_ element: String) -> Bool {
    switch element {
    case "tracked-changes", "note-citation": true
    case "creator", "date", "date-string", "creator-initials", "sender-initials": open.last == "annotation"
    default: false
    }
  }

  /// Returns whether an element within a paragraph is separate from its text, such as a note.
  private func isBlock(_ element: String) -> Bool {
    switch element {
    case "note", "annotation", "text-box": true
    case "table": format != .ods
    // `svg:title` and `svg:desc` describe the frame that contains them; `text:title` is a field of a paragraph.
    case "title", "desc": !["p", "h", "span", "a"].contains(open.last ?? "")
    default: false
    }
  }

  private static func isAside(_ element: String) -> Bool {
    element == "note" || element == "annotation" || element == "ruby-text"
  }

  /// Ends a note, a comment or a ruby text: the paragraph around it continues.
  private func endAside() {
    guard let paragraph = outer.popLast() else { return }
    breakLine()
    asides += text
    text = paragraph.text
  }

  /// Adds the text of notes, comments and ruby texts after the paragraph.
  private func addAsides() {
    guard !asides.isEmpty else { return }
    breakLine()
    text += asides
    asides.removeAll()
  }

  private func breakLine() {
    if let last = text.last, !OpenDocumentHandler.isWhiteSpace(last) { text.append(UInt8(ascii: "\n")) }
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func begin(_ name: String?) {
    number += 1
    self.name = name
    text.removeAll()
  }

  private static func count(_ text: String?) -> Int { min(max(text.flatMap { Int($0) } ?? 1, 1), 1 << 24) }
}
