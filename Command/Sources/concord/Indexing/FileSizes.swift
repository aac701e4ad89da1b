extension Int64 {
  /// Returns the sum of two sizes of files, or the maximum value. The sizes of sparse files may add up to more than the
  /// maximum value.
  static func saturatingSum(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}
