/// Where the postings of each window of rows begin, and the best that a document of the window can get for them.
///
/// The rows are cut into windows of equal length, the same for all postings of an index, so that bounds of several
/// terms can be added up window by window. What cannot reach the hits that are already there is never looked at: the
/// idea of Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max Indexes" (2011), with aligned blocks.
///
/// `@unchecked Sendable`: it needs no lock, since nothing changes it once it is made.
final class ScoreBounds: @unchecked Sendable {
  let ranking: ResolvedRanking
  let windows: RowWindows
  /// For each window where its postings begin; one more for the end.
  let starts: UnsafePointer<UInt32>
  /// For each window the highest saturation in it, rounded up; 0 where it is empty.
  let saturations: UnsafePointer<Float>

  /// The size in bytes.
  var size: Int { windows.count * (MemoryLayout<UInt32>.size + MemoryLayout<Float>.size) }

  private let initialBuffer: UnsafeMutablePointer<UInt32>
  private let saturationMemory: UnsafeMutablePointer<Float>

  init(_ postings: Postings, _ windows: RowWindows, _ scorer: Scorer) {
    ranking = scorer.ranking
    self.windows = windows
    initialBuffer = .allocate(capacity: windows.count + 1)
    saturationMemory = .allocate(capacity: windows.count)
    starts = UnsafePointer(initialBuffer)
    saturations = UnsafePointer(saturationMemory)
    let (rows, frequencies, overflow) = (postings.rows, postings.frequencies, postings.overflow)
    var position = 0
    for window in 0..<windows.count {
      initialBuffer[window] = UInt32(position)
      let end = (window + 1) << windows.bits
      var best = 0.0
      while position < postings.count, Int(rows[position]) < end {
        best = max(best, scorer.saturation(rows[position], frequencies[position], overflow))
        position += 1
      }
      saturationMemory[window] = best == 0 ? 0 : Float(best).nextUp
    }
    initialBuffer[windows.count] = UInt32(position)
  }

  deinit {
    initialBuffer.deallocate()
    saturationMemory.deallocate()
  }
}

/// How the rows of an index are cut into windows.
struct RowWindows: Hashable {
  /// A window has 2 to this power rows.
  let bits: Int
  let count: Int

  /// The windows of an index whose rows are below a limit: about 2,000, of at least 256 rows.
  init(rowLimit: Int) {
    var bits = 8
    while rowLimit >> bits > 2048 { bits += 1 }
    self.bits = bits
    count = (max(1, rowLimit) - 1) >> bits + 1
  }

  var length: Int { 1 << bits }
}
