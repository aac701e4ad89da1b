import GRDB
import Testing

@testable import TextIndex

@Suite struct PostingsBudgetTests {
  @Test func leastRecentlyUsedPostingsOfAnyIndexAreEvicted() throws {
    let budget = PostingsBudget(limit: 16 << 10)
    let (first, second) = (PostingsCache(budget), PostingsCache(budget))
    try Self.read("a", from: first)
    try Self.read("b", from: first)
    try Self.read("a", from: second)
    try Self.read("b", from: first)
    for number in 0..<16 { try Self.read("\(number)", from: second) }
    try Self.read("b", from: first)
    for number in 16..<32 { try Self.read("\(number)", from: second) }
    #expect(first.uses.map(\.key.term) == ["b"])
    #expect(!second.uses.contains { $0.key.term == "a" })
    #expect(budget.size <= budget.limit)
  }

  @Test func closedIndexReleasesItsMemory() throws {
    let budget = PostingsBudget(limit: 1 << 20)
    var cache: PostingsCache? = PostingsCache(budget)
    try Self.read("a", from: #require(cache))
    #expect(budget.size > 0)
    cache = nil
    #expect(budget.size == 0)
  }

  @Test func postingsLargerThanHalfTheBudgetAreNotCached() throws {
    let budget = PostingsBudget(limit: 1 << 10)
    let cache = PostingsCache(budget)
    try Self.read("a", from: cache, count: 1000)
    #expect(cache.uses.isEmpty && budget.size == 0)
  }

  private static func read(_ term: String, from cache: PostingsCache, count: Int = 10) throws {
    _ = cache.postings(PostingsCache.Key(term: term), withPositions: false) {
      var memory = PostingsStorage(keepingPositions: false)
      for row in 0..<count { memory.append(UInt32(row), 1, UnsafeBufferPointer(start: nil, count: 0)) }
      return Postings(memory)
    }
  }
}
