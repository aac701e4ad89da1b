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
  /// - Parameter size: the size in bytes after which the other lines of the document are replaced by an error.
  static func messages(
    of document: SearchedDocument, size: Int = GrepMessages.maximumSize
  ) throws -> Found? {
    do {
      return try found(in: document, size)
    } catch let error as CBLError where [CBLError.timeout, CBLError.unexpectedError].contains(error.code) {
      // If the time limit of the whole search has passed, the search reports that error afterwards.
      let problem = Problem(.badRequest, "pattern_too_costly", "\(document.id): \(error.message)", parameter: "pattern")
      return Found(bytes: GrepMessages.error(problem), isFailure: true)
    }
  }

  private static func found(in document: SearchedDocument, _ size: Int) throws -> Found? {
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
      found.bytes += message(line.kind == .match ? "match" : "context") { writer in
        writer.path(document.id)
        writer.object("lines") { $0.member("text", String(decoding: document.text[line.range], as: UTF8.self)) }
        writer.member("line_number") { writer in
          if let number = line.number { writer.write(Int64(number)) } else { writer.writeNull() }
        }
        writer.member("absolute_offset", line.range.lowerBound)
        writer.list("submatches", of: matches.ranges) { writer, match in
          writer.object("match") { $0.member("text", String(decoding: document.text[match], as: UTF8.self)) }
          writer.member("start", match.lowerBound - line.range.lowerBound)
          writer.member("end", match.upperBound - line.range.lowerBound)
        }
        if matches.count > matches.ranges.count { writer.member("submatches_truncated", true) }
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
