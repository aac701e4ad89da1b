import Concordance

/// Prints the lines of a search as ripgrep does.
struct GrepLinePrinter: Sendable {
  let format: GrepFormat

  /// Returns the output for a document, or nil if there is none.
  func print(_ document: SearchedDocument) throws -> GrepOutput? {
    var page = GrepPage(format, id: document.id, spansLines: document.matchesSpanLines)
    var output = GrepOutput(id: document.id)
    try output.noting(document) { output in
      try document.forEachLine { line in
        let isWanted = line.kind == .match
        if isWanted { output.isFound = true }
        if let template = format.replacement {
          let replaced = try document.replacing(in: line, with: template)
          if isWanted { output.note(line, matchCount: replaced.matches.count, document) }
          replaced.bytes.withUnsafeBytes {
            page.show(GrepDisplayLine(line: line, bytes: $0, matches: replaced.matches))
          }
          return true
        }
        // Context lines of an inverted search may contain matches.
        var matches = format.needsMatches ? try document.matches(in: line) : []
        if isWanted { output.note(line, matchCount: matches.count, document) }
        let start = line.range.lowerBound
        for index in matches.indices {
          matches[index] = matches[index].lowerBound - start..<matches[index].upperBound - start
        }
        page.show(
          GrepDisplayLine(
            line: line, bytes: UnsafeRawBufferPointer(rebasing: document.text[line.range]), matches: matches))
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
  /// Searches a document and measures the time. An error, such as an exceeded time limit, ends only the search of this
  /// document.
  mutating func noting(_ document: SearchedDocument, _ search: (inout GrepOutput) throws -> Void) throws {
    textSize = document.text.count
    let start = ContinuousClock.now
    do {
      try search(&self)
    } catch let error as CBLError {
      problem = error.advice
    }
    seconds = start.duration(to: .now) / .seconds(1)
  }

  /// Counts a matching line.
  mutating func note(_ line: SearchedLine, matchCount: Int, _ document: SearchedDocument) {
    self.matchCount += matchCount
    lineCount += document.lineCount(of: line)
  }
}
