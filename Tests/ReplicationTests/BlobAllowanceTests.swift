@testable import Replication
import Testing

@Suite struct BlobAllowanceTests {
  /// Regression test: a blob without a stated length was received without a limit.
  @Test func aBlobWithoutALengthIsLimited() {
    let allowance = BlobAllowance(stated: nil)
    #expect(allowance.length == 256 << 20)
    #expect(allowance.disconnection == (256 + 16) << 20)
    #expect(allowance.message("sha1-x").contains("larger than 256 MiB"))
  }

  @Test(arguments: [(0, 16 << 20), (14, (16 << 20) + 14), (-1, 16 << 20), (.max, .max)] as [(Int64, Int64)])
  func aStatedLengthIsTheLimit(length: Int64, disconnection: Int64) {
    let allowance = BlobAllowance(stated: length)
    #expect(allowance.length == max(0, length))
    #expect(allowance.disconnection == disconnection)
  }

  @Test func theGreaterAllowanceIsThatOfTheLongerBlob() {
    let (none, short) = (BlobAllowance(stated: nil), BlobAllowance(stated: 14))
    let long = BlobAllowance(stated: 1 << 40)
    #expect(max(none, short) == none && max(none, long) == long)
  }
}
