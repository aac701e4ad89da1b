import TextIndex

/// The description of a segment, stored once per segment and never changed.
///
/// ```
/// header := version:number  columns:number  pages:number  blocks:number  positions:number  lengths:number
///           b:f64  (weight:f64  average:f64){per column}  replaced:number  rows
/// ```
package struct SegmentHeader: Sendable, Equatable {
  static let version = 1

  var columnCount = 0
  /// The number of rows in each table. ``SegmentWriter`` numbers the rows with them. Reading a whole dictionary checks
  /// the number of pages, and lengths are read by their number. Those of blocks and positions are not needed for
  /// reading: the dictionary refers to each row.
  var pageCount = 0
  var blockCount = 0
  var positionRowCount = 0
  var lengthBlockCount = 0
  /// The parameters with which the score bounds of blocks were computed.
  var normalization = LengthNormalization(b: 0, weights: [], averages: [])
  /// The numbers in the shard of documents that this segment replaces or deletes in older segments, ascending. Some of
  /// them may no longer be in an older segment.
  var replacedRows: [UInt32] = []

  /// The stored form.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for number in [SegmentHeader.version, columnCount, pageCount, blockCount, positionRowCount, lengthBlockCount] {
      bytes.appendNumber(number)
    }
    bytes.appendDouble(normalization.b)
    for (weight, average) in zip(normalization.weights, normalization.averages) {
      bytes.appendDouble(weight)
      bytes.appendDouble(average)
    }
    bytes.appendNumber(replacedRows.count)
    replacedRows.withUnsafeBufferPointer { RowList.append($0, to: &bytes) }
    return bytes
  }

  init() {}

  /// Reads the stored form.
  ///
  /// - Parameter columnCount: the number of columns of the index.
  init(_ bytes: [UInt8], columnCount expectedCount: Int) throws {
    self = try bytes.reading { reader in
      var header = SegmentHeader()
      guard try reader.number(upTo: Int(Int32.max)) == SegmentHeader.version else {
        throw SegmentDamage("a segment has an unknown version")
      }
      header.columnCount = try reader.number(upTo: Int(Int32.max))
      guard header.columnCount == expectedCount else { throw SegmentDamage.badNumber }
      header.pageCount = try reader.number(upTo: Int(Int32.max))
      header.blockCount = try reader.number(upTo: Int(Int32.max))
      header.positionRowCount = try reader.number(upTo: Int(Int32.max))
      header.lengthBlockCount = try reader.number(upTo: Int(Int32.max))
      let b = try reader.double()
      var (weights, averages): ([Double], [Double]) = ([], [])
      for _ in 0..<expectedCount {
        weights.append(try reader.double())
        averages.append(try reader.double())
      }
      header.normalization = LengthNormalization(b: b, weights: weights, averages: averages)
      header.replacedRows = try SegmentHeader.rows(&reader)
      try reader.finish()
      return header
    }
  }

  /// Reads the stored form of a segment of a manifest.
  ///
  /// Throws unless the number of length blocks is that of the documents. Readers allocate a key for each block before
  /// they read the first, so a damaged number could exhaust memory.
  ///
  /// - Parameters:
  ///   - columnCount: the number of columns of the index.
  ///   - documentCount: the number of documents of the segment in the manifest.
  init(_ bytes: [UInt8], columnCount: Int, documentCount: Int) throws {
    try self.init(bytes, columnCount: columnCount)
    guard lengthBlockCount == DocumentLengthRows.blockCount(of: documentCount) else { throw SegmentDamage.badNumber }
  }

  private static func rows(_ reader: inout PayloadReader) throws -> [UInt32] {
    let count = try reader.number(upTo: Int(UInt32.max))
    // A chunk of 64 rows takes at least a byte.
    guard count <= 64 * (reader.count + 1) else { throw SegmentDamage.truncated }
    guard count > 0 else { return [] }
    return try withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { memory in
      guard let start = memory.baseAddress else { return [] }
      try RowList.read(count, from: &reader, base: 0, into: start)
      return Array(memory)
    }
  }
}
