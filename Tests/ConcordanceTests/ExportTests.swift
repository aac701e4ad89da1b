import Concordance
import Foundation
import Testing

/// Exports and imports by programs. The tests of the command check the format in detail.
struct ExportTests {
  private let test: TemporaryDatabase

  init() throws { test = try TemporaryDatabase() }

  private func lines(of collections: [Concordance.Collection]? = nil) throws -> [[UInt8]] {
    var lines: [[UInt8]] = []
    try test.database.exportLines(of: collections) { lines.append($0) }
    return lines
  }

  @Test func openBatchIsExported() throws {
    try test.save("a", #"{"n":1.50}"#)
    let text = try test.database.inBatch {
      try test.save("b", "{}")
      return try lines().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      text == [
        #"{"_concordance":1}"#, #"{"_collection":"_default._default"}"#, #"{"_id":"a","n":1.50}"#, #"{"_id":"b"}"#,
      ])
  }

  @Test func summaryContainsCounts() throws {
    try test.save("a", "{}")
    try test.collection.createIndex(withName: "i", config: FullTextIndexConfiguration(["t"]))
    let exported = try lines()
    let summary = try test.database.exportLines { _ in }
    #expect((summary.documentCount, summary.collectionCount, summary.indexCount) == (1, 1, 1))
    let other = try TemporaryDatabase()
    let transfer = try DatabaseImport(into: other.database)
    for line in exported { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    #expect(try other.collection.document(id: "a") == nil)
    #expect(try transfer.finish() == summary)
    #expect(try other.collection.indexes() == ["i"])
  }

  @Test func refusedLinesAreReportedAndOthersAreSaved() throws {
    try test.save("a", #"{"n":1}"#)
    let transfer = try DatabaseImport(into: test.database, existing: .fail)
    for (number, line) in [#"{"_id":"x"}"#, #"{"_id":"a"}"#, #"{"_id":"y"}"#].enumerated() {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    let error = #expect(throws: DatabaseImport.LineError.self) { try transfer.flush() }
    #expect(error?.line == 2)
    #expect(error?.error.code == CBLError.conflict)
    #expect(try transfer.finish().documentCount == 2)
    #expect(test.collection.count == 3)
  }

  @Test func differentDocumentsWithOneIDInOneImportAreRefused() throws {
    try test.save("a", #"{"n":0}"#)
    let transfer = try DatabaseImport(into: test.database)
    let lines = [#"{"_id":"a","n":1}"#, #"{"_id":"a","n":1}"#, #"{"_id":"a","n":2}"#]
    for (number, line) in lines.enumerated() {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    let error = #expect(throws: DatabaseImport.LineError.self) { try transfer.flush() }
    #expect(error?.line == 3)
    #expect(error?.error.code == CBLError.conflict)
    _ = try transfer.finish()
    #expect(try test.collection.document(id: "a")?.int(forKey: "n") == 1)
    // The next import may replace it.
    let next = try DatabaseImport(into: test.database)
    try Array(lines[2].utf8).withUnsafeBytes { try next.add(line: $0) }
    #expect(try next.finish().documentCount == 1)
    #expect(try test.collection.document(id: "a")?.int(forKey: "n") == 2)
  }

  @Test func deletedCollectionsCannotBeExported() throws {
    let deleted = try test.database.createCollection(name: "gone")
    try test.database.deleteCollection(name: "gone")
    expectError(CBLError.notOpen) { _ = try lines(of: [deleted]) }
  }

  @Test func configurationsOfIndexesAreCodable() throws {
    var config = FullTextIndexConfiguration(["name", "*"], ignoreAccents: true, language: "en")
    config.synonyms = [try SynonymRule("tv, television")]
    config.stopWords = .custom(["the"])
    config.excludedFromOtherStrings = DocumentShape(strings: ["text"], members: ["size", "path"])
    let text = try JSONEncoder().encode(config)
    #expect(try JSONDecoder().decode(FullTextIndexConfiguration.self, from: text) == config)
    try test.collection.createIndex(withName: "i", config: config)
    #expect(try test.collection.indexDescriptions().map(\.configuration) == [config])
  }

  @Test func mergingKeepsUnchangedProperties() throws {
    let document = try MutableDocument(id: "a", json: #"{ "a":1.50, "b\u0063":[1.0] ,"d":{}}"#)
    try document.mergeJSON(#"{"bc":2.00,"e":1e2}"#)
    #expect(document.toJSON() == #"{"a":1.50,"b\u0063":2.00,"d":{},"e":1e2}"#)
    expectError(CBLError.invalidJSON) { _ = try document.mergeJSON("[1]") }
    #expect(try MutableDocument(json: "{}").mergeJSON("{}").toJSON() == "{}")
  }

  @Test func everyMillisecondIsWritten() throws {
    for millisecond in 0..<1000 {
      let date = Date(timeIntervalSince1970: Double(1_893_456_000_000 + millisecond) / 1000)
      let text = MutableDictionaryObject().setDate(date, forKey: "d").string(forKey: "d")
      #expect(text == "2030-01-01T00:00:00.\(String(format: "%03d", millisecond))Z")
    }
  }

  @Test(arguments: [253_402_300_800_000, 9_000_000_000_000_001] as [Int64])
  func expirationsAfterTheYear9999AreImported(milliseconds: Int64) throws {
    try test.save("a", "{}")
    try test.collection.setDocumentExpiration(
      id: "a", expiration: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    let other = try TemporaryDatabase()
    let transfer = try DatabaseImport(into: other.database)
    for line in try lines() { try line.withUnsafeBytes { try transfer.add(line: $0) } }
    #expect(try transfer.finish().documentCount == 1)
    let expiration = try other.collection.getDocumentExpiration(id: "a")
    let exported = try test.collection.getDocumentExpiration(id: "a")
    #expect(expiration != nil && expiration == exported)
  }

  @Test(arguments: ["9007199254740993", "1.5", "true"]) func invalidExpirationsAreRefused(text: String) throws {
    let transfer = try DatabaseImport(into: test.database)
    let line = Array(#"{"_id":"a","_expiration":\#(text)}"#.utf8)
    let error = #expect(throws: DatabaseImport.LineError.self) {
      try line.withUnsafeBytes { try transfer.add(line: $0) }
    }
    #expect(error?.error.code == CBLError.invalidJSON)
  }

  @Test func documentWithTheKeyOfTheHeaderIsImported() throws {
    let transfer = try DatabaseImport(into: test.database)
    let lines = [#"{"_concordance":1}"#, #"{"_concordance":1,"a":1}"#, #"{"_concordance":7,"a":2}"#]
    for (number, line) in lines.enumerated() {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    #expect(try transfer.finish().documentCount == 2)
    #expect(test.collection.count == 2)
  }

  @Test func headerOfALaterVersionMayHaveOtherKeys() throws {
    let transfer = try DatabaseImport(into: test.database)
    expectError(CBLError.databaseTooNew) {
      try Array(#"{"_concordance":7,"_created":"today"}"#.utf8).withUnsafeBytes {
        try transfer.add(line: $0, number: 1)
      }
    }
  }

  @Test func headerOfALaterVersionIsTheFirstLineOfAnyFile() throws {
    let header = #"{"_concordance":7,"created":"today"}"#
    try expectNewerVersion([(1, "")], (2, header))
    try expectNewerVersion([(1, #"{"_id":"a"}"#)], (1, header))
    try expectNewerVersion([(1, #"{"_id":"a"}"#), (1, " ")], (2, header))
  }

  @Test func headerOfALaterVersionWithReservedKeysIsFoundAnywhere() throws {
    try expectNewerVersion([(1, #"{"_id":"a"}"#)], (2, #"{"_concordance":7,"_created":"today"}"#))
  }

  private func expectNewerVersion(_ lines: [(Int, String)], _ header: (Int, String)) throws {
    let transfer = try DatabaseImport(into: test.database)
    func add(_ number: Int, _ text: String) throws {
      try Array(text.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number) }
    }
    for (number, text) in lines { try add(number, text) }
    expectError(CBLError.databaseTooNew) { try add(header.0, header.1) }
  }
}
