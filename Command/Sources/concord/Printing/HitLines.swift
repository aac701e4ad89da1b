import Concordance

extension SearchHit {
  /// The field whose line numbers are those of the file: the text of a document that `concord index` created from a
  /// whole file. Nil if the text is only a part of the file, as for HTML and for Markdown with front matter.
  var fieldWithFileLines: String? {
    guard let text = document.string(forKey: "text"), document.string(forKey: "path") != nil,
      document.string(forKey: "name") != nil
    else { return nil }
    switch document.string(forKey: "type") {
    case "html": return nil
    // The text contains neither the byte order mark nor the front matter.
    case "markdown" where document.int(forKey: "size") - text.utf8.count > 3: return nil
    default: return "text"
    }
  }

  /// The line of the file on which the first match of the first snippet begins; nil if it is unknown.
  var line: Int? {
    guard let field = fieldWithFileLines else { return nil }
    return snippets.first { $0.field == field && !$0.matches.isEmpty }?.line
  }
}
