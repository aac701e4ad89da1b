@testable import Replication
import Testing

@Suite struct WaitingRevisionsTests {
  @Test func theNumberOfRevisionsIsLimited() {
    var revisions = WaitingRevisions()
    for _ in 0..<WaitingRevisions.maximumCount {
      let isCounted = revisions.reserve(1)
      #expect(isCounted)
    }
    let isRefused = !revisions.reserve(0)
    revisions.release(1)
    let isCountedAgain = revisions.reserve(1)
    #expect(isRefused && isCountedAgain)
  }

  @Test func theSizeOfRevisionsIsLimited() {
    var revisions = WaitingRevisions()
    let isCounted = revisions.reserve(WaitingRevisions.maximumSize - 1)
    let isRefused = !revisions.reserve(2)
    // A refused revision is not counted.
    let isLastCounted = revisions.reserve(1)
    revisions.release(WaitingRevisions.maximumSize - 1)
    let isCountedAgain = revisions.reserve(WaitingRevisions.maximumSize - 1)
    #expect(isCounted && isRefused && isLastCounted && isCountedAgain)
  }
}
