import CLibXML2

/// The text of a page.
struct HTMLText {
  /// The page's `<title>`, else its first `<h1>`.
  var title: String?
  /// UTF-8.
  var text: [UInt8]
}

/// What the parser's calls arrive at. All work is done by the value inside, since a class's own properties are checked
/// for exclusive access each time, which for single bytes is most of the work.
final class HTMLTextSink {
  var builder = HTMLTextBuilder()

  /// The sink that the parser's user data points to.
  static func at(_ context: UnsafeMutableRawPointer?) -> HTMLTextSink? {
    context.map { Unmanaged<HTMLTextSink>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// Gathers the text of a page from the parser's calls.
///
/// White space is drawn together as a browser does, but for `<pre>`; block elements stand on lines of their own;
/// cells of a table are separated by tabs.
struct HTMLTextBuilder {
  private var text: [UInt8] = []
  private var title: [UInt8] = []
  private var heading: [UInt8] = []
  /// How many elements without text, such as scripts, are open.
  private var silentDepth = 0
  private var preDepth = 0
  private var isInTitle = false
  /// Inside the first `<h1>`, before it, or behind it.
  private var headingState = HeadingState.before
  /// What is to be written before the next text.
  private var pending = Separator.none

  private enum HeadingState { case before, inside, behind }
  private enum Separator: Int { case none, space, tab, line }

  var result: HTMLText {
    let name = title.isEmpty ? heading : title
    let words = String(decoding: name, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
    return HTMLText(title: words.isEmpty ? nil : words, text: text)
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
    if element == "h1", headingState == .inside { headingState = .behind }
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

/// The elements that are not part of a line of text (<https://html.spec.whatwg.org/#elements-3>).
private enum HTMLElements {
  /// What is in them is not for reading.
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
