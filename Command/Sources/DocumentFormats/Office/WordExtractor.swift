/// Extracts the text of Office Open XML word-processing documents (ECMA-376, part 1, WordprocessingML): the main text,
/// then comments, endnotes, footers, footnotes and headers.
enum WordExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let handler = OfficeTextHandler()
    let fault = XMLEvents.fault { try XMLEvents.parse(try package.required("word/document.xml"), handler) }
    if let fault, handler.result.isEmpty { throw fault }
    for name in package.names where name != "word/document.xml" && isNote(name) {
      handler.beginMember()
      package.parse(name, of: member, handler)
    }
    try extraction.emit(
      ExtractedPart(
        member: member, format: ExtractedFormat.docx.rawValue,
        metadata: MetadataHandler.read("docProps/core.xml", in: package),
        content: handler.result))
    if let fault { throw fault }
    try package.checkComplete()
  }

  private static func isNote(_ name: String) -> Bool {
    ["footnotes", "endnotes", "comments", "header", "footer"].contains { name.hasPrefix("word/" + $0) }
  }
}

/// Extracts the text of Office Open XML presentations: one part per slide with its notes, in presentation order.
enum PresentationExtractor {
  static func extract(_ package: OfficePackage, member: String, _ extraction: Extraction) throws {
    let metadata = MetadataHandler.read("docProps/core.xml", in: package)
    let list = IDList(element: "sldId")
    try XMLEvents.parse(try package.required("ppt/presentation.xml"), list)
    let targets = package.relations(of: "ppt/presentation.xml", document: member).targets
    for (index, id) in list.ids.enumerated() {
      guard let slide = targets[id.relation], package[slide] != nil else { continue }
      let handler = OfficeTextHandler()
      package.parse(slide, of: member, handler)
      if let notes = package.relations(of: slide, document: member).types["notesSlide"] {
        handler.beginMember()
        package.parse(notes, of: member, handler)
      }
      try extraction.emit(
        ExtractedPart(
          member: member, format: ExtractedFormat.pptx.rawValue, location: PartLocation(.slide, index + 1),
          metadata: metadata, content: handler.result))
    }
    try package.checkComplete()
  }
}

/// Collects the text of runs and paragraphs: `w:t` and `a:t`. Text that a tracked change deleted is in `w:delText`, and
/// text that it moved away in `w:moveFrom`; neither is collected. `mc:Fallback` repeats the text of `mc:Choice`, such
/// as that of a text box, for older programs, and is skipped.
final class OfficeTextHandler: XMLHandler {
  private var bytes: [UInt8] = []
  private var isInText = false
  /// The number of open elements with text that a tracked change moved away.
  private var moveDepth = 0
  /// The number of open `mc:Fallback` elements.
  private var fallbackDepth = 0
  /// The number of open lists of tab stops, `w:tabs` and `a:tabLst`, whose `tab` elements are not characters.
  private var tabListDepth = 0

  var result: [UInt8] { bytes }

  /// Called before another member is parsed, because a malformed member may end within an element.
  func beginMember() {
    isInText = false
    (moveDepth, fallbackDepth, tabListDepth) = (0, 0, 0)
  }

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "Fallback" { fallbackDepth += 1 }
    guard fallbackDepth == 0 else { return }
    switch name {
    case "t": isInText = moveDepth == 0
    case "moveFrom": moveDepth += 1
    case "tabs", "tabLst": tabListDepth += 1
    case "tab": if tabListDepth == 0 { bytes.append(UInt8(ascii: "\t")) }
    case "br", "cr": bytes.append(UInt8(ascii: "\n"))
    case "noBreakHyphen": bytes.append(UInt8(ascii: "-"))
    default: break
    }
  }

  func end(_ name: String) {
    guard fallbackDepth == 0 else {
      if name == "Fallback" { fallbackDepth -= 1 }
      return
    }
    switch name {
    case "t": isInText = false
    case "moveFrom": moveDepth = max(0, moveDepth - 1)
    case "tabs", "tabLst": tabListDepth = max(0, tabListDepth - 1)
    case "p": bytes.append(UInt8(ascii: "\n"))
    default: break
    }
  }

  func text(_ text: String) {
    if isInText, fallbackDepth == 0 { bytes.append(contentsOf: text.utf8) }
  }
}

/// Collects the relationship ids and the names in the list of slides or sheets.
final class IDList: XMLHandler {
  private let element: String
  private(set) var ids: [(relation: String, name: String)] = []

  init(element: String) { self.element = element }

  func start(_ name: String, _ attributes: [String: String]) {
    guard name == element, let relation = attributes["r:id"] ?? attributes["id"] else { return }
    ids.append((relation, attributes["name"] ?? ""))
  }

  func end(_ name: String) {}
  func text(_ text: String) {}
}
