import Concordance
import Foundation
import GRDB
import Testing

/// Files in `Tests/Files` that were written by earlier versions of the library.
@Suite(.filesOnly("formats of files"))
struct EarlierFormatTests {
  private let folder: TemporaryFolder
  private let path: String

  /// `format-1.sqlite` was written by `concord index --language en docs r.jsonl` and `concord create-index` of version
  /// 0.1.0: two files, two records, and an index of each kind.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appendingPathComponent("old.concord").path
    let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(atPath: files.appendingPathComponent("Files/format-1.sqlite").path, toPath: path)
  }

  private func catalog() throws -> [String: [String]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, definition, analyzer_version FROM concordance_index")
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], [$0[1], $0[2]]) })
    }
  }

  private func setVersion(_ version: String, of index: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write {
      try $0.execute(
        sql: "UPDATE concordance_index SET analyzer_version = ? WHERE name = ?", arguments: [version, index])
    }
    try queue.close()
  }

  private func open(readOnly: Bool = false) throws -> Concordance.Database {
    var config = DatabaseConfiguration()
    config.isReadOnly = readOnly
    return try Concordance.Database(path: path, config: config)
  }

  private func access(_ condition: String, in database: Concordance.Database) throws -> QueryExplanation.Access {
    try database.createQuery("SELECT META().id FROM _ WHERE \(condition)").explanation().steps[0].access
  }

  @Test(arguments: [true, false]) func indexesOfFormat1AnswerQueries(readOnly: Bool) throws {
    // The file may have been written with another version of the text analysis.
    try setVersion(Analyzer.version, of: "search")
    let database = try open(readOnly: readOnly)
    let collection = try database.defaultCollection()
    #expect(try collection.search("harbour").hits.map(\.id) == ["docs/harbour.md"])
    // A record that has the properties of a file, but whose text is an array, is in the index; the path of a file is
    // not in `*`.
    #expect(try collection.search("file").hits.map(\.id) == ["r1"])
    #expect(try access("stars = 4", in: database) == .valueIndexSearch)
    if !readOnly { #expect(try database.verify() == []) }
    #expect(try collection.indexDescriptions().map(\.isOutdated) == [false])
    #expect(
      try collection.patternIndexDescriptions().map(\.configuration.excludedFromOtherStrings)
        == [DocumentShape(strings: ["text"], members: ["path", "name", "size", "modified", "type"])])
  }

  @Test func openingFormat1ForWritingRebuildsNoIndexWithUnchangedRules() throws {
    try setVersion(Analyzer.version, of: "search")
    let before = try catalog()
    let database = try open()
    try database.defaultCollection().save(
      document: MutableDocument(id: "r3", json: #"{"name":"Ecluse","stars":4}"#))
    #expect(try database.verify() == [])
    try database.close()
    #expect(try catalog() == before)
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
    try queue.close()
  }

  /// A different stemmer or version of Unicode does not change the keys of a value index.
  @Test func valueIndexDoesNotDependOnTheStemmer() throws {
    let icu = try #require(Analyzer.version.split(separator: ";").first { $0.hasPrefix("icu=") })
    for index in ["by_stars", "by_name"] {
      try setVersion("1 4;\(icu);unicode=99.0;snowball=99-0", of: index)
    }
    let database = try open()
    #expect(try access("stars = 4", in: database) == .valueIndexSearch)
    #expect(try access("(name COLLATE (UNICODE NOCASE NODIAC)) = 'ECLUSE'", in: database) == .valueIndexSearch)
    try database.close()
    #expect(try catalog()["by_stars"]?[1].hasPrefix("1 4") == true)
    #expect(try catalog()["by_name"]?[1].hasPrefix("1 4") == true)
  }

  @Test func anotherVersionOfICURebuildsCollatedIndexesOnly() throws {
    for index in ["by_stars", "by_name"] { try setVersion("1 3;icu=1.0;unicode=1.0;snowball=1-0", of: index) }
    let reader = try open(readOnly: true)
    #expect(try reader.defaultCollection().valueIndexDescriptions().filter(\.isOutdated).map(\.name) == ["by_name"])
    try reader.close()
    let writer = try open()
    #expect(try writer.defaultCollection().valueIndexDescriptions().filter(\.isOutdated).isEmpty)
    #expect(try writer.verify() == [])
    try writer.close()
    #expect(try catalog()["by_stars"]?[1] == "1 3;icu=1.0;unicode=1.0;snowball=1-0")
    #expect(try catalog()["by_name"]?[1].hasPrefix("1;icu=") == true)
  }

  /// Version 1 of the rules rounded large integers as doubles.
  @Test func onlyIndexesWithChangedKeysAreRebuilt() throws {
    var database = try open()
    try database.defaultCollection().createIndex(
      withName: "rounded", config: ValueIndexConfiguration(["ROUND(stars, -1)"]))
    try database.defaultCollection().createIndex(withName: "plain", config: ValueIndexConfiguration(["stars"]))
    try database.close()
    #expect(try catalog()["rounded"]?[1] == "2" && catalog()["plain"]?[1] == "1")
    try setVersion("1", of: "rounded")
    database = try open(readOnly: true)
    #expect(try database.defaultCollection().valueIndexDescriptions().filter(\.isOutdated).map(\.name) == ["rounded"])
    try database.close()
    database = try open()
    #expect(try database.defaultCollection().valueIndexDescriptions().filter(\.isOutdated).isEmpty)
    try database.close()
    #expect(try catalog()["rounded"]?[1] == "2" && catalog()["plain"]?[1] == "1")
  }
}

/// `format-2.sqlite` contains the documents `r1` and `r3`, the tombstone `r2`, a value index and a full-text index. It
/// was written by `concord put`, `delete` and `create-index`.
@Suite(.filesOnly("formats of files"))
struct Format2Tests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appendingPathComponent("old.concord").path
    let files = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(atPath: files.appendingPathComponent("Files/format-2.sqlite").path, toPath: path)
  }

  @Test func fileIsReadInItsOwnFormat() throws {
    var config = DatabaseConfiguration()
    config.isReadOnly = true
    let database = try Concordance.Database(path: path, config: config)
    #expect(try database.defaultCollection().count == 2)
    #expect(try database.defaultCollection().document(id: "r3")?.int(forKey: "stars") == 4)
  }

  @Test func upgradedFileIsReplicated() throws {
    let database = try Concordance.Database(path: path)
    #expect(try database.verify() == [])
    let other = try TemporaryDatabase()
    try other.save("r2", #"{"name":"new"}"#)
    let replicator = try Replicator(
      config: ReplicatorConfiguration(
        collections: .fromCollections([try database.defaultCollection()]),
        target: DatabaseEndpoint(database: other.database)))
    let activities = Received<Replicator.ActivityLevel>()
    replicator.addChangeListener(withQueue: DispatchQueue(label: "status")) { activities.add($0.status.activity) }
    replicator.start()
    activities.wait { $0.last == .stopped }
    #expect(replicator.status.error == nil)
    // A deletion wins over a change.
    #expect(try other.collection.document(id: "r2") == nil)
    #expect(try other.collection.document(id: "r1")?.int(forKey: "stars") == 4)
    #expect(try database.verify() == [])
    try database.close()
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
    try queue.close()
  }
}

