@testable import DocumentFormats
import Testing

struct WorkerMessageTests {
  @Test func aRequestContainsAllLimits() {
    var limits = ExtractionLimits()
    (limits.partSize, limits.totalSize, limits.memberCount) = (1, 2, 3)
    (limits.ratio, limits.depth, limits.seconds) = (4, 5, 6)
    let message = WorkerMessage.request(path: "a", name: "b", limits)
    #expect(message.limits == limits)
  }
}
