import Concordance

/// Prints the lines that a search shows, as ripgrep prints them.
struct GrepLinePrinter: Sendable {
  let format: GrepFormat

  /// What is printed of a document, or nil for nothing.
  func print(_ document: SearchedDocument) throws -> GrepOutput? {
    var page = GrepPage(format, id: document.id)
    var output = GrepOutput(id: document.id)
    try output.noting(document) { output in
      try document.forEachLine { line in
        let isWanted = line.kind == .match
        if isWanted { output.isFound = true }
        var shown = GrepShownLine(line, document.text)
        // The lines around a line that does not match may well do.
        if format.needsMatches {
          shown.matches = try document.matches(in: line).map { shown.local($0) }
          if isWanted { output.note(line, matchCount: shown.matches.count, document) }
          if let template = format.replacement, !shown.matches.isEmpty {
            let replaced = try document.replacing(in: line, with: template)
            page.show(shown.replaced(by: replaced))
            return true
          }
        } else if isWanted {
          output.note(line, matchCount: 0, document)
        }
        page.show(shown)
        return true
      }
    }
    guard output.isFound || output.problem != nil || !page.bytes.isEmpty else { return nil }
    output.bytes = page.bytes
    output.printedCount = output.bytes.count
    return output
  }
}

extension GrepOutput {
  /// Searches, and takes the time. That a match takes too much work ends the search of its document alone.
  mutating func noting(_ document: SearchedDocument, _ search: (inout GrepOutput) throws -> Void) throws {
    textSize = document.text.count
    let start = ContinuousClock.now
    do {
      try search(&self)
    } catch let error as CBLError {
      problem = error.message
    }
    seconds = start.duration(to: .now) / .seconds(1)
  }

  /// Counts a matching line.
  mutating func note(_ line: SearchedLine, matchCount: Int, _ document: SearchedDocument) {
    self.matchCount += matchCount
    lineCount += document.text[line.range].lazy.filter { $0 == 0x0A }.count
    if line.range.upperBound == document.text.count, document.text.last != 0x0A { lineCount += 1 }
  }
}

/// A line to print; several where matches reach across lines.
struct GrepShownLine {
  let line: SearchedLine
  /// The bytes, line break included.
  let bytes: [UInt8]
  /// Where matches stand in ``bytes``, or what took their places.
  var matches: [Range<Int>] = []
  /// How many matches there were.
  var matchCount: Int { matches.count }

  init(_ line: SearchedLine, _ text: UnsafeRawBufferPointer) {
    self.line = line
    bytes = Array(text[line.range])
  }

  private init(_ line: SearchedLine, _ bytes: [UInt8], _ matches: [Range<Int>]) {
    self.line = line
    self.bytes = bytes
    self.matches = matches
  }

  func replaced(by replacement: ReplacedLine) -> GrepShownLine {
    GrepShownLine(line, replacement.bytes, replacement.matches)
  }

  /// A range of the text as one of ``bytes``.
  func local(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound - line.range.lowerBound..<range.upperBound - line.range.lowerBound
  }

  /// The single lines in ``bytes``, line breaks included.
  var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
      lines.append(start..<end)
      start = end
    }
    return lines
  }
}
