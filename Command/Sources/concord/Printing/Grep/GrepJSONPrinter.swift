import Concordance
import JSONText

/// Prints the messages of `rg --json`: `begin`, `match`, `context`, `end` and `summary`, one object per line.
///
/// Additional keys, such as `doc_id`, follow ripgrep's own keys. All text is UTF-8, so the key `bytes` never occurs.
struct GrepJSONPrinter: Sendable {
  let replacement: LineReplacement?
  /// Whether only the summary is printed.
  let isQuiet: Bool

  func print(_ document: SearchedDocument) throws -> GrepOutput? {
    var output = GrepOutput(id: document.id)
    var writer = GrepJSONWriter()
    try output.noting(document) { output in
      try document.forEachLine { line in
        if writer.bytes.isEmpty { writer.begin(document.id) }
        if line.kind == .match { output.isFound = true }
        let matches = try document.matches(in: line)
        if line.kind == .match { output.note(line, matchCount: matches.count, document) }
        if isQuiet { return true }
        let replaced = try replacement.map { try document.replacing(in: line, with: $0) }
        writer.add(line, matches, replaced, document)
        return true
      }
    }
    guard !writer.bytes.isEmpty || output.problem != nil else { return nil }
    if !isQuiet, !writer.bytes.isEmpty {
      output.printedCount = writer.bytes.count
      writer.end(output)
      output.bytes = writer.bytes
    }
    return output
  }

  /// Returns the last message.
  static func summary(_ statistics: GrepStatistics) -> [UInt8] {
    var writer = GrepJSONWriter()
    writer.summary(statistics)
    return writer.bytes
  }
}

/// Writes the messages.
private struct GrepJSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func begin(_ id: String) {
    write(#"{"type":"begin","data":{"path":{"text":"#)
    write(quoted: id.utf8)
    endData(id)
  }

  mutating func add(
    _ line: SearchedLine, _ matches: [Range<Int>], _ replaced: ReplacedLine?, _ document: SearchedDocument
  ) {
    write(#"{"type":"\#(line.kind == .match ? "match" : "context")","data":{"path":{"text":"#)
    write(quoted: document.id.utf8)
    write(#"},"lines":{"text":"#)
    write(quoted: document.text[line.range])
    write(#"},"line_number":\#(line.number.map { String($0) } ?? "null"),"absolute_offset":\#(line.range.lowerBound)"#)
    write(#","submatches":["#)
    for (index, match) in matches.enumerated() {
      write(index == 0 ? #"{"match":{"text":"# : #",{"match":{"text":"#)
      write(quoted: document.text[match])
      if let replaced {
        write(#"},"replacement":{"text":"#)
        write(quoted: replaced.bytes[replaced.matches[index]])
      }
      let start = line.range.lowerBound
      write(#"},"start":\#(match.lowerBound - start),"end":\#(match.upperBound - start)}"#)
    }
    write("]")
    write(#","doc_id":"#)
    write(quoted: document.id.utf8)
    write("}}\n")
  }

  mutating func end(_ output: GrepOutput) {
    write(#"{"type":"end","data":{"path":{"text":"#)
    write(quoted: output.id.utf8)
    write(#"},"binary_offset":null,"stats":{"elapsed":\#(elapsed(output.seconds)),"searches":1,"#)
    write(#""searches_with_match":\#(output.isFound ? 1 : 0),"#)
    write(
      #""bytes_searched":\#(output.textSize),"bytes_printed":\#(output.printedCount),"matched_lines":\#(output.lineCount),"#
    )
    write(#""matches":\#(output.matchCount)"#)
    endData(output.id)
  }

  mutating func summary(_ statistics: GrepStatistics) {
    write(
      #"{"data":{"elapsed_total":\#(sortedElapsed(statistics.seconds)),"#
    )
    if !statistics.missingServers.isEmpty {
      write(#""missingServers":\#(MissingServers.array(statistics.missingServers)),"#)
    }
    write(#""stats":{"bytes_printed":\#(statistics.printedCount),"#)
    write(#""bytes_searched":\#(statistics.byteCount),"elapsed":\#(sortedElapsed(statistics.searchSeconds)),"#)
    write(#""matched_lines":\#(statistics.lineCount),"matches":\#(statistics.matchCount),"#)
    write(
      #""searches":\#(statistics.documentCount),"searches_with_match":\#(statistics.foundCount)}},"type":"summary"}"#)
    write("\n")
  }

  private mutating func endData(_ id: String) {
    write(#"},"doc_id":"#)
    write(quoted: id.utf8)
    write("}}\n")
  }

  private func elapsed(_ seconds: Double) -> String {
    let nanos = Int(max(seconds, 0) * 1_000_000_000)
    return
      #"{"secs":\#(nanos / 1_000_000_000),"nanos":\#(nanos % 1_000_000_000),"human":"\#(GrepStatistics.human(seconds))s"}"#
  }

  private func sortedElapsed(_ seconds: Double) -> String {
    let nanos = Int(max(seconds, 0) * 1_000_000_000)
    return
      #"{"human":"\#(GrepStatistics.human(seconds))s","nanos":\#(nanos % 1_000_000_000),"secs":\#(nanos / 1_000_000_000)}"#
  }

  private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a string as JSON, with the escapes that ripgrep writes.
  private mutating func write(quoted text: some Sequence<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    Array(text).withUnsafeBytes { JSONString.encode($0, into: &bytes) }
    bytes.append(UInt8(ascii: "\""))
  }
}
