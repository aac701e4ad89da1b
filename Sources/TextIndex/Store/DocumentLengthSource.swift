/// The length in terms of each column of each document, in memory, for one state of an index.
package protocol DocumentLengthSource: AnyObject, Sendable {
  /// One more than the highest row that can have a length.
  var rowLimit: Int { get }

  /// Returns the lengths of a column, valid while the source exists.
  func column(_ column: Int) -> LengthColumn
}

/// The lengths of a column in runs of equal size, as flat memory, because scoring reads one for every posting.
package struct LengthColumn {
  private let runs: UnsafePointer<LengthRunMemory>
  private let firstRun: Int
  private let runCount: Int

  /// The base-2 logarithm of the number of rows in a run.
  package static let runBits = 9
  package static let runLength = 1 << runBits

  /// - Parameters:
  ///   - runs: for each run, its ``runLength`` lengths.
  ///   - firstRun: the number of the first run. The rows of earlier runs have no lengths.
  ///   - runCount: the number of runs.
  package init(runs: UnsafePointer<LengthRunMemory>, firstRun: Int = 0, runCount: Int) {
    self.runs = runs
    self.firstRun = firstRun
    self.runCount = runCount
  }

  /// Returns the number of terms in the column of a document; 0 for a document that is not in the index.
  @inline(__always)
  func callAsFunction(_ row: UInt32) -> UInt32 {
    let run = Int(row >> UInt32(LengthColumn.runBits)) &- firstRun
    // As an unsigned number, so that one comparison also excludes negative numbers.
    guard UInt(bitPattern: run) < UInt(bitPattern: runCount) else { return 0 }
    return runs[run][Int(row) & (LengthColumn.runLength - 1)]
  }
}

/// A pointer to the lengths of a run: little-endian numbers of 1, 2 or 4 bytes.
///
/// The memory is aligned to four bytes, and the two lowest bits of the pointer contain the base-2 logarithm of the
/// width.
package struct LengthRunMemory {
  private let tagged: UnsafeRawPointer

  /// The number of bytes that must be readable after lengths of less than four bytes, because four are read for each.
  package static let padding = 3

  /// - Parameters:
  ///   - lengths: ``LengthColumn/runLength`` numbers, followed by ``padding`` bytes.
  ///   - widthBits: the base-2 logarithm of their width: 0, 1 or 2.
  package init(_ lengths: UnsafeRawPointer, widthBits: Int) { tagged = lengths + widthBits }

  /// - Parameter lengths: ``LengthColumn/runLength`` little-endian numbers.
  package init(_ lengths: UnsafePointer<UInt32>) { tagged = UnsafeRawPointer(lengths) + 2 }

  /// Returns the length at a position, without a branch: widths of runs are hard to predict.
  @inline(__always)
  package subscript(position: Int) -> UInt32 {
    let widthBits = Int(bitPattern: tagged) & 3
    let value = tagged.loadUnaligned(fromByteOffset: position &<< widthBits &- widthBits, as: UInt32.self)
    return UInt32(littleEndian: value) & (UInt32.max &>> UInt32(truncatingIfNeeded: 32 &- (8 &<< widthBits)))
  }
}
