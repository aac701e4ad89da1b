/// How many terms each column of each document has, in memory, in one state of an index.
protocol DocumentLengthSource: AnyObject, Sendable {
  /// One more than the highest row that may have a length.
  var rowLimit: Int { get }

  /// The lengths of a column, to be used while the source lives.
  func column(_ column: Int) -> LengthColumn
}

/// The lengths of a column in runs of equal length, as flat memory: scoring reads one for every posting.
struct LengthColumn {
  private let runs: UnsafePointer<UnsafePointer<UInt32>>
  private let runCount: Int

  /// A run has 2 to this power rows.
  static let runBits = 9
  static let runLength = 1 << runBits

  /// - Parameters:
  ///   - runs: for each run where its ``runLength`` lengths are.
  ///   - runCount: how many runs there are.
  init(runs: UnsafePointer<UnsafePointer<UInt32>>, runCount: Int) {
    self.runs = runs
    self.runCount = runCount
  }

  /// How many terms the column has in a document; 0 for a document that is not in the index.
  @inline(__always)
  func callAsFunction(_ row: UInt32) -> UInt32 {
    let run = Int(row >> UInt32(LengthColumn.runBits))
    guard run < runCount else { return 0 }
    return runs[run][Int(row) & (LengthColumn.runLength - 1)]
  }
}
