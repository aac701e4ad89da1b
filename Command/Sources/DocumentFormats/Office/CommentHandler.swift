/// Collects the text of comments on sheets and slides: `t` and `text` (SpreadsheetML, "Comments"), the `text` of
/// threaded comments (MS-XLSX, section 2.6.205) and of comments on slides, and `a:t` of those of PowerPoint 2021.
final class CommentHandler: XMLHandler {
  private(set) var result: [UInt8] = []
  private let skipsPlaceholders: Bool
  private var authors: [String] = []
  private var author: String?
  private var isInText = false
  private var isPhonetic = false
  private var isPlaceholder = false

  /// - Parameter skipsPlaceholders: whether to skip the copies of threaded comments for older programs. Their authors
  ///   are called `tc=` and the id of the thread.
  init(skipsPlaceholders: Bool) { self.skipsPlaceholders = skipsPlaceholders }

  func start(_ name: String, _ attributes: [String: String]) {
    // `text` contains either text, or runs with `t`.
    isInText = false
    switch name {
    case "author": author = ""
    case "comment":
      let index = attributes["authorId"].flatMap { Int($0) } ?? -1
      isPlaceholder = skipsPlaceholders && authors.indices.contains(index) && authors[index].hasPrefix("tc=")
    case "rPh": isPhonetic = true
    case "t", "text": isInText = true
    case "br": breakLine()
    default: break
    }
  }

  func end(_ name: String) {
    isInText = false
    switch name {
    case "author":
      authors.append(author ?? "")
      author = nil
    case "comment": isPlaceholder = false
    case "rPh": isPhonetic = false
    case "text", "p": breakLine()
    default: break
    }
  }

  func text(_ text: String) {
    author?.append(text)
    if isInText, !isPhonetic, !isPlaceholder { result.append(contentsOf: text.utf8) }
  }

  private func breakLine() {
    if let last = result.last, last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
  }
}
