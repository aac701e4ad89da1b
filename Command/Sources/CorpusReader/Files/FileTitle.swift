import JSONText

/// Finds the titles of files that are one document, Markdown and HTML excepted.
struct FileTitle {
  let parser: JSONParser
  let html: HTMLParser

  /// The title of a file of UTF-8.
  ///
  /// A notebook has that of its first heading, a LaTeX file that of `\title`, a plain text its heading. Source code is known by
  /// its path.
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
