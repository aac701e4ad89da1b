import Concordance
import Foundation
import HTTPTypes
import JSONText

/// The messages of `rg --json` (`begin`, `match`, `context`, `end` and `summary`), and `error` for a document that
/// cannot be searched or has too many lines, and for a search that ends early.
enum GrepMessages {
  /// The messages for a document with matches.
  struct Found: Sendable {
    var bytes: [UInt8] = []
    var lineCount = 0
    var matchCount = 0
    /// Whether the document could not be searched; the message is its error.
    var isFailure = false
  }

  /// The maximum number of submatches in a message. A long line may have millions. The member `submatches_truncated` is
  /// true if there are more.
  private static let maximumSubmatchCount = 1000
  /// The size in bytes of the messages for a document after which its other lines are left out. All messages for a
  /// document are in memory before the first is sent, and the message for a short line is 100 times as long as it.
  private static let maximumSize = 16 << 20

  /// Returns the messages for a document; nil if it has no match. If matching takes more work than the limits allow,
  /// the only message for the document is the error, because other documents can still be searched.
  ///
  /// - Parameters:
  ///   - size: the size in bytes after which the other lines of the document are replaced by an error.
  ///   - maximumColumns: the size in bytes at which lines are cut; nil for no limit.
  static func messages(
    of document: SearchedDocument, size: Int = GrepMessages.maximumSize, maximumColumns: Int? = nil
  ) throws -> Found? {
    do {
      return try found(in: document, size, maximumColumns)
    } catch let error as CBLError where [CBLError.timeout, CBLError.unexpectedError].contains(error.code) {
      // If the time limit of the whole search has passed, the search reports that error afterwards.
      let problem = Problem(.badRequest, "pattern_too_costly", "\(document.id): \(error.message)", parameter: "pattern")
      return Found(bytes: GrepMessages.error(problem), isFailure: true)
    }
  }

  private static func found(in document: SearchedDocument, _ size: Int, _ maximumColumns: Int?) throws -> Found? {
    var found = Found()
    var isComplete = true
    try document.forEachLine { line in
      guard found.bytes.count < size else {
        isComplete = false
        return false
      }
      if found.bytes.isEmpty { found.bytes += message("begin") { $0.path(document.id) } }
      let matches = try document.matches(in: line, limit: maximumSubmatchCount)
      if line.kind == .match {
        found.lineCount += document.lineCount(of: line)
        found.matchCount += matches.count
      }
      let shown = maximumColumns.map { document.text.cut(line.range, at: $0) } ?? line.range
      let isCut = shown != line.range
      let listed = isCut ? matches.ranges.filter { $0.upperBound <= shown.upperBound } : matches.ranges
      found.bytes += message(line.kind == .match ? "match" : "context") { writer in
        writer.path(document.id)
        writer.object("lines") { $0.member("text", String(decoding: document.text[shown], as: UTF8.self)) }
        if isCut { writer.member("lines_truncated", true) }
        writer.member("line_number") { writer in
          if let number = line.number { writer.write(Int64(number)) } else { writer.writeNull() }
        }
        writer.member("absolute_offset", line.range.lowerBound)
        writer.list("submatches", of: listed) { writer, match in
          writer.object("match") { $0.member("text", String(decoding: document.text[match], as: UTF8.self)) }
          writer.member("start", match.lowerBound - line.range.lowerBound)
          writer.member("end", match.upperBound - line.range.lowerBound)
        }
        if matches.count > listed.count { writer.member("submatches_truncated", true) }
      }
      return true
    }
    guard !found.bytes.isEmpty else { return nil }
    if !isComplete { found.bytes += error(tooManyLines(document.id, found.lineCount)) }
    found.bytes += message("end") { writer in
      writer.path(document.id)
      writer.member("binary_offset") { $0.writeNull() }
      writer.object("stats") { writer in
        writer.member("searches", 1)
        writer.member("searches_with_match", found.lineCount > 0 ? 1 : 0)
        writer.member("bytes_searched", document.text.count)
        writer.member("matched_lines", found.lineCount)
        writer.member("matches", found.matchCount)
      }
    }
    return found
  }

  static func summary(_ counts: GrepCounts) -> [UInt8] {
    message("summary") { writer in
      writer.object("elapsed_total") { writer in
        let nanoseconds = Int(max(counts.seconds, 0) * 1e9)
        writer.member("secs", nanoseconds / 1_000_000_000)
        writer.member("nanos", nanoseconds % 1_000_000_000)
      }
      writer.object("stats") { writer in
        writer.member("searches", counts.documentCount)
        writer.member("searches_with_match", counts.foundCount)
        writer.member("bytes_searched", counts.byteCount)
        writer.member("matched_lines", counts.lineCount)
        writer.member("matches", counts.matchCount)
      }
      writer.members(ofMissingServers: counts.missingServers)
    }
  }

  /// Returns the message for an error, which prevented a document from being searched completely or ended the search.
  static func error(_ problem: Problem) -> [UInt8] {
    line { writer in
      writer.member("type", "error")
      writer.member("data") { $0.write(rawJSON: problem.json) }
    }
  }

  private static func tooManyLines(_ id: String, _ count: Int) -> Problem {
    Problem(
      .badRequest, "too_many_lines",
      "\(id): only \(count) matching lines are listed, because the messages for them are too long; limit the lines of "
        + "a document with maxCount, or use a narrower pattern",
      parameter: "maxCount")
  }

  private static func message(_ type: String, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
    line { writer in
      writer.member("type", type)
      writer.object("data", data)
    }
  }

  private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(members)
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension JSONWriter {
  fileprivate mutating func path(_ id: String) { object("path") { $0.member("text", id) } }
}

extension UnsafeRawBufferPointer {
  /// Returns the beginning of a line: at most `size` bytes, which end at the end of a character. The line break does
  /// not count.
  fileprivate func cut(_ line: Range<Int>, at size: Int) -> Range<Int> {
    var end = line.upperBound
    while end > line.lowerBound, self[end - 1] == UInt8(ascii: "\n") || self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end - line.lowerBound > size else { return line }
    end = line.lowerBound + size
    while end > line.lowerBound, self[end] & 0xC0 == 0x80 { end -= 1 }
    return line.lowerBound..<end
  }
}
