import Foundation
import Testing

@testable import TextIndex

@Suite struct SegmentEncodingTests {
  private struct Stop: Error {}

  /// Adds one document, whose terms take several parts of a segment, to a builder.
  private func builder() -> PostingsBuilder<Int> {
    let builder = PostingsBuilder<Int>(from: PostingsPool(.full), memory: .max) { count, row, postings in
      for number in 0..<count {
        Array("term\(number)".utf8).withUnsafeBytes { postings.add($0, row: row, column: 0, position: number) }
      }
    }
    builder.add(200_000, row: 1, size: 1)
    return builder
  }

  @Test func partsContainAllLeavesInOrder() throws {
    var ids: [Int64] = []
    var partCount = 0
    let count = try builder().encode(segment: 3, pageSize: 1000).forEachPart { part in
      partCount += 1
      part.forEachBlock { id, bytes in
        ids.append(id)
        #expect(bytes.count <= 1100)
      }
    }
    #expect(ids == (1...count).map { 3 << DoclistFormat.segmentShift + $0 })
    #expect(partCount > 8)
  }

  @Test func cancellationEndsTheEncodingThread() {
    let queue = DispatchQueue(label: "encoding")
    let postings = PostingsHash(.full)
    for number in 0..<200_000 {
      Array("term\(number)".utf8).withUnsafeBytes { postings.add($0, row: 1, column: 0, position: number) }
    }
    let encoding = SegmentEncoding()
    let table = SendablePostings(postings)
    queue.async {
      encoding.run(segment: 1, pageSize: 1000, detail: .full) { try table.postings.write(to: &$0) }
    }
    #expect(throws: Stop.self) { _ = try encoding.forEachPart { _ in throw Stop() } }
    encoding.cancel()
    // Returns when the encoding has ended, although most of its parts were not received.
    queue.sync {}
  }

  /// `@unchecked Sendable`: only the serial queue of the test uses the table after its creation.
  private struct SendablePostings: @unchecked Sendable {
    let postings: PostingsHash
    init(_ postings: PostingsHash) { self.postings = postings }
  }
}
