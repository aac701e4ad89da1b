import Testing

@testable import PostgresStore

@Suite struct DocumentCacheTests {
  @Test func makingRoomDiscardsDocumentsOnlyIfTheCacheIsHalfFull() {
    let cache = DocumentCache()
    cache.announce([3, 4], of: 1)
    cache.add(.written([]), number: 1, id: "a", size: 1 << 20, of: 1)
    cache.makeRoom()
    #expect(cache.row(ofID: "a", of: 1)?.value == 1)
    cache.add(.written([]), number: 2, id: "b", size: 40 << 20, of: 1)
    cache.makeRoom()
    #expect(cache.row(ofID: "a", of: 1) == nil && cache.row(2, of: 1) == nil)
    // The announced rows are still to be read.
    #expect(cache.nextRows(3, of: 1, limit: 2) == [3, 4])
  }
}
