/// The number of bytes of a blob that a document permits.
struct BlobAllowance: Hashable, Comparable {
  /// The maximum length of a blob whose document states none. Couchbase Lite always states the length.
  static let unstatedLength: Int64 = 256 << 20
  /// The number of further bytes that are received and discarded, so that a blob that is slightly too long affects only
  /// its document and not the whole replication.
  static let discardedLength: Int64 = 16 << 20

  /// Whether the document states the length.
  let isStated: Bool
  /// The maximum length in bytes. The document of a longer blob is refused.
  let length: Int64

  /// - Parameter length: the length that the document states; nil if there is none.
  init(stated length: Int64?) {
    isStated = length != nil
    self.length = max(0, length ?? BlobAllowance.unstatedLength)
  }

  /// The number of received bytes above which the connection is closed.
  var disconnection: Int64 {
    let (sum, overflows) = length.addingReportingOverflow(BlobAllowance.discardedLength)
    return overflows ? .max : sum
  }

  /// Returns the error message for a blob that is too long.
  func message(_ digest: String) -> String {
    isStated
      ? "the blob \(digest) is larger than the \(length) bytes that its document states"
      : "the blob \(digest) is larger than \(length >> 20) MiB, and its document states no \"length\"; add it"
  }

  static func < (one: BlobAllowance, other: BlobAllowance) -> Bool { one.length < other.length }
}
