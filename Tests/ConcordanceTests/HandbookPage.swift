import Concordance
import Foundation
import Testing

/// The fenced blocks and the table rows of a page of the handbook.
struct HandbookPage {
  /// A fenced block.
  struct Block {
    let language: String
    let text: String
    /// Whether there are only blank lines between it and the previous block.
    let followsBlock: Bool
  }

  /// A row of a table, with the cells of the header.
  struct Row {
    let head: [String]
    let cells: [String]
  }

  let blocks: [Block]
  let rows: [Row]

  /// Reads a page.
  ///
  /// - Parameter name: `sqlpp.md`.
  init(_ name: String) throws {
    let repository = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: repository.appendingPathComponent("Corpora/handbook/\(name)"), encoding: .utf8)
    blocks = HandbookPage.blocks(in: text)
    rows = HandbookPage.rows(in: text)
  }

  /// Imports the documents of the page's first block of JSON, one per line.
  func importDocuments(into database: Database) throws {
    let documents = try #require(blocks.first { $0.language == "json" })
    let documentImport = try DatabaseImport(into: database)
    for var line in documents.text.components(separatedBy: "\n") {
      try line.withUTF8 { try documentImport.add(line: UnsafeRawBufferPointer($0)) }
    }
    _ = try documentImport.finish()
  }

  private static func blocks(in text: String) -> [Block] {
    var blocks: [Block] = []
    var end = text.startIndex
    for match in text.matches(of: /(?m)^```(\w+)\n([\s\S]*?)^```$/) {
      let isNext = text[end..<match.range.lowerBound].allSatisfy(\.isWhitespace)
      blocks.append(Block(language: String(match.1), text: String(match.2), followsBlock: isNext && !blocks.isEmpty))
      end = match.range.upperBound
    }
    return blocks
  }

  private static func rows(in text: String) -> [Row] {
    var rows: [Row] = []
    var head: [String]?
    for line in text.components(separatedBy: "\n") {
      guard line.hasPrefix("| ") || line.hasPrefix("|-") else {
        head = nil
        continue
      }
      if line.hasPrefix("|-") { continue }
      let cells = cells(of: line)
      if let head { rows.append(Row(head: head, cells: cells)) } else { head = cells }
    }
    return rows
  }

  /// Returns the cells of a row. `\|` is an escaped bar.
  private static func cells(of line: String) -> [String] {
    line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
  }
}

extension String {
  /// Returns the code of a cell that contains only code, otherwise nil.
  var code: String? { wholeMatch(of: /`([^`]+)`/).map { String($0.1) } }
}
