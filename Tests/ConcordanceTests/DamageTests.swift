import Concordance
import Foundation
import GRDB
import Testing

/// Damaged files return a result or throw an error, and never crash.
@Suite(.filesOnly("damages the tables of files")) struct DamageTests {
  /// Closes the database and runs SQL statements that damage its file.
  private static func execute(_ sql: String, _ files: TemporaryDatabase) throws {
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func randomlyDamagedFilesNeverCrash() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title", "*"]))
    for number in 0..<60 {
      try files.save("\(number)", "{\"title\":\"word \(number)\",\"tags\":[\"東京都\",\"memory barrier\"]}")
    }
    let path = try #require(files.database.path)
    try files.database.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SplitMix(state: 12)
    for _ in 0..<120 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        damaged[Int.random(in: 100..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try damaged.write(to: URL(fileURLWithPath: path))
      try? FileManager.default.removeItem(atPath: path + "-wal")
      guard let database = try? files.again(), let collection = try? database.defaultCollection() else { continue }
      _ = try? collection.search("memory barrier word*").hits.map { ($0.title, $0.snippets) }
      _ = try? collection.search("東京").hits.count
      try? collection.forEachDocument { $0.count >= 0 }
      _ = try? collection.document(id: "7")?.toDictionary()
      try? collection.save(document: MutableDocument(id: "7", data: ["title": "new"]))
      _ = try? database.verify()
      try? database.close()
    }
  }

  /// Searches find leaf pages through the table `_idx`. For full-text indexes, see
  /// `SegmentVerificationTests.leavesThatSearchesDoNotFindAreFound`.
  @Test(arguments: [
    "DELETE FROM idx",
    "DELETE FROM idx WHERE pgno = (SELECT max(pgno) FROM idx)",
    "DELETE FROM idx WHERE pgno = (SELECT min(pgno) FROM idx WHERE pgno > 3)",
    "UPDATE idx SET pgno = pgno + 2 WHERE pgno = (SELECT max(pgno) FROM idx)",
  ])
  func verifyFindsLeavesOfAPatternIndexThatSearchesDoNotFind(damage: String) throws {
    let files = try TemporaryDatabase()
    try files.database.inBatch {
      // Many different trigrams, so that there are several leaf pages.
      for number in 0..<1500 { try files.save("\(number)", "{\"t\":\"\(number * 7919) x\(number)y\(number * 31)z\"}") }
    }
    try files.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["t"]))
    try files.collection.optimizeIndex(forName: "patterns")
    #expect(try files.database.verify() == [])
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      let sql = #"SELECT name FROM sqlite_schema WHERE name LIKE 'concordance\_pi\_%\_idx' ESCAPE '\'"#
      let table = try #require(try String.fetchOne(db, sql: sql))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 > 4)
      try db.execute(sql: damage.replacingOccurrences(of: "idx", with: table))
      #expect(db.changesCount > 0)
    }
    try queue.close()
    let problems = try files.again().verify()
    #expect(
      problems.contains { $0.location.contains("patterns") && $0.problem.hasPrefix("its table is damaged (") },
      "\(problems)")
  }

  @Test func verifyFindsADocumentThatAPartialIndexShouldNotContain() throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"type": "hotel", "title": "pear"}"#)
    try files.save("b", #"{"type": "bar", "title": "pear"}"#)
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["title"]))
    // The catalog entry of a full index becomes that of a partial one.
    let path = try #require(files.database.path)
    try files.database.close()
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          UPDATE concordance_index SET definition = json_remove(json_set(
            definition, '$.partialAnalyzer', json(json_extract(definition, '$.analyzer')), '$.condition', ?), '$.analyzer')
          """, arguments: ["type = 'hotel'"])
    }
    let problems = try files.again().verify()
    #expect(problems.contains { $0.location.contains("index text") }, "\(problems)")
  }

  @Test(arguments: [
    ("text", "x"), ("text", "2"), ("text", "{}"), ("patterns", "x"), ("patterns", "2"), ("patterns", "{}"),
    ("n", "x"), ("n", "2"), ("n", "{}"), ("n", #"{"expressions":["n +"]}"#),
  ])
  func indexWithAMalformedDefinitionIsNamed(index: String, definition: String) throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"title": "pear", "n": 1}"#)
    try files.collection.createIndex(withName: "text", config: FullTextIndexConfiguration(["title"]))
    try files.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["title"]))
    try files.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(
        sql: "UPDATE concordance_index SET definition = ? WHERE name = ?", arguments: [definition, index])
    }
    try queue.close()
    let error = #expect(throws: CBLError.self) {
      _ = try files.again(readOnly: true).defaultCollection().indexes()
    }
    #expect(error?.message.contains("the definition of the index \"\(index)\" cannot be read") == true)
    #expect(error?.message.contains("DecodingError") == false)
  }

  @Test func verifyReportsADamagedIndexAndARebuildRepairsIt() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    for number in 0..<300 { try files.save("\(number)", "{\"title\":\"word\(number) \(number * 7919)\"}") }
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    let pageSize = try #require(try queue.read { try Int.fetchOne($0, sql: "PRAGMA page_size") })
    let pages = try queue.read { db in
      try Int.fetchAll(db, sql: "SELECT pageno FROM dbstat WHERE name = 'concordance_ft_1_data' AND pagetype = 'leaf'")
    }
    try queue.close()
    let page = try #require(pages.last)
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data.replaceSubrange((page - 1) * pageSize..<page * pageSize, with: Data(repeating: 0xA5, count: pageSize))
    try data.write(to: URL(fileURLWithPath: path))
    let database = try files.again()
    #expect(try database.verify().contains { $0.location == "index search of _default._default" })
    try database.performMaintenance(type: .reindex)
    #expect(try database.defaultCollection().search("word42").hits.map(\.id) == ["42"])
    #expect(try !database.verify().contains { $0.location.hasPrefix("index") })
  }

  @Test func damagedDocumentIsReportedAndCanBeDeletedWithoutIndexes() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    for id in ["one", "two", "three"] { try files.save(id, "{\"title\":\"word \(id)\"}") }
    try DamageTests.execute("UPDATE \"_default._default\" SET body = substr(body, 1, 12) WHERE id = 'two'", files)
    let collection = try files.again().defaultCollection()
    let message = "the document \"two\" is damaged"
    expectError(CBLError.corruptData, message) { try collection.purge(id: "two") }
    expectError(CBLError.corruptData, message) { try collection.save(document: MutableDocument(id: "two")) }
    expectError(CBLError.corruptData, message) { try collection.rebuildIndex(forName: "search") }
    expectError(CBLError.corruptData, message) { _ = try collection.search("word") }
    try collection.deleteIndex(forName: "search")
    try collection.purge(id: "two")
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    #expect(try collection.count(matching: SearchRequest("word")) == 2)
  }

  @Test func damagedDocumentIsNamedAndCanBeOmittedFromExports() throws {
    let files = try TemporaryDatabase()
    for id in ["one", "two", "three"] { try files.save(id, "{\"title\":\"word \(id)\"}") }
    let blob = Blob(contentType: "text/plain", data: Data("blob".utf8))
    try files.collection.save(document: MutableDocument(id: "four", data: ["blob": blob]))
    try DamageTests.execute("UPDATE \"_default._default\" SET body = substr(body, 1, 12) WHERE id = 'two'", files)
    let database = try files.again()
    let collection = try database.defaultCollection()
    let message = "the document \"two\""
    expectError(CBLError.corruptData, message) {
      try collection.searchLines(PatternSearchRequest("word")) { _ in
        0
      } deliver: { _ in
        true
      }
    }
    expectError(CBLError.corruptData, message) { try database.exportLines { _ in } }
    for collections in [nil, [collection]] {
      var errors: [CBLError] = []
      var lines: [String] = []
      let summary = try database.exportLines(of: collections, onDamagedDocument: { errors.append($0) }) {
        lines.append(String(decoding: $0, as: UTF8.self))
      }
      #expect(errors.map(\.code) == [CBLError.corruptData])
      #expect(errors.first?.message.contains(message) == true)
      #expect((summary.documentCount, summary.damagedCount, summary.blobCount) == (3, 1, 1))
      #expect(!lines.contains { $0.hasPrefix("{\"_id\":\"two\"") })
    }
  }

  /// The text ends with the first byte of a character of four bytes, so that a search could read memory after it.
  @Test func linesOfInvalidUTF8AreSearched() throws {
    let files = try TemporaryDatabase()
    try files.save("a", "{\"text\":\"a\"}")
    try DamageTests.execute(
      "UPDATE \"_default._default\" SET body = CAST(x'7B2274657874223A2261F0227D' AS TEXT) WHERE id = 'a'", files)
    let collection = try files.again().defaultCollection()
    for (pattern, count) in ["^a": 1, "a.": 0] {
      var found = 0
      try collection.searchLines(PatternSearchRequest(pattern)) { document -> Int in
        var lines = 0
        try document.forEachLine { line in
          lines += try document.matches(in: line).count
          return true
        }
        return lines
      } deliver: { lines in
        found += lines
        return true
      }
      #expect(found == count, "\(pattern)")
    }
  }

  @Test func wrongDocumentCountsAreRepaired() throws {
    let files = try TemporaryDatabase()
    for number in 0..<3 { try files.save("\(number)", "{}") }
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "DELETE FROM \"_default._default\" WHERE id = '1'") }
    try queue.close()
    let database = try files.again()
    #expect(try database.verify().count == 1)
    try database.performMaintenance(type: .reindex)
    #expect(try database.verify() == [])
    #expect(try database.defaultCollection().count == 2)
  }

  @Test func indexOfAnotherAnalysisVersionIsRebuiltWhenOpenedForWriting() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    try files.save("a", #"{"title":"word"}"#)
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE concordance_index SET analyzer_version = 'another'") }
    try queue.close()
    let reader = try files.again(readOnly: true)
    expectError(CBLError.corruptData) { _ = try reader.defaultCollection().search("word") }
    #expect(try reader.defaultCollection().indexDescriptions().map(\.isOutdated) == [true])
    let writer = try files.again()
    #expect(try writer.defaultCollection().search("word").hits.map(\.id) == ["a"])
    #expect(try writer.verify() == [])
  }

  @Test func viewWithSortKeysOfAnotherVersionIsRebuiltWhenOpenedForWriting() throws {
    let files = try TemporaryDatabase()
    try files.collection.createIndex(withName: "titles", config: ViewConfiguration(key: "title"))
    try files.save("a", #"{"title":"word"}"#)
    #expect(try files.collection.view(named: "titles").createQuery().run().count == 1)
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "UPDATE concordance_index SET analyzer_version = 'another'") }
    try queue.close()
    let reader = try files.again(readOnly: true)
    for mode in [ViewQuery.IndexUpdateMode.before, .never] {
      let query = try reader.view(named: "titles").createQuery()
      query.indexUpdateMode = mode
      expectError(CBLError.corruptData, "rebuild") { _ = try query.run() }
    }
    let writer = try files.again()
    #expect(try writer.view(named: "titles").createQuery().run().map(\.keyJSON) == [#""word""#])
    #expect(try writer.verify() == [])
  }
}

extension DamageTests {
  @Test func valueIndexWithAMissingOrExtraRowIsReportedAndRepaired() throws {
    for damage in [
      "DELETE FROM concordance_vi_1 WHERE doc = 2", "UPDATE concordance_vi_1 SET k0 = 'x' WHERE doc = 2",
      "INSERT INTO concordance_vi_1 (doc, k0) VALUES (77, 'x')", "DROP TABLE concordance_vi_1",
    ] {
      let files = try TemporaryDatabase()
      for number in 0..<3 { try files.save("\(number)", #"{"n": \#(number)}"#) }
      try files.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
      let path = try #require(files.database.path)
      try files.database.close()
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: damage) }
      try queue.close()
      let database = try files.again()
      #expect(try database.verify().count == 1, "\(damage)")
      try database.defaultCollection().rebuildIndex(forName: "n")
      #expect(try database.verify() == [], "\(damage)")
      let query = try database.createQuery("SELECT META().id FROM _ WHERE n >= 1 ORDER BY n")
      #expect(try query.execute().map { $0.string(at: 0) } == ["1", "2"], "\(damage)")
    }
  }

  @Test func valueIndexOfAnotherVersionIsNotUsedAndIsRebuiltWhenOpenedForWriting() throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"n": 1}"#)
    try files.collection.createIndex(withName: "n", config: ValueIndexConfiguration(["n"]))
    try DamageTests.execute("UPDATE concordance_index SET analyzer_version = 'x'; DELETE FROM concordance_vi_1", files)
    let text = "SELECT n FROM _ WHERE n = 1"
    let reader = try files.again(readOnly: true).createQuery(text)
    #expect(try reader.execute().map { $0.int(at: 0) } == [1])
    #expect(try reader.explanation().steps[0].access == .scan)
    let writer = try files.again().createQuery(text)
    #expect(try writer.execute().map { $0.int(at: 0) } == [1])
    #expect(try writer.explanation().steps[0].access == .valueIndexSearch)
  }

  /// The standard sqlite3 program does not need our functions.
  @Test func otherProgramsReadAndWriteFilesWithValueIndexes() throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"name": "Ä"}"#)
    try files.collection.createIndex(
      withName: "name",
      config: ValueIndexConfiguration(["LOWER(name) COLLATE (UNICODE NOCASE)"], where: "name IS VALUED"))
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    #expect(
      try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM concordance_vi_1 WHERE k0 IS NOT NULL") } == 1)
    try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM; REINDEX; ANALYZE") }
    try queue.close()
    #expect(try files.again().verify() == [])
  }

  @Test func tablesOfAnIndexMissingFromTheCatalogAreReportedAndRemoved() throws {
    let files = try TemporaryDatabase()
    try files.save("a", #"{"t": "harbour"}"#)
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["*"]))
    try files.collection.createIndex(withName: "patterns", config: PatternIndexConfiguration(["t"]))
    try files.collection.createIndex(withName: "values", config: ValueIndexConfiguration(["t"]))
    let path = try #require(files.database.path)
    try files.database.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "DELETE FROM concordance_index") }
    try queue.close()
    let database = try files.again()
    let problems = try database.verify().map(\.problem)
    for table in ["concordance_ft_1", "concordance_fl_1", "concordance_pi_2", "concordance_vi_3"] {
      #expect(problems.contains { $0.hasPrefix("the table \"\(table)\" belongs to an index") }, "\(problems)")
    }
    try database.performMaintenance(type: .reindex)
    #expect(try database.verify() == [])
    let collection = try database.defaultCollection()
    try collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["*"]))
    #expect(try collection.search("harbour").hits.map(\.id) == ["a"])
  }
}

/// A repeatable source of random numbers.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
