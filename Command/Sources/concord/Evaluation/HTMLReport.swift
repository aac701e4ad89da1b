/// HTML pages that need no other files.
enum HTMLReport {
  /// Returns a page.
  ///
  /// - Parameters:
  ///   - title: the title, as text.
  ///   - body: the content after the title, as HTML.
  static func page(title: String, _ body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><title>\(SVGPlot.escaped(title))</title>
    <style>
    body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
    table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .2em .7em; border-bottom: 1px solid #ccc; }
    td { font-variant-numeric: tabular-nums; } svg { width: 100%; height: auto; }
    </style></head><body>
    <h1>\(SVGPlot.escaped(title))</h1>
    \(body)
    </body></html>

    """
  }

  /// Returns a table of texts.
  static func table(_ header: [String], _ rows: [[String]]) -> String {
    func row(_ cells: [String], _ tag: String) -> String {
      "<tr>" + cells.map { "<\(tag)>\(SVGPlot.escaped($0))</\(tag)>" }.joined() + "</tr>\n"
    }
    return "<table>\n" + row(header, "th") + rows.map { row($0, "td") }.joined() + "</table>"
  }
}
