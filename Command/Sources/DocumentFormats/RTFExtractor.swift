/// Extracts Rich Text Format (version 1.9.1): text, paragraphs, Unicode and code pages; pictures, fonts, style sheets,
/// field instructions and text that a tracked change deleted are skipped.
struct RTFExtractor {
  static func extract(_ bytes: [UInt8], member: String, _ extraction: Extraction) throws {
    guard bytes.starts(with: Array("{\\rtf".utf8)) else { throw ExtractionFailure(.damaged, "not an RTF file") }
    var parser = RTFExtractor(bytes)
    parser.run()
    try extraction.emit(
      ExtractedPart(
        member: member, format: ExtractedFormat.rtf.rawValue, metadata: parser.metadata,
        content: Array(parser.text.utf8)))
    guard parser.isComplete else { throw ExtractionFailure(.damaged, "the RTF file ends within a group") }
  }

  /// The destination of the text of a group.
  private enum Target { case text, none, title, author }

  private struct Group {
    var target = Target.text
    /// The number of characters after `\u` that programs without Unicode support show instead.
    var fallbackCount = 1
    /// The number of the font, which determines the code page.
    var font: Int?
    var isInFontTable = false
    /// Whether a tracked change deleted the text.
    var isDeleted = false
    /// Whether the group is a text box, a note or a comment, whose text begins and ends a line.
    var isBlock = false
  }

