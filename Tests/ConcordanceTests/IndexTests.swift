import Concordance
import Foundation
import Synchronization
import Testing

@Suite struct IndexTests {
  let files: TemporaryDatabase
  let config = FullTextIndexConfiguration(["title", "text"], ignoreAccents: true, language: "en")

  init() throws { files = try TemporaryDatabase() }

  @Test func indexIsUpdatedByEveryChange() throws {
    try files.collection.createIndex(withName: "search", config: config)
    try files.save("a", #"{"title":"Straße","text":"running dogs"}"#)
    try files.save("b", #"{"title":"other","text":"dogs"}"#)
    #expect(try files.found("strasse") == ["a"])
    try files.save("a", #"{"title":"Weg","text":"running dogs"}"#)
    #expect(try files.found("strasse") == [])
    #expect(try files.found("weg dog") == ["a"])
    try files.collection.delete(document: #require(try files.collection.document(id: "a")))
    #expect(try files.found("dog") == ["b"])
    try files.collection.purge(id: "b")
    #expect(try files.found("dog") == [])
    try files.save("a", #"{"title":"again"}"#)
    #expect(try files.found("again") == ["a"])
    #expect(try files.database.verify() == [])
  }

  @Test func rolledBackBatchKeepsTheIndex() throws {
    struct Refusal: Error {}
    try files.collection.createIndex(withName: "search", config: config)
    try files.save("a", #"{"title":"one"}"#)
    expectRollback(by: Refusal.self) {
      try files.database.inBatch {
        try files.save("a", #"{"title":"two"}"#)
        try files.save("b", #"{"title":"two"}"#)
        #expect(try files.found("two").sorted() == ["a", "b"])
        throw Refusal()
      }
    }
    #expect(try files.found("two") == [])
    #expect(try files.found("one") == ["a"])
    #expect(try files.database.verify() == [])
  }

  @Test func creationOnAFilledCollectionReportsProgress() throws {
    try files.database.inBatch {
      for number in 0..<2500 { try files.save("\(number)", "{\"title\":\"word\(number)\"}") }
    }
    var steps: [UInt64] = []
    try files.collection.createIndex(withName: "search", config: config) { done, total in
      #expect(total == 2500)
      steps.append(done)
      return true
    }
    #expect(steps == [1000, 2000, 2500])
    #expect(try files.found("word2499") == ["2499"])
    #expect(try files.collection.indexDescriptions().map(\.documentCount) == [2500])
  }

  @Test func cancelledIndexIsNotCreated() throws {
    for number in 0..<3 { try files.save("\(number)", #"{"title":"word"}"#) }
    #expect(throws: CancellationError.self) {
      try files.collection.createIndex(withName: "search", config: config) { _, _ in false }
    }
    #expect(try files.collection.indexes() == [])
  }

  @Test func equalDefinitionDoesNothingAndADifferentOneReplacesTheIndex() throws {
    try files.save("a", #"{"title":"ardèche","name":"x"}"#)
    try files.collection.createIndex(withName: "search", config: config)
    var isFilledAgain = false
    try files.collection.createIndex(withName: "search", config: config) { _, _ in
      isFilledAgain = true
      return true
    }
    #expect(!isFilledAgain)
    #expect(try files.found("ardeche") == ["a"])
    try files.collection.createIndex(withName: "search", config: FullTextIndexConfiguration(["title"]))
    var exactly = SearchRequest("ardeche")
    exactly.relaxes = false
    #expect(try files.collection.count(matching: exactly) == 0)
    #expect(try files.found("ardèche") == ["a"])
    #expect(try files.database.verify() == [])
  }

  @Test func changedSynonymsAndStopWordsKeepTheTerms() throws {
    try files.save("a", #"{"title":"a car"}"#)
    try files.collection.createIndex(withName: "search", config: config)
    var other = config
    other.synonyms = [try SynonymRule("car, automobile")]
    other.stopWords = .custom(["the"])
    var isFilledAgain = false
    try files.collection.createIndex(withName: "search", config: other) { _, _ in
      isFilledAgain = true
      return true
    }
    #expect(!isFilledAgain)
    #expect(try files.found("the automobile") == ["a"])
    try files.collection.createIndex(withName: "search", config: config)
    #expect(try files.found("automobile") == [])
  }

  @Test func builderAndConfigurationCreateEqualIndexes() throws {
    let index = IndexBuilder.fullTextIndex(items: FullTextIndexItem.property("title"), .property("text"))
      .ignoreAccents(true).language("en")
    try files.collection.createIndex(index, name: "built")
    try files.collection.createIndex(withName: "configured", config: config)
    let descriptions = try files.collection.indexDescriptions()
    #expect(descriptions.map(\.name) == ["built", "configured"])
    #expect(descriptions[0].fields == descriptions[1].fields)
    #expect(descriptions[0].analyzer == descriptions[1].analyzer)
    try files.collection.deleteIndex(forName: "built")
    #expect(try files.collection.indexes() == ["configured"])
  }

  @Test func invalidConfigurationsAreRefusedAndNoIndexIsDropped() throws {
    try files.collection.createIndex(withName: "search", config: config)
    for bad in [
      FullTextIndexConfiguration(["title"], language: "klingon"), FullTextIndexConfiguration([]),
      FullTextIndexConfiguration(["a.."]), FullTextIndexConfiguration(["a", "a"]),
    ] {
      expectError(CBLError.invalidParameter) { try files.collection.createIndex(withName: "search", config: bad) }
    }
    expectError(CBLError.invalidQuery) {
      try files.collection.createIndex(
        withName: "search", config: FullTextIndexConfiguration(["a"], where: "type = $type"))
    }
    #expect(try files.collection.indexDescriptions().map(\.fields) == [["title", "text"]])
  }

  @Test func indexCreatedByAnotherObjectIsUpdated() throws {
    try files.save("before", #"{"title":"word"}"#)
    let other = try files.again()
    try other.defaultCollection().createIndex(withName: "search", config: config)
    try files.save("after", #"{"title":"word"}"#)
    #expect(try files.found("word").sorted() == ["after", "before"])
    try other.defaultCollection().deleteIndex(forName: "search")
    try files.save("later", #"{"title":"word"}"#)
    expectError(CBLError.missingIndex) { _ = try files.found("word") }
    #expect(try files.database.verify() == [])
  }

  @Test(.filesOnly("damages a file")) func damageIsReportedAndARebuildRepairsIt() throws {
    try files.collection.createIndex(withName: "search", config: config)
    for number in 0..<20 { try files.save("\(number)", "{\"title\":\"word \(number)\"}") }
    let path = try #require(files.database.path)
    try files.database.close()
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    // The term as FTS5 encodes it: one byte shared with the previous term and four new bytes. The page remains valid.
    let range = try #require(data.range(of: Data([1, 4]) + Data("word".utf8)))
    var damaged = data
    damaged.replaceSubrange(range, with: Data([1, 4]) + Data("ward".utf8))
    try damaged.write(to: URL(fileURLWithPath: path))
    let database = try files.again()
    let problems = try database.verify()
    #expect(problems.map(\.location) == ["index search of _default._default"])
    expectError(CBLError.corruptData) { try database.performMaintenance(type: .integrityCheck) }
    try database.performMaintenance(type: .reindex)
    #expect(try database.verify() == [])
  }

  @Test func readersAndAWriterInManyThreads() throws {
    try files.collection.createIndex(withName: "search", config: config)
    let isDone = Atomic(false)
    let odd = Atomic(0)
    let group = DispatchGroup()
    for _ in 0..<3 {
      DispatchQueue.global().async(group: group) {
        while !isDone.load(ordering: .relaxed) {
          // Each batch saves five documents with the word.
          let count = (try? files.collection.count(matching: SearchRequest("word"))) ?? -1
          if count % 5 != 0 { odd.add(1, ordering: .relaxed) }
          if (try? files.collection.search("word")) == nil { odd.add(1, ordering: .relaxed) }
        }
      }
    }
    for batch in 0..<30 {
      try files.database.inBatch {
        for number in 0..<5 { try files.save("\(batch % 10)-\(number)", "{\"title\":\"word \(batch)\"}") }
      }
    }
    isDone.store(true, ordering: .relaxed)
    group.wait()
    #expect(odd.load(ordering: .relaxed) == 0)
    #expect(try files.database.verify() == [])
  }
}
