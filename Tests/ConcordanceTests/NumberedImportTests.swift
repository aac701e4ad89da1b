@_spi(Command) import Concordance
import JSONText
import Testing

/// Imports that save documents with equal ids as numbered copies.
@Suite struct NumberedImportTests {
  private let files: TemporaryDatabase
  private let parser: JSONParser

  init() throws {
    files = try TemporaryDatabase()
    parser = try JSONParser()
  }

  private func add(_ id: String, _ json: String, to importer: DocumentImporter) throws {
    let bytes = Array(json.utf8)
    let root = try bytes.withUnsafeBytes { try parser.parse($0) }
    try importer.add(id: id, alternateID: nil, json: bytes, root, location: nil, keepingCopies: true)
  }

  @Test func longIDsAreShortened() throws {
    let importer = try DocumentImporter(into: files.collection)
    // 240 and 239 bytes.
    let ids = [String(repeating: "é", count: 120), String(repeating: "ü", count: 119) + "x"]
    for id in ids {
      for number in 1...3 { try add(id, #"{"n":\#(number)}"#, to: importer) }
    }
    let summary = try importer.finish()
    #expect(summary.savedCount == 6 && summary.refusedCount == 0)
    for (id, number) in [
      (ids[0], 1), (String(repeating: "é", count: 119) + ":2", 2), (String(repeating: "é", count: 119) + ":3", 3),
      (ids[1], 1), (String(repeating: "ü", count: 119) + ":2", 2),
    ] {
      #expect(try files.collection.document(id: id)?.int(forKey: "n") == number, "\(id)")
    }
  }

  @Test func shortIDsAreKept() throws {
    let importer = try DocumentImporter(into: files.collection)
    for number in 1...2 { try add("a", #"{"n":\#(number)}"#, to: importer) }
    #expect(try importer.finish().savedCount == 2)
    #expect(try files.collection.document(id: "a:2")?.int(forKey: "n") == 2)
  }
}