  private let bytes: [UInt8]
  private var index = 0
  private var group = Group()
  private var stack: [Group] = []
  /// The number of open groups beyond the limit of the stack.
  private var excessDepth = 0
  private var text = ""
  private var pending: [UInt8] = []
  private var pendingUnits: [UInt16] = []
  private var metadata = DocumentMetadata()
  private var codePage = 1252
  private var defaultFont = 0
  /// The code pages of the fonts that have one.
  private var fontCodePages: [Int: Int] = [:]
  private var skipCount = 0
  private var isComplete = true

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() {
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "{"):
        flush()
        // Deeper groups are read as part of the innermost one.
        if stack.count < 10_000 { stack.append(group) } else { excessDepth += 1 }
        skipCount = 0
      case UInt8(ascii: "}"):
        flush()
        if excessDepth > 0 { excessDepth -= 1 } else { closeGroup() }
        skipCount = 0
      case UInt8(ascii: "\\"): control()
      case 0x0A, 0x0D: break
      default: append(byte)
      }
    }
    flush()
    isComplete = stack.isEmpty && excessDepth == 0
  }

  private mutating func closeGroup() {
    guard let outer = stack.popLast() else { return }
    // A block whose last characters are deleted ends its line, too.
    group.isDeleted = outer.isDeleted
    if group.isBlock, !outer.isBlock { add("\n") }
    group = outer
  }

  private mutating func control() {
    guard index < bytes.count else { return }
    let first = bytes[index]
    guard first | 0x20 >= 0x61, first | 0x20 <= 0x7A else {
      index += 1
      return symbol(first)
    }
    let start = index
    while index < bytes.count, bytes[index] | 0x20 >= 0x61, bytes[index] | 0x20 <= 0x7A, index - start < 32 {
      index += 1
    }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    let numberStart = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - numberStart < 11 { index += 1 }
    let number = Int(String(decoding: bytes[numberStart..<index], as: UTF8.self))
    if index < bytes.count, bytes[index] == 0x20 { index += 1 }
    apply(word, number)
  }

  private mutating func symbol(_ symbol: UInt8) {
    switch symbol {
    case UInt8(ascii: "'"):
      let digits = String(decoding: bytes[index..<min(index + 2, bytes.count)], as: UTF8.self)
      index = min(index + 2, bytes.count)
      if let byte = UInt8(digits, radix: 16) { append(byte) }
    case UInt8(ascii: "*"): group.target = .none
    case UInt8(ascii: "~"): add("\u{A0}")
    case UInt8(ascii: "_"): add("-")
    case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"): append(symbol)
    case 0x0A, 0x0D: add("\n")
    default: break
    }
  }

  private mutating func apply(_ word: String, _ number: Int?) {
    switch word {
    case "par", "line", "sect", "page", "column", "row", "nestrow": add("\n")
    case "tab", "cell", "nestcell": add("\t")
    // The properties of a nested row follow `\*` and contain `\nestrow`.
    case "nesttableprops": group.target = stack.last?.target ?? .text
    // The text of a text box, within `\*\shpinst`.
    case "shptxt": beginBlock(.text)
    // A comment is `\*\annotation`.
    case "footnote", "annotation": beginBlock(stack.last?.target ?? .text)
    case "emdash": add("—")
    case "endash": add("–")
    case "lquote": add("‘")
    case "rquote": add("’")
    case "ldblquote": add("“")
    case "rdblquote": add("”")
    case "bullet": add("•")
    case "emspace", "enspace", "qmspace": add(" ")
    case "uc": group.fallbackCount = min(max(number ?? 1, 0), 100)
    case "u": unicode(number)
    case "ansicpg": codePage = number ?? 1252
    case "mac": codePage = 10000
    case "pc": codePage = 437
    case "pca": codePage = 850
    case "deff": defaultFont = number ?? 0
    case "f":
      flush()
      group.font = number
    case "plain":
      flush()
      group.font = nil
      group.isDeleted = false
    case "deleted":
      flush()
      group.isDeleted = number != 0
    case "fcharset" where group.isInFontTable: setCodePage(number.flatMap { CodePage.number(ofCharacterSet: $0) })
    case "cpg" where group.isInFontTable: setCodePage(number)
    case "fonttbl":
      group.target = .none
      group.isInFontTable = true
    // Programs that read nested tables and shapes ignore these groups, which repeat the text for other programs.
    case "nonesttables", "shprslt": group.target = .none
    case "colortbl", "stylesheet", "info", "pict", "object", "fldinst", "listtable", "listoverridetable",
      "generator", "themedata", "datastore", "xmlnstbl", "bin":
      group.target = .none
      if word == "bin" { index = min(bytes.count, index + min(max(number ?? 0, 0), bytes.count)) }
    case "title": group.target = .title
    case "author": group.target = .author
    default: break
    }
  }

  private mutating func beginBlock(_ target: Target) {
    group.target = target
    group.isBlock = true
    if !text.isEmpty, text.last != "\n" { add("\n") }
  }

  private mutating func setCodePage(_ number: Int?) {
    // A file can define any number of fonts.
    guard let number, let font = group.font, fontCodePages.count < 10_000 else { return }
    fontCodePages[font] = number
  }

  private mutating func unicode(_ number: Int?) {
    flushBytes()
    if let number, group.target != .none { pendingUnits.append(UInt16(truncatingIfNeeded: number)) }
    skipCount = group.fallbackCount
  }

  private mutating func append(_ byte: UInt8) {
    guard skipCount == 0 else {
      skipCount -= 1
      return
    }
    guard group.target != .none else { return }
    flushUnits()
    pending.append(byte)
  }

  private mutating func add(_ piece: String) {
    flush()
    skipCount = 0
    switch group.target {
    case .none: break
    case .text: if !group.isDeleted { text += piece }
    case .title: metadata.title = (metadata.title ?? "") + piece
    case .author: metadata.author = (metadata.author ?? "") + piece
    }
  }

  private mutating func flush() {
    flushBytes()
    flushUnits()
  }

  private mutating func flushBytes() {
    guard !pending.isEmpty else { return }
    let decoded = CodePage.decode(pending, number: fontCodePages[group.font ?? defaultFont] ?? codePage)
    pending.removeAll()
    let skipped = skipCount
    add(decoded)
    skipCount = skipped
  }

  private mutating func flushUnits() {
    guard !pendingUnits.isEmpty else { return }
    let decoded = String(decoding: pendingUnits, as: UTF16.self)
    pendingUnits.removeAll()
    let skipped = skipCount
    add(decoded)
    skipCount = skipped
  }
}
