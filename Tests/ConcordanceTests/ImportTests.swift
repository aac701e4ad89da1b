import Concordance
import Testing

@Suite struct ImportTests {
  let files: TemporaryDatabase

  init() throws {
    files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["*"]))
  }

  /// Imports one file with documents of the given texts.
  @discardableResult
  private func importFile(
    _ path: String, modified: Int64 = 1, _ texts: KeyValuePairs<String, String>, ending: Bool = true
  ) throws -> ImportSummary {
    let importer = try DocumentImporter(into: files.collection)
    try importer.begin(ImportSource(path: path, size: 10, modified: modified))
    for (id, text) in texts { try importer.add(id: id, json: Array("{\"t\":\"\(text)\"}".utf8)) }
    if ending { try importer.endSource() } else { try importer.abandonSource() }
    return try importer.finish()
  }

  @Test func documentsOfSeveralBatchesAreImported() throws {
    let importer = try DocumentImporter(into: files.collection)
    let filler = String(repeating: "filler ", count: 2000)
    for number in 0..<3000 {
      try importer.add(id: "\(number)", json: Array("{\"t\":\"word\(number) \(filler)\"}".utf8))
    }
    let summary = try importer.finish()
    #expect(summary.savedCount == 3000)
    #expect(try files.found("word2999") == ["2999"])
    #expect(files.collection.count == 3000)
  }

  @Test func invalidDocumentIsRefusedAndOthersAreSaved() throws {
    let importer = try DocumentImporter(into: files.collection)
    try importer.add(id: "a", json: Array("{}".utf8))
    expectError(CBLError.invalidJSON) { try importer.add(id: "b", json: Array("{oops".utf8)) }
    expectError(CBLError.badDocID) { try importer.add(id: "", json: Array("{}".utf8)) }
    try importer.add(id: "c", json: Array("{}".utf8))
    #expect(try importer.finish().savedCount == 2)
  }

  @Test func readingAFileAgainUpdatesAndRemovesDocuments() throws {
    #expect(try importFile("/f", ["a": "one", "b": "two", "c": "three"]).savedCount == 3)
    #expect(try files.collection.importedSources().map(\.modified) == [1])
    let summary = try importFile("/f", modified: 2, ["a": "one", "b": "changed", "d": "new"])
    #expect(summary.unchangedCount == 1 && summary.savedCount == 2 && summary.removedCount == 1)
    #expect(summary.replacedCount == 0)
    #expect(try files.collection.importedSources().map(\.modified) == [2])
    #expect(try files.collection.document(id: "a")?.sequence == 1)
    #expect(try files.found("three OR two") == [])
    #expect(try files.found("changed OR new").sorted() == ["b", "d"])
    #expect(try files.database.verify() == [])
  }

  @Test func abandonedFileIsReadAgainAndLosesNoDocuments() throws {
    try importFile("/f", ["a": "one", "b": "two"])
    try importFile("/f", modified: 2, ["a": "one"], ending: false)
    #expect(try files.collection.importedSources().map(\.modified) == [1])
    #expect(files.collection.count == 2)
    let summary = try importFile("/f", modified: 3, ["a": "one"])
    #expect(summary.removedCount == 1)
    #expect(try files.collection.importedSources().map(\.modified) == [3])
    #expect(files.collection.count == 1)
  }

  @Test func removingAFileRemovesOnlyItsDocuments() throws {
    try importFile("/f", ["a": "one"])
    try importFile("/g", ["b": "two"])
    try files.save("c", #"{"t":"three"}"#)
    let importer = try DocumentImporter(into: files.collection)
    try importer.remove(sourcePath: "/f")
    try importer.remove(sourcePath: "/never")
    #expect(try importer.finish().removedCount == 1)
    #expect(files.collection.count == 2)
    #expect(try files.collection.importedSources().map(\.path) == ["/g"])
  }

  @Test func duplicateIDInAFileIsRefused() throws {
    let summary = try importFile("/f", ["a": "one", "a": "two", "b": "three"])
    #expect(summary.savedCount == 2 && summary.replacedCount == 0)
    #expect(summary.refusedCount == 1)
    let refusal = try #require(summary.refusals.first)
    #expect(refusal.id == "a" && refusal.source == "/f" && refusal.reason == .duplicateID(source: "/f"))
    #expect(try files.found("one") == ["a"])
    #expect(try files.database.verify() == [])
  }

  @Test func duplicateIDOfAnotherFileIsRefused() throws {
    try importFile("/f", ["a": "one"])
    let summary = try importFile("/g", ["a": "two", "b": "three"])
    #expect(summary.refusals.map(\.reason) == [.duplicateID(source: "/f")])
    #expect(try files.found("one") == ["a"])
    // The file is read again, so that the refusal is reported again.
    #expect(try files.collection.importedSources().map(\.path) == ["/f"])
  }

  @Test func duplicateIDWithoutAFileIsRefusedInTheSameImportOnly() throws {
    func add(_ texts: [String]) throws -> ImportSummary {
      let importer = try DocumentImporter(into: files.collection)
      for text in texts { try importer.add(id: "a", json: Array("{\"t\":\"\(text)\"}".utf8), location: "in:\(text)") }
      return try importer.finish()
    }
    let first = try add(["one", "two"])
    #expect(first.refusals.map(\.location) == ["in:two"])
    #expect(first.refusals.map(\.reason) == [.duplicateID(source: nil)])
    // A document with the same text is also a duplicate.
    #expect(try add(["one", "three"]).refusedCount == 1)
    #expect(try add(["four"]).refusedCount == 0)
    #expect(try files.found("four") == ["a"])
  }

  @Test func fileDoesNotReplaceADifferentSavedDocument() throws {
    try files.save("a", #"{"t":"mine"}"#)
    try files.save("b", #"{"t":"equal"}"#)
    for _ in 1...2 {
      let summary = try importFile("/f", ["a": "theirs", "b": "equal"])
      #expect(summary.refusals.map(\.reason) == [.storedDocument])
      #expect(summary.unchangedCount == 1 && summary.replacedCount == 0)
      // The file is read again, so that the refusal is reported again.
      #expect(try files.collection.importedSources() == [])
    }
    #expect(try files.found("mine") == ["a"])
    // An equal document belongs to the file.
    #expect(try files.collection.documentIDs(ofSource: "/f") == ["b"])
    #expect(try files.database.verify() == [])
  }

  @Test func documentWithoutAFileDoesNotReplaceADifferentOneOfAFile() throws {
    try importFile("/f", ["a": "one", "b": "two"])
    func add(_ replacing: (@Sendable (ImportDuplicate) -> Bool)?) throws -> ImportSummary {
      let importer = try DocumentImporter(into: files.collection, replacing: replacing)
      try importer.add(id: "a", json: Array(#"{"t":"other"}"#.utf8))
      try importer.add(id: "b", json: Array(#"{"t":"two"}"#.utf8))
      return try importer.finish()
    }
    let refused = try add(nil)
    #expect(refused.refusals.map(\.reason) == [.duplicateID(source: "/f")] && refused.unchangedCount == 1)
    #expect(try files.collection.documentIDs(ofSource: "/f") == ["a", "b"])
    #expect(try files.collection.importedSources().map(\.path) == ["/f"])
    let replaced = try add { $0.id == "a" && $0.path == nil && $0.storedPath == "/f" }
    #expect(replaced.replacedIDs == ["a"] && replaced.refusedCount == 0)
    #expect(try files.found("other") == ["a"])
    // One of its documents was replaced, so the file must be read again.
    #expect(try files.collection.importedSources() == [])
    #expect(try files.database.verify() == [])
  }

  @Test func alternateIDIsUsedForADuplicateID() throws {
    let importer = try DocumentImporter(into: files.collection)
    for (number, text) in ["one", "two"].enumerated() {
      try importer.add(id: "m", alternateID: "box#\(number + 1)", json: Array("{\"t\":\"\(text)\"}".utf8))
    }
    #expect(try importer.finish().refusedCount == 0)
    #expect(try files.found("one") == ["m"])
    #expect(try files.found("two") == ["box#2"])
  }

  @Test func replacingDecidesBetweenTwoFiles() throws {
    try importFile("/old/f", ["a": "one"])
    let importer = try DocumentImporter(
      into: files.collection, replacing: { $0.id == "a" && $0.path == "/new/f" && $0.storedPath == "/old/f" })
    try importer.begin(ImportSource(path: "/new/f", size: 1, modified: 1))
    try importer.add(id: "a", json: Array(#"{"t":"two"}"#.utf8))
    try importer.endSource()
    let summary = try importer.finish()
    #expect(summary.refusedCount == 0 && summary.replacedIDs == ["a"])
    #expect(try files.found("two") == ["a"])
  }

  @Test func refusedDocumentIsSavedAfterTheOtherFileIsRemoved() throws {
    try importFile("/a", ["x": "of a"])
    try importFile("/b", ["x": "of b"])
    let importer = try DocumentImporter(into: files.collection)
    try importer.remove(sourcePath: "/a")
    let summary = try importer.finish()
    #expect(summary.removedCount == 1 && summary.reopenedSourceCount == 1)
    try importFile("/b", ["x": "of b"])
    #expect(try files.found("b") == ["x"])
    #expect(try files.collection.importedSources().map(\.path) == ["/b"])
  }

  @Test func documentThatRefersToAMissingBlobIsRefused() throws {
    let importer = try DocumentImporter(into: files.collection)
    try importer.add(id: "a", json: Array(Self.missingBlob.utf8))
    try importer.add(id: "b", json: Array("{}".utf8))
    let summary = try importer.finish()
    #expect(summary.savedCount == 1 && summary.refusals.map(\.id) == ["a"])
    guard case .missingBlob(let message) = summary.refusals.first?.reason else { return #expect(Bool(false)) }
    #expect(message.contains("sha1-xxxxxxxxxxxxxxxxxxxxxxxxxxx="))
    #expect(try files.database.verify() == [])
  }

  @Test(arguments: [#""_cbltype":"blob""#, #""\u0040type":"blob""#, #""@typ\u0065":"\u0062lob""#])
  func referencesAreFoundHoweverTheyAreWritten(type: String) throws {
    let importer = try DocumentImporter(into: files.collection)
    try importer.add(id: "a", json: Array(#"{"x":[{\#(type),"digest":"sha1-xxxxxxxxxxxxxxxxxxxxxxxxxxx="}]}"#.utf8))
    #expect(try importer.finish().refusedCount == 1)
    #expect(try files.database.verify() == [])
  }

  @Test func exportLineThatRefersToAMissingBlobIsRefused() throws {
    let transfer = try DatabaseImport(into: files.database, collection: files.collection)
    for (number, line) in [#"{"_id":"a","n":1}"#, #"{"_id":"b","p":\#(Self.missingBlob)}"#, #"{"_id":"c"}"#]
      .enumerated()
    {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    let error = try #require(throws: DatabaseImport.LineError.self) { try transfer.flush() }
    #expect(error.line == 2 && error.description.contains("not in the database"))
    #expect(try transfer.finish().documentCount == 2)
    #expect(try files.database.verify() == [])
  }

  private static let missingBlob = #"{"@type":"blob","digest":"sha1-xxxxxxxxxxxxxxxxxxxxxxxxxxx=","length":5}"#

  @Test(.filesOnly("PostgreSQL stores no U+0000 in ids")) func idWithNULIsDistinct() throws {
    try files.save("a", #"{"t":"mine"}"#)
    try importFile("/f", ["a\0b": "theirs"])
    let importer = try DocumentImporter(into: files.collection)
    try importer.remove(sourcePath: "/f")
    #expect(try importer.finish().removedCount == 1)
    #expect(try files.collection.document(id: "a") != nil)
    #expect(files.collection.count == 1)
  }

  @Test func fileRemovedByAnotherImportIsAnError() throws {
    let importer = try DocumentImporter(into: files.collection)
    try importer.begin(ImportSource(path: "/f", size: 1, modified: 1))
    let filler = String(repeating: "x", count: 2000)
    // More than one batch, so that the source is already written.
    for number in 0..<20_000 { try importer.add(id: "\(number)", json: Array("{\"t\":\"\(filler)\"}".utf8)) }
    while files.collection.count == 0 {}
    let other = try DocumentImporter(into: files.collection)
    try other.remove(sourcePath: "/f")
    _ = try other.finish()
    #expect(throws: CBLError.self) {
      for number in 0..<20_000 { try importer.add(id: "more\(number)", json: Array("{\"t\":\"\(filler)\"}".utf8)) }
      try importer.endSource()
      _ = try importer.finish()
    }
    #expect(try files.database.verify() == [])
  }

  @Test func abandonedSourcesAreMerged() throws {
    try importFile("/f", ["a": "one"])
    for number in 2..<6 { try importFile("/f", modified: Int64(number), ["a": "one"], ending: false) }
    #expect(try files.collection.interruptedSourcePaths() == ["/f"])
    try importFile("/f", modified: 9, ["b": "two"])
    #expect(try files.found("one") == [])
    #expect(try files.collection.importedSources().map(\.modified) == [9])
    #expect(try files.collection.interruptedSourcePaths() == [])
  }

  @Test func cancelledImportLeavesAConsistentDatabase() throws {
    let importer = try DocumentImporter(into: files.collection)
    for number in 0..<100 { try importer.add(id: "\(number)", json: Array("{\"t\":\"x\"}".utf8)) }
    importer.cancel()
    expectError(CBLError.notOpen) { _ = try importer.finish() }
    #expect(files.collection.count == 0)
    #expect(try files.database.verify() == [])
  }

  @Test func writeErrorsAreThrownToTheCaller() throws {
    let importer = try DocumentImporter(into: files.collection)
    try files.database.close()
    try importer.add(id: "a", json: Array("{}".utf8))
    expectError(CBLError.notOpen) { _ = try importer.finish() }
  }
}
