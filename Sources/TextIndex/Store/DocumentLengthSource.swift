/// The length in terms of each column of each document, in memory, for one state of an index.
protocol DocumentLengthSource: AnyObject, Sendable {
  /// One more than the highest row that can have a length.
  var rowLimit: Int { get }

  /// Returns the lengths of a column, valid while the source exists.
  func column(_ column: Int) -> LengthColumn
}

/// The lengths of a column in runs of equal size, as flat memory, because scoring reads one for every posting.
struct LengthColumn {
  private let runs: UnsafePointer<UnsafePointer<UInt32>>
  private let runCount: Int

  /// The base-2 logarithm of the number of rows in a run.
  static let runBits = 9
  static let runLength = 1 << runBits

  /// - Parameters:
  ///   - runs: for each run, a pointer to its ``runLength`` lengths.
  ///   - runCount: the number of runs.
  init(runs: UnsafePointer<UnsafePointer<UInt32>>, runCount: Int) {
    self.runs = runs
    self.runCount = runCount
  }

  /// Returns the number of terms in the column of a document; 0 for a document that is not in the index.
  @inline(__always)
  func callAsFunction(_ row: UInt32) -> UInt32 {
    let run = Int(row >> UInt32(LengthColumn.runBits))
    guard run < runCount else { return 0 }
    return runs[run][Int(row) & (LengthColumn.runLength - 1)]
  }
}
