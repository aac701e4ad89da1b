import Foundation
import Testing

@testable import DocumentStore

@Suite struct TimeOrderedUUIDTests {
  /// The example of RFC 9562, appendix A.6.
  @Test func matchesTheExampleOfTheStandard() {
    let fraction: UInt64 = 797_608  // 0xCC3 of 4,096 parts of a millisecond
    let id = TimeOrderedUUID.make(
      nanoseconds: 1_645_557_742_000 * 1_000_000 + fraction, random: 0x18C4_DC0C_0C07_398F << 2)
    #expect(id == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
  }

  @Test func laterTimesSortLater() {
    let ids = (0..<2000).map { (step: UInt64) in
      TimeOrderedUUID.make(nanoseconds: 1_700_000_000_000_000_000 + step * 1_000, random: .random(in: 0 ... .max))
    }
    #expect(ids == ids.sorted())
  }

  @Test(arguments: [0, 1, UInt64.max]) func anyClockGivesAValidUUID(nanoseconds: UInt64) {
    let id = TimeOrderedUUID.make(nanoseconds: nanoseconds, random: .max)
    #expect(UUID(uuidString: id)?.uuidString.lowercased() == id)
  }

  @Test func newIDsContainTheCurrentTime() throws {
    let before = Date()
    let id = TimeOrderedUUID.make()
    let milliseconds = try #require(UInt64(id.replacing("-", with: "").prefix(12), radix: 16))
    let time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    #expect(time > before.addingTimeInterval(-1) && time < Date().addingTimeInterval(1))
  }

  @Test func idsAreDistinct() {
    #expect(Set((0..<10_000).map { _ in TimeOrderedUUID.make() }).count == 10_000)
  }
}
