/// Reads a Markdown file: its front matter, its title and its text.
enum MarkdownContent {
  /// Reads a UTF-8 file. If the front matter is not YAML, calls `warn` with the line and the reason, and treats the
  /// whole file as text.
  static func read(
    _ file: UnsafeRawBufferPointer, html: HTMLParser, warn: (Int, String) -> Void
  ) -> FileContent {
    var frontMatter: FrontMatter?
    do {
      frontMatter = try FrontMatter(file)
    } catch {
      warn(error.line, error.reason)
    }
    let text = UnsafeRawBufferPointer(rebasing: file[(frontMatter?.end ?? 0)...])
    return FileContent(title: frontMatter?.title ?? heading(in: text, html: html), meta: frontMatter?.meta, text: text)
  }

  /// Returns the first heading.
  static func heading(in text: UnsafeRawBufferPointer, html: HTMLParser) -> String? {
    var headings = MarkdownHeading(text, html: html)
    return headings.next()
  }
}
