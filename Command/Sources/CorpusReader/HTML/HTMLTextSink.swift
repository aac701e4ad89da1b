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
/// separated by tabs.
struct HTMLTextBuilder {
  private var text: [UInt8] = []
  private var title: [UInt8] = []
  private var heading: [UInt8] = []
  /// The number of open elements without text, such as scripts.
  private var silentDepth = 0
  private var preDepth = 0
  private var isInTitle = false
  /// The state of the first `<h1>`: not yet begun, open, or closed.
  private var headingState = HeadingState.before
  /// The separator to write before the next text.
  private var pending = Separator.none

  private enum HeadingState { case before, inside, after }
  private enum Separator: Int { case none, space, tab, line }

  var result: HTMLText {
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
    if element == "pre" || element == "textarea" { preDepth += 1 }
    if element == "title", title.isEmpty { isInTitle = true }
    if element == "h1", headingState == .before { headingState = .inside }
    separate(element)
  }

  mutating func end(_ name: UnsafePointer<xmlChar>?) {
    guard let name else { return }
    let element = String(cString: name)
    if HTMLElements.silent.contains(element) { silentDepth = max(0, silentDepth - 1) }
    if element == "pre" || element == "textarea" { preDepth = max(0, preDepth - 1) }
    if element == "title" { isInTitle = false }
    if element == "h1", headingState == .inside { headingState = .after }
    separate(element)
  }

  mutating func append(_ characters: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let characters, count > 0, silentDepth == 0 else { return }
    let piece = UnsafeBufferPointer(start: characters, count: Int(count))
    if isInTitle { return title.append(contentsOf: piece) }
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

  private mutating func separate(_ element: String) {
    if HTMLElements.blocks.contains(element) {
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
    guard !text.isEmpty, text.last != UInt8(ascii: "\n") else { return }
    switch pending {
    case .none: break
    case .space: text.append(UInt8(ascii: " "))
    case .tab: text.append(UInt8(ascii: "\t"))
    case .line: text.append(UInt8(ascii: "\n"))
    }
  }
}

/// The elements that are not part of the inline text (<https://html.spec.whatwg.org/#elements-3>).
enum HTMLElements {
  /// Elements whose content is not displayed as text.
  static let silent: Set<String> = ["script", "style", "template", "object", "iframe", "svg", "math"]

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
