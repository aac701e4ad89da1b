import Concordance

/// Prints a line for each document: a count, or its id.
struct GrepSummaryPrinter: Sendable {
  /// The summary of a document.
  enum Kind: Hashable, Sendable {
    case lineCount, matchCount, id, idWithoutMatch
    /// Nothing; only the existence of a match is needed.
    case nothing
  }

  let kind: Kind
  let format: GrepFormat
  /// Whether counts of zero are printed.
  let showsZero: Bool
  let isInverted: Bool

  func print(_ document: SearchedDocument) throws -> GrepOutput? {
    var output = GrepOutput(id: document.id)
    var count = 0
    // If matches may span lines, each match counts, as in ripgrep.
    let countsMatches =
      !isInverted && (kind == .matchCount || kind == .lineCount && document.matchesSpanLines)
    try output.noting(document) { output in
      try document.forEachLine { line in
        guard line.kind == .match else { return true }
        var matchCount = 0
        if format.countsMatches || countsMatches {
          matchCount = max(try document.matches(in: line).count, isInverted ? 0 : 1)
        }
        output.note(line, matchCount: matchCount, document)
        count += countsMatches ? matchCount : 1
        return needsAll
      }
    }
    switch kind {
    case .lineCount, .matchCount:
      output.isFound = count > 0
      guard count > 0 || showsZero else { break }
      output.bytes = line(document.id, count: count)
    case .id:
      output.isFound = count > 0
      if count > 0 { output.bytes = line(document.id, count: nil) }
    case .idWithoutMatch:
      output.isFound = count == 0 && output.problem == nil
      if output.isFound { output.bytes = line(document.id, count: nil) }
    case .nothing: output.isFound = count > 0
    }
    return output.isFound || output.problem != nil || !output.bytes.isEmpty ? output : nil
  }

  private var needsAll: Bool { kind == .lineCount || kind == .matchCount || format.countsMatches }

  private func line(_ id: String, count: Int?) -> [UInt8] {
    var output = GrepBytes(format)
    if format.showsID || count == nil {
      output.append(id.utf8, as: .id)
      if format.endsIDsWithNUL { output.append(0) } else if count != nil { output.append(UInt8(ascii: ":")) }
    }
    if let count { output.append(String(count)) }
    if count != nil || !format.endsIDsWithNUL { output.append(UInt8(ascii: "\n")) }
    return output.bytes
  }
}
