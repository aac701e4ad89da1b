import SQLiteAccess
package import TextIndex

/// Access to the rows of segments in a transaction. Each call is one round trip.
///
/// The rows of a segment never change. A row that is missing although a manifest lists its segment is reported as
/// ``MissingSegmentRow``.
package protocol SegmentStorage: AnyObject {
  /// Returns the headers of segments.
  func headers(_ segments: [SegmentKey]) throws -> [[UInt8]]

  /// Returns the pages of dictionaries that may contain terms in ranges, in term order.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of pages for each range.
  ///   - keys: payloads to read in the same round trip.
  func pages(
    _ ranges: [TermRange], limit: Int, withPayloads keys: [PayloadKey]
  ) throws -> (pages: [[StoredPage]], payloads: [[UInt8]])

  /// Returns the first terms of all pages of segments, in order.
  func firstTerms(_ segments: [SegmentKey]) throws -> [[[UInt8]]]

  /// Returns payloads.
  func payloads(_ keys: [PayloadKey]) throws -> [[UInt8]]
}

extension SegmentStorage {
  /// Returns the pages of dictionaries that may contain terms in ranges, in term order.
  func pages(_ ranges: [TermRange], limit: Int) throws -> [[StoredPage]] {
    try pages(ranges, limit: limit, withPayloads: []).pages
  }
}

/// The terms of a segment from one to below another, in byte order.
package struct TermRange: Hashable, Sendable {
  package let segment: SegmentKey
  package let lower: [UInt8]
  package let upper: [UInt8]

  /// The range of one term.
  init(_ segment: SegmentKey, term: [UInt8]) {
    self.init(segment, from: term, below: term + [0])
  }

  /// The range of the terms with a prefix. The byte 0xFF does not occur in UTF-8.
  init(_ segment: SegmentKey, prefix: [UInt8]) {
    self.init(segment, from: prefix, below: prefix + [0xFF])
  }

  init(_ segment: SegmentKey, from lower: [UInt8], below upper: [UInt8]) {
    self.segment = segment
    self.lower = lower
    self.upper = upper
  }
}

/// A page of a dictionary.
package struct StoredPage: Sendable {
  package let firstTerm: [UInt8]
  package let bytes: [UInt8]

  package init(firstTerm: [UInt8], bytes: [UInt8]) {
    self.firstTerm = firstTerm
    self.bytes = bytes
  }
}

/// Thrown if a row of a segment is missing: a merge has removed the segment after the manifest was read, which is only
/// possible if the server does not give the transaction one unchanging state, or the index is damaged. Searches repeat
/// the transaction once with a new manifest; if a row is missing again, the index is damaged.
package struct MissingSegmentRow: IndexDamage, Hashable {
  /// The segment.
  package let segment: SegmentKey

  package init(_ segment: SegmentKey) { self.segment = segment }

  /// A description of the damage.
  package var reason: String { "segment \(segment.segment) of shard \(segment.shard) lacks a row" }

  /// Returns the error for an index. Its kind is ``TextIndexErrorKind/segmentMissing``.
  package func error(index name: String) -> TextIndexError {
    TextIndexError(
      .segmentMissing, "the index \"\(name)\" is damaged: \(reason); it must be rebuilt", recovery: .rebuildIndexes)
  }
}
