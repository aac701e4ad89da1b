/// Collects the text of runs and paragraphs: `w:t` and `a:t`. Text that a tracked change deleted is in `w:delText`, and
/// text that it moved away in `w:moveFrom`; neither is collected. `mc:Fallback` repeats the text of `mc:Choice`, such
/// as that of a text box, for older programs, and is skipped. Ruby text, `w:rt`, follows its paragraph, because it may
/// be inside a word.
final class OfficeTextHandler: XMLHandler {
  private var bytes: [UInt8] = []
  private var isInText = false
  /// The number of open elements with text that a tracked change moved away or deleted.
  private var deletedDepth = 0
  /// The number of open `mc:Fallback` elements.
  private var fallbackDepth = 0
  /// The number of open lists of tab stops, `w:tabs` and `a:tabLst`, whose `tab` elements are not characters.
  private var tabListDepth = 0
  private var isInRuby = false
  /// The ruby text of the paragraph, separated by spaces.
  private var ruby: [UInt8] = []

  /// The text of the members that were parsed.
  var result: [UInt8] {
    // A malformed member may end within a paragraph with ruby text.
    addRuby()
    return bytes
  }

  /// Called before another member is parsed, because a malformed member may end within an element.
  func beginMember() {
    addRuby()
    isInText = false
    isInRuby = false
    (deletedDepth, fallbackDepth, tabListDepth) = (0, 0, 0)
  }

  /// Appends text that begins on a new line.
  func append(_ text: [UInt8]) {
    guard !text.isEmpty else { return }
    addRuby()
    breakLine()
    bytes += text
  }

  func start(_ name: String, _ attributes: [String: String]) {
    if name == "Fallback" { fallbackDepth += 1 }
    guard fallbackDepth == 0 else { return }
    // The `t` of a diagram contains paragraphs.
    isInText = false
    switch name {
    case "t": isInText = deletedDepth == 0
    // Formulas and text boxes within `w:del` do not use `w:delText`.
    case "moveFrom", "del": deletedDepth += 1
    case "tabs", "tabLst": tabListDepth += 1
    case "rt":
      isInRuby = true
      if !ruby.isEmpty { ruby.append(UInt8(ascii: " ")) }
    // The paragraphs of a text box are within the paragraph that the box is anchored to.
    case "p": breakLine()
    // Ruby text is a single line.
    case "tab": if tabListDepth == 0 { add(isInRuby ? " " : "\t") }
    case "ptab": add(isInRuby ? " " : "\t")
    case "br", "cr": add(isInRuby ? " " : "\n")
    case "noBreakHyphen": add("-")
    // `a:sym` is a font and has no `char`.
    case "sym": if deletedDepth == 0, let code = attributes["char"] { add(symbol(code)) }
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
    case "moveFrom", "del": deletedDepth = max(0, deletedDepth - 1)
    case "tabs", "tabLst": tabListDepth = max(0, tabListDepth - 1)
    case "rt": isInRuby = false
    case "p":
      bytes.append(UInt8(ascii: "\n"))
      addRuby()
    default: break
    }
  }

  func text(_ text: String) {
    guard isInText, fallbackDepth == 0 else { return }
    add(text)
  }

  private func add(_ text: String) {
    if isInRuby { ruby.append(contentsOf: text.utf8) } else { bytes.append(contentsOf: text.utf8) }
  }

  /// Writes the ruby text of the paragraph on a line of its own.
  private func addRuby() {
    guard !ruby.isEmpty else { return }
    breakLine()
    bytes += ruby + [UInt8(ascii: "\n")]
    ruby.removeAll()
  }

  private func breakLine() {
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
  }

  /// Returns the character of `w:sym`; a space, so that words are not joined, if the code is only valid in its font.
  private func symbol(_ code: String) -> String {
    guard let number = UInt32(code, radix: 16), let scalar = Unicode.Scalar(number), number >= 0x20,
      !(0xE000...0xF8FF).contains(number)
    else { return " " }
    return String(Character(scalar))
  }
}
