import JSONText

/// Finds the titles of files that are one document, except Markdown and HTML.
struct FileTitle {
  let parser: JSONParser
  let html: HTMLParser

  /// Returns the title of a UTF-8 file.
  ///
  /// The title of a notebook is its first heading, that of a LaTeX file is the argument of `\title`, that of a plain
  /// text is its heading, and that of source code is its path.
  func title(of text: UnsafeRawBufferPointer, in source: SourceFile) -> String? {
    let name = source.contentName.lowercased()
    if name.hasSuffix(".ipynb"), let title = NotebookTitle.title(of: text, parser: parser, html: html) { return title }
    if name.hasSuffix(".tex") || name.hasSuffix(".ltx") || name.hasSuffix(".latex") {
      return LaTeXTitle.title(of: text)
    }
    if source.format == .code { return source.path }
    return PlainTitle.title(of: text) ?? CentredTitle.title(of: text)
  }
}
