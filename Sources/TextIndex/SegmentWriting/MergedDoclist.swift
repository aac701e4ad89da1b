/// The doclist of a term in a segment that is merged, as one piece: with deltas instead of the full rowids with which
/// leaves begin. It is validated, so that its rows can be read without further checks. See ``DoclistFormat``.
struct MergedDoclist {
  let bytes: UnsafeBufferPointer<UInt8>
  let scan: DoclistScan

  /// The bytes after the first rowid.
  private var rest: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[scan.firstRowLength...])
  }

  /// Appends the doclist without changes after an older one.
  ///
  /// - Parameter last: the last row of the older doclist, or 0 for the first doclist.
  func append(to output: inout GrowableBuffer<UInt8>, after last: UInt64) {
    output.appendVarint(scan.firstRow &- last)
    output.append(rest)
  }
}
