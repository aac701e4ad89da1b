import Concordance
import Foundation
import Testing

/// Imports of JSON Lines whose documents are already stored.
@Suite struct RepeatedImportTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @discardableResult
  private func importLines(
    _ lines: String..., existing: DatabaseImport.ExistingDocuments = .replace
  ) throws -> TransferSummary {
    let transfer = try DatabaseImport(into: files.database, collection: files.collection, existing: existing)
    for (number, line) in lines.enumerated() {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    return try transfer.finish()
  }

  @Test func unchangedDocumentKeepsItsRevision() throws {
    try importLines(#"{"_id":"a","n":1}"#, #"{"_id":"b","n":2}"#)
    let before = try files.collection.document(id: "a")
    let summary = try importLines(#"{"_id":"a","n":1}"#, #"{"_id":"b","n":3}"#, #"{"_id":"c"}"#)
    #expect(summary.unchangedCount == 1 && summary.documentCount == 2)
    let after = try files.collection.document(id: "a")
    #expect(after?.revisionID == before?.revisionID && after?.sequence == before?.sequence)
    #expect(try files.collection.document(id: "b")?.int(forKey: "n") == 3)
  }

  @Test func documentWithAnotherExpirationCountsAsSaved() throws {
    let line = #"{"_id":"a","_expiration":"2999-01-01T00:00:00.123Z","n":1}"#
    try importLines(#"{"_id":"a","n":1}"#)
    #expect(try importLines(line).documentCount == 1)
    #expect(try files.collection.getDocumentExpiration(id: "a") != nil)
    #expect(try importLines(line).unchangedCount == 1)
  }

  @Test func unchangedLineIsAnEarlierLine() throws {
    try importLines(#"{"_id":"a","n":1}"#)
    expectError(CBLError.conflict) {
      do { try importLines(#"{"_id":"a","n":1}"#, #"{"_id":"a","n":2}"#) } catch let error as DatabaseImport.LineError {
        #expect(error.line == 2)
        throw error.error
      }
    }
    #expect(try files.collection.document(id: "a")?.int(forKey: "n") == 1)
  }

  @Test func documentThatHasExpiredIsSavedAgain() throws {
    try importLines(#"{"_id":"a","n":1}"#)
    // In one transaction, so that the document is not purged in between.
    let summary = try files.database.inBatch {
      try files.collection.setDocumentExpiration(id: "a", expiration: Date(timeIntervalSinceNow: -60))
      return try importLines(#"{"_id":"a","n":1}"#)
    }
    #expect(summary.documentCount == 1 && summary.unchangedCount == 0)
    #expect(try files.collection.getDocumentExpiration(id: "a") == nil)
    #expect(try files.collection.document(id: "a")?.int(forKey: "n") == 1)
  }

  @Test func skippedDocumentIsNotCountedAsUnchanged() throws {
    try importLines(#"{"_id":"a","n":1}"#)
    let summary = try importLines(#"{"_id":"a","n":1}"#, existing: .skip)
    #expect(summary.skippedCount == 1 && summary.unchangedCount == 0)
  }

  @Test func eachRefusedLineIsReportedOnceAndOthersAreSaved() throws {
    try importLines(#"{"_id":"a"}"#, #"{"_id":"c"}"#)
    let transfer = try DatabaseImport(into: files.database, collection: files.collection, existing: .fail)
    for (number, id) in ["a", "b", "c", "d"].enumerated() {
      try Array(#"{"_id":"\#(id)","n":1}"#.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    var lines: [Int] = []
    while true {
      do {
        _ = try transfer.finish()
        break
      } catch let error as DatabaseImport.LineError {
        lines.append(error.line)
      }
    }
    #expect(lines == [1, 3])
    #expect(transfer.summary.documentCount == 2)
    #expect(files.collection.count == 4)
  }

  @Test func refusedLinesOfALargeBatchAreReportedWhileOthersAreAdded() throws {
    let count = 12_000
    let lines = (0..<count).map { Array(#"{"_id":"\#($0)"}"#.utf8) }
    // At least six batches, so lines are added after the first one was saved.
    let files = try TemporaryDatabase(indexMemory: 4 << 20)
    for existing in [DatabaseImport.ExistingDocuments.replace, .fail] {
      let transfer = try DatabaseImport(into: files.database, collection: files.collection, existing: existing)
      var refused: [Int] = []
      func notingRefused(_ body: () throws -> Void) throws -> Bool {
        do {
          try body()
          return true
        } catch let error as DatabaseImport.LineError {
          refused.append(error.line)
          return false
        }
      }
      for (number, line) in lines.enumerated() {
        _ = try notingRefused { try line.withUnsafeBytes { try transfer.add(line: $0, number: number + 1) } }
      }
      if existing == .fail { #expect(refused.count > 1) }
      while try !notingRefused({ _ = try transfer.finish() }) {}
      #expect(refused == (existing == .fail ? Array(1...count) : []))
    }
  }

  @Test func linesAreRefusedForDifferentReasonsInOneBatch() throws {
    let digest = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="
    let lines = [
      #"{"_id":"a","photo":{"@type":"blob","digest":"\#(digest)","length":1}}"#, #"{"_id":"b","n":1}"#,
      #"{"_id":"b","n":2}"#, #"{"_id":"b","n":1}"#, #"{"_id":"c"}"#,
    ]
    let transfer = try DatabaseImport(into: files.database, collection: files.collection)
    for (number, line) in lines.enumerated() {
      try Array(line.utf8).withUnsafeBytes { try transfer.add(line: $0, number: number + 1) }
    }
    #expect(throws: DatabaseImport.LineError.self) { try transfer.flush() }
    let rest = transfer.takeRefusedLines()
    #expect(rest.map(\.line) == [3] && rest.map(\.error.code) == [CBLError.conflict])
    let summary = try transfer.finish()
    #expect(summary.documentCount == 2 && summary.unchangedCount == 1)
    #expect(try files.collection.document(id: "b")?.int(forKey: "n") == 1)
  }

  /// With and without an expiration, which is stored although the text is unchanged.
  @Test(arguments: [#"{"_id":"a","n":1}"#, #"{"_id":"a","_expiration":"2999-01-01T00:00:00.000Z","n":1}"#])
  func unchangedDocumentNoLongerBelongsToItsFile(line: String) throws {
    let source = ImportSource(path: "/f", size: 1, modified: 1)
    let first = try DocumentImporter(into: files.collection)
    try first.begin(source)
    try first.add(id: "a", json: Array(#"{"n":1}"#.utf8))
    try first.endSource()
    _ = try first.finish()
    let revision = try files.collection.document(id: "a")?.revisionID
    let summary = try importLines(line)
    #expect(summary.unchangedCount == (line.contains("_expiration") ? 0 : 1))
    #expect(try files.collection.document(id: "a")?.revisionID == revision)
    let second = try DocumentImporter(into: files.collection)
    try second.remove(sourcePath: "/f")
    #expect(try second.finish().removedCount == 0)
    #expect(files.collection.count == 1)
  }

  @Test func severalHundredBlobsAreImported() throws {
    let source = try TemporaryDatabase()
    for number in 0..<250 {
      let document = MutableDocument(id: "d\(number)")
      // Larger than a piece, so each is in a temporary file until it is saved.
      let content = Data(repeating: UInt8(number), count: 200_000) + Data("\(number)".utf8)
      document.setBlob(Blob(contentType: "text/plain", data: content), forKey: "photo")
      try source.collection.save(document: document)
    }
    let transfer = try DatabaseImport(into: files.database, collection: files.collection)
    _ = try source.database.exportLines { line in try line.withUnsafeBytes { try transfer.add(line: $0) } }
    let summary = try transfer.finish()
    #expect(summary.documentCount == 250 && summary.blobCount == 250)
    #expect(try files.collection.document(id: "d249")?.blob(forKey: "photo")?.length == 200_003)
  }

  @Test func generatedIDsAreUUIDsOfVersion7() throws {
    try importLines(#"{"n":1}"#)
    var ids: [String] = []
    _ = try files.database.exportLines { line in ids.append(String(decoding: line, as: UTF8.self)) }
    let id = try #require(ids.compactMap { $0.firstMatch(of: /"_id":"([^"]+)"/)?.1 }.first.map(String.init))
    #expect(UUID(uuidString: id) != nil)
    #expect(id.split(separator: "-")[2].hasPrefix("7"))
  }
}
