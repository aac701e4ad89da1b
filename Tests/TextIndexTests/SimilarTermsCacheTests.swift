import Foundation
import GRDB
import Testing

@testable import TextIndex

@Suite struct SimilarTermsCacheTests {
  @Test func leastRecentlyUsedSearchIsRemoved() throws {
    let cache = SimilarTermsCache()
    let count = SimilarTermsCache.maximumCount
    for number in 0..<count { #expect(try Self.isRead("word\(number)", cache)) }
    for number in 0..<count { #expect(try !Self.isRead("word\(number)", cache)) }
    #expect(try !Self.isRead("word0", cache))
    #expect(try Self.isRead("other", cache))
    // The first word was used after the second one.
    #expect(try !Self.isRead("word0", cache))
    #expect(try Self.isRead("word1", cache))
  }

  @Test func longListsAreNotCached() throws {
    let cache = SimilarTermsCache()
    let size = TermList(["word"]).size
    let most = SimilarTermsCache.maximumSize / size
    #expect(try Self.isRead("most", cache, termCount: most))
    #expect(try !Self.isRead("most", cache))
    #expect(try Self.isRead("more", cache, termCount: most + 1))
    #expect(try Self.isRead("more", cache))
  }

  @Test func everyConditionOfSearchIsPartOfKey() throws {
    let cache = SimilarTermsCache()
    let word = Array("barrier".unicodeScalars)
    let searches = try [
      TypoSearch(word, edits: 1, firstLetter: .any), TypoSearch(word, edits: 2, firstLetter: .any),
      TypoSearch(word, edits: 2, firstLetter: .kept), TypoSearch(word, edits: 2, firstLetter: .keptByTwoEdits),
      TypoSearch(word, edits: 2, minimumLengthWithTwoEdits: 9, firstLetter: .any),
      TypoSearch(word, edits: 2, firstLetter: .any, includesNames: false),
      TypoSearch(Array("barriers".unicodeScalars), edits: 2, firstLetter: .any),
    ].map { try #require($0) }
    for search in searches { #expect(try Self.isRead(search, cache)) }
    for search in searches { #expect(try !Self.isRead(search, cache)) }
  }

  @Test func failedReadIsRepeated() throws {
    let cache = SimilarTermsCache()
    let key = try #require(TypoSearch(["a"], edits: 1, firstLetter: .any)).key
    #expect(throws: DoclistCorruption.self) { _ = try cache.terms(key) { throw DoclistCorruption.truncated } }
    let terms = cache.terms(key) { TermList(["b"]) }
    #expect(terms.count == 1)
  }

  /// The cached terms are those of the committed state that a transaction reads.
  @Test(arguments: [0, 1000])
  func writesInvalidateCachedTerms(fewLeaves: Int) throws {
    let index = try Self.index()
    #expect(try Self.similar("barier", index, fewLeaves: fewLeaves) == ["barrier"])
    try index.insert(1, #"{"text":"carrier harbour"}"#)
    #expect(try Self.similar("barier", index, fewLeaves: fewLeaves) == ["barrier"])
    try index.insert(2, #"{"text":"barrier bazier"}"#)
    #expect(try Self.similar("barier", index, fewLeaves: fewLeaves) == ["barrier", "bazier"])
    try index.remove(2)
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try Self.similar("barier", index, fewLeaves: fewLeaves) == ["barrier"])
  }

  @Test func rolledBackTermsAreNotFound() throws {
    struct Cancelled: Error {}
    let index = try Self.index()
    #expect(try Self.similar("barier", index) == ["barrier"])
    #expect(throws: Cancelled.self) {
      try index.queue.write { db in
        let writer = try FullTextWriter(index.index, db)
        try writer.insert(index.terms(#"{"text":"bazier"}"#), rowID: 1)
        try writer.flush(syncing: true)
        #expect(try Self.similar("barier", index.index, db) == ["barrier", "bazier"])
        throw Cancelled()
      }
    }
    #expect(try Self.similar("barier", index) == ["barrier"])
    try index.insert(1, #"{"text":"barriers"}"#)
    #expect(try Self.similar("barier", index) == ["barrier"])
  }

  /// A connection with its own cache commits, as another process does.
  @Test func commitOfOtherConnectionInvalidatesCachedTerms() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("similar-\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let index = try Self.index(path: path)
    var configuration = Configuration()
    configuration.prepareDatabase { try TermStreamTokenizer.register($0) }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let other = try queue.read { try FullTextCatalog.indexes(of: 1, $0) }[0]
    #expect(other.cache !== index.index.cache)
    #expect(try queue.read { try Self.similar("barier", other, $0) } == ["barrier"])
    try index.insert(1, #"{"text":"bazier"}"#)
    #expect(try queue.read { try Self.similar("barier", other, $0) } == ["barrier", "bazier"])
    try index.remove(1)
    try index.queue.write { try FullTextCatalog.optimize(index.index, $0) }
    #expect(try queue.read { try Self.similar("barier", other, $0) } == ["barrier"])
  }

  @Test func repeatedSearchesDoNotRequestVocabulary() throws {
    let index = try Self.index()
    func prefersPartialRead() throws -> Bool {
      try index.queue.read { try index.index.cache.state(of: index.index, $0) }.terms.prefersPartialRead
    }
    for _ in 0..<200 { #expect(try Self.similar("barier", index) == ["barrier"]) }
    #expect(try prefersPartialRead())
    for number in 0..<63 { _ = try Self.similar("bazier\(number)", index) }
    #expect(try !prefersPartialRead())
    #expect(try Self.similar("barier", index) == ["barrier"])
  }

  /// Returns whether a search is not cached.
  private static func isRead(_ word: String, _ cache: SimilarTermsCache, termCount: Int = 1) throws -> Bool {
    try isRead(#require(TypoSearch(Array(word.unicodeScalars), edits: 1, firstLetter: .any)), cache, termCount)
  }

  private static func isRead(_ search: TypoSearch, _ cache: SimilarTermsCache, _ termCount: Int = 1) throws -> Bool {
    var isRead = false
    _ = cache.terms(search.key) {
      isRead = true
      return TermList((0..<termCount).map { _ in "word" })
    }
    return isRead
  }

  /// Returns the accepted terms with one edit: from the cache, from leaves if there are more than `fewLeaves`, or from
  /// the vocabulary.
  private static func similar(
    _ word: String, _ index: StoredFullTextIndex, _ db: GRDB.Database, fewLeaves: Int = 0
  ) throws -> [String] {
    let search = try #require(TypoSearch(Array(word.unicodeScalars), edits: 1, firstLetter: .any))
    let terms = try TermDictionary(index, db, fewLeaves: fewLeaves).terms(acceptedBy: search)
    #expect(terms.count == terms.matches(search).count)
    return (0..<terms.count).map(terms.text)
  }

  private static func similar(_ word: String, _ index: TestIndex, fewLeaves: Int = 0) throws -> [String] {
    try index.queue.read { try similar(word, index.index, $0, fewLeaves: fewLeaves) }
  }

  private static func index(path: String? = nil) throws -> TestIndex {
    let index = try TestIndex(["text"], path: path)
    try index.insert(100, #"{"text":"barrier memory"}"#)
    return index
  }
}
