import Foundation
import Testing

/// The table "What to try" of `Corpora/polyglot/README.md`: each query finds its file.
struct PolyglotTests {
  struct Row: CustomTestStringConvertible {
    let query: String
    let file: String
    var testDescription: String { "\(query) in \(file)" }
  }

  static let rows: [Row] = {
    let text = (try? String(contentsOfFile: Corpora.path + "/polyglot/README.md", encoding: .utf8)) ?? ""
    guard let table = text.components(separatedBy: "\n## ").first(where: { $0.hasPrefix("What to try") })
    else { return [] }
    return table.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `") else { return nil }
      let cells = line.dropFirst(2).components(separatedBy: " | ")
      return Row(query: cells[0].trimmingCharacters(in: ["`"]), file: cells[1])
    }
  }()

  /// One database for all rows.
  private static let folder = Result {
    let folder = try TemporaryFolder()
    let result = try folder.concord("index", Corpora.path + "/polyglot")
    return (folder, result.status)
  }

  @Test func tableIsNotEmpty() throws {
    #expect(PolyglotTests.rows.count > 100)
    #expect(try PolyglotTests.folder.get().1 == 0)
  }

  @Test(arguments: rows)
  func finds(row: Row) throws {
    let hits = try PolyglotTests.folder.get().0.search(row.query)
    #expect(hits.contains { $0.hasSuffix("/polyglot/" + row.file) }, "found \(hits)")
  }

  @Test func keptAccentsDistinguishWords() throws {
    let folder = try TemporaryFolder()
    _ = try folder.concord("index", "--accents", "keep", Corpora.path + "/polyglot")
    #expect(!(try folder.search("ardeche").contains { $0.hasSuffix("fr.md") }))
    #expect(try folder.search("ardèche").contains { $0.hasSuffix("fr.md") })
  }
}
