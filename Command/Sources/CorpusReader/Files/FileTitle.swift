/// Finds the titles of files that are one document, except Markdown and HTML.
struct FileTitle {
  /// Returns the title of a UTF-8 file.
  ///
  /// The title of a LaTeX file is the argument of `\title`, that of plain text is its heading, and that of source code
  /// is its path.
  func title(of text: UnsafeRawBufferPointer, in source: SourceFile) -> String? {
    let name = source.contentName.lowercased()
    if name.hasSuffix(".tex") || name.hasSuffix(".ltx") || name.hasSuffix(".latex") {
      return LaTeXTitle.title(of: text)
    }
    if source.format == .code || source.format == .notebook { return source.path }
    return PlainTitle.title(of: text) ?? CenteredTitle.title(of: text)
  }
}