/// The rule that excludes documents from `*`.
@Suite(.filesOnly("formats of files"))
struct ExcludedDocumentTests {
  @Test func ruleOfTheIndexDefinitionIsUsed() throws {
    let test = try TemporaryDatabase()
    try test.save("file", #"{"path":"harbour","text":"sea"}"#)
    try test.save("record", #"{"path":"harbour","text":["sea"]}"#)
    var config = FullTextIndexConfiguration(["text", "*"])
    config.excludedFromOtherStrings = DocumentShape(strings: ["text"], members: ["path"])
    try test.collection.createIndex(withName: "search", config: config)
    #expect(try test.found("harbour") == ["record"])
    #expect(try Set(test.found("sea")) == ["file", "record"])
    config.excludedFromOtherStrings = DocumentShape(strings: ["title"])
    try test.collection.createIndex(withName: "search", config: config)
    #expect(try Set(test.found("harbour")) == ["file", "record"])
    #expect(try test.database.verify() == [])
  }

  /// `grep` reads every string of a document without a `text`, so it cannot use an index that excludes such documents.
  @Test func grepFindsDocumentsThatThePatternIndexExcludes() throws {
    let test = try TemporaryDatabase()
    for number in 0..<100 { try test.save("\(number)", #"{"body":"nothing"}"#) }
    try test.save("a", #"{"title":"x","body":"harbour"}"#)
    var config = PatternIndexConfiguration(["text", "*"])
    config.excludedFromOtherStrings = DocumentShape(strings: ["title"])
    try test.collection.createIndex(withName: "patterns", config: config)
    var found: [String] = []
    try test.collection.searchLines(PatternSearchRequest("harb[o]ur")) { document -> String? in
      var hasMatch = false
      try document.forEachLine { _ in
        hasMatch = true
        return false
      }
      return hasMatch ? document.id : nil
    } deliver: {
      found.append($0)
      return true
    }
    #expect(found == ["a"])
  }
}
