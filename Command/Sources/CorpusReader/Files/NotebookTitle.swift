import JSONText

/// Finds the title of a Jupyter notebook (<https://nbformat.readthedocs.io>).
enum NotebookTitle {
  /// Returns the first heading of a Markdown cell, else the title in the metadata; nil if the text is not a notebook.
  static func title(of text: UnsafeRawBufferPointer, parser: JSONParser, html: HTMLParser) -> String? {
    guard let notebook = try? parser.parse(text), notebook.kind == .object else { return nil }
    var title: String?
    notebook["cells"]?.forEachElement { cell in
      guard title == nil, cell.kind == .object, cell["cell_type"]?.string == "markdown", let source = cell["source"]
      else { return }
      // The source is a string or an array of lines with line breaks.
      var lines = source.string ?? ""
      source.forEachElement { lines += $0.string ?? "" }
      title = Array(lines.utf8).withUnsafeBytes { MarkdownContent.heading(in: $0, html: html) }
    }
    return title ?? notebook["metadata"]?["title"]?.string
  }
}
