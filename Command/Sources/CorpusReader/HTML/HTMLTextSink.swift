import CLibXML2

/// The text of a page.
struct HTMLText {
  /// The page's `<title>` or, if it has none, its first `<h1>`.
  var title: String?
  /// The text in UTF-8.
  var text: [UInt8]
}

/// Receives the parser's callbacks and passes them to ``builder``. The builder is a struct because Swift checks
/// exclusive access to the properties of a class at run time, which would dominate the cost of one-byte callbacks.
final class HTMLTextSink {
  var builder = HTMLTextBuilder()

  /// Returns the sink that the parser's user data points to.
  static func at(_ context: UnsafeMutableRawPointer?) -> HTMLTextSink? {
    context.map { Unmanaged<HTMLTextSink>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Collects the text of a page from the parser's callbacks.
///
/// White space is collapsed as in a browser, except in `<pre>`; block elements start a new line; table cells are
/// separated by tabs. The annotations of ruby text follow their paragraph, because they may be inside a word.
struct HTMLTextBuilder {
  private var text: [UInt8] = []
  private var title: [UInt8] = []
  private var heading: [UInt8] = []
  /// The number of open elements without text, such as scripts.
  private var silentDepth = 0
  /// The number of open pictures and formulas. A block element ends those that are not closed, as in a browser.
  private var foreignDepth = 0
  /// The number of open elements within pictures and formulas that may contain block elements.
  private var integrationDepth = 0
  private var preDepth = 0
  private var ruby = Ruby.base
  /// The annotations of the paragraph, separated by spaces.
  private var annotations: [UInt8] = []
  private var isInTitle = false
  /// The state of the first `<h1>`: not yet begun, open, or closed.
  private var headingState = HeadingState.before
  /// The separator to write before the next text.
  private var pending = Separator.none

  /// The part of ruby text that is read. The fallback consists of the parentheses for browsers without ruby text.
  private enum Ruby { case base, annotation, fallback }
  private enum HeadingState { case before, inside, after }
  private enum Separator: Int { case none, space, tab, line }

  var result: HTMLText {
    var complete = self
    complete.writeAnnotations()
    let text = complete.text
    let name = title.isEmpty ? heading : title
    let words = String(decoding: name, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
    // The text is not validated again, so malformed UTF-8 is repaired here.
    let isUTF8 = text.withUnsafeBytes { $0.isUTF8 }
    return HTMLText(
      title: words.isEmpty ? nil : words, text: isUTF8 ? text : Array(String(decoding: text, as: UTF8.self).utf8))
  }

  mutating func start(_ name: UnsafePointer<xmlChar>?) {
    guard let name else { return }
    let element = String(cString: name)
    if HTMLElements.silent.contains(element) { silentDepth += 1 }
    if HTMLElements.foreign.contains(element) { foreignDepth += 1 }
    let isBlock = HTMLElements.blocks.contains(element)
    if foreignDepth > 0, HTMLElements.integrationPoints.contains(element) { integrationDepth += 1 }
    // The title of a picture is inside it.
    if isBlock, element != "title" {
      if integrationDepth == 0 { foreignDepth = 0 }
      ruby = .base
    }
    startRuby(element)
    if element == "pre" || element == "textarea" { preDepth += 1 }
    if element == "title", title.isEmpty { isInTitle = true }
    if element == "h1", headingState == .before { headingState = .inside }
    separate(element, isBlock: isBlock)
  }

  mutating func end(_ name: UnsafePointer<xmlChar>?) {
    guard let name else { return }
    let element = String(cString: name)
    if HTMLElements.silent.contains(element) { silentDepth = max(0, silentDepth - 1) }
    if HTMLElements.foreign.contains(element) { foreignDepth = max(0, foreignDepth - 1) }
    if HTMLElements.integrationPoints.contains(element) { integrationDepth = max(0, integrationDepth - 1) }
    if foreignDepth == 0 { integrationDepth = 0 }
    if ruby != .base, element == "rt" || element == "rtc" || element == "rp" || element == "ruby" { ruby = .base }
    if element == "pre" || element == "textarea" { preDepth = max(0, preDepth - 1) }
    if element == "title" { isInTitle = false }
    if element == "h1", headingState == .inside { headingState = .after }
    separate(element, isBlock: HTMLElements.blocks.contains(element))
  }

  mutating func append(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let characters, count > 0, silentDepth == 0, foreignDepth == 0 else { return }
    let piece = UnsafeBufferPointer(start: characters, count: Int(count))
    if isInTitle { return title.append(contentsOf: piece) }
    if ruby == .annotation {
      for byte in piece {
        if byte.isHTMLSpace { separateAnnotations() } else { annotations.append(byte) }
      }
    }
    guard ruby == .base else { return }
    if headingState == .inside { heading.append(contentsOf: piece) }
    if preDepth > 0 {
      writeSeparator()
      return text.append(contentsOf: piece)
    }
    var index = 0
    while index < piece.count {
      if piece[index].isHTMLSpace {
        separate(.space)
        index += 1
        continue
      }
      let start = index
      while index < piece.count, !piece[index].isHTMLSpace { index += 1 }
      writeSeparator()
      text.append(contentsOf: piece[start..<index])
    }
  }

  private mutating func startRuby(_ element: String) {
    switch element {
    case "rt", "rtc":
      ruby = .annotation
      separateAnnotations()
    case "rp": ruby = .fallback
    case "rb", "ruby": ruby = .base
    default: break
    }
  }

  private mutating func separate(_ element: String, isBlock: Bool) {
    if isBlock {
      separate(.line)
    } else if element == "td" || element == "th" {
      separate(.tab)
    }
  }

  private mutating func separate(_ separator: Separator) {
    if separator.rawValue > pending.rawValue { pending = separator }
  }

  private mutating func writeSeparator() {
    defer { pending = .none }
    if pending == .line { writeAnnotations() }
    guard !text.isEmpty, text.last != UInt8(ascii: "\n") else { return }
    switch pending {
    case .none: break
    case .space: text.append(UInt8(ascii: " "))
    case .tab: text.append(UInt8(ascii: "\t"))
    case .line: text.append(UInt8(ascii: "\n"))
    }
  }

  /// Ends a word of the annotations.
  private mutating func separateAnnotations() {
    if let last = annotations.last, last != UInt8(ascii: " ") { annotations.append(UInt8(ascii: " ")) }
  }

  /// Writes the annotations of the paragraph on a line of their own.
  private mutating func writeAnnotations() {
    if annotations.last == UInt8(ascii: " ") { annotations.removeLast() }
    guard !annotations.isEmpty else { return }
    if let last = text.last, last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
    text += annotations
    annotations.removeAll()
  }
}

/// The elements that are not part of the inline text (<https://html.spec.whatwg.org/#elements-3>).
enum HTMLElements {
  /// Elements whose content is not displayed as text.
  static let silent: Set<String> = ["script", "style", "template", "iframe"]

  /// Pictures and formulas, whose content is not displayed as text.
  static let foreign: Set<String> = ["svg", "math"]

  /// Elements within pictures and formulas whose content is HTML.
  static let integrationPoints: Set<String> = ["foreignobject", "annotation-xml"]

  static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6",
    "head", "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "optgroup",
    "option",
    "p", "pre", "section", "select", "summary", "table", "tbody", "textarea", "tfoot", "thead", "title", "tr",
    "ul",
  ]
}
