public import JSONText

/// Reduces the rows of a view to one value.
///
/// Rows are reduced to partial results (byte strings), which are then combined. The final result must not depend on how
/// the rows are divided, with one exception: a sum becomes a double at the first overflow of 64 bits, and the sum of
/// doubles depends on the order of the additions, so such results may differ slightly.
public protocol ViewReducer: Sendable {
  /// Whether partial results can be combined. If false, ``partial(of:)`` receives all rows of a group.
  var supportsRereduce: Bool { get }
  /// Whether partial results are stored in the file.
  var storesPartials: Bool { get }
  /// Whether ``partial(of:)`` needs the values of the rows.
  var readsValues: Bool { get }

  /// Reduces rows, which are in view order, to a partial result.
  func partial(of rows: [ReducedRow]) throws -> [UInt8]
  /// Combines the partial results of adjacent rows into one.
  func rereduce(_ partials: [[UInt8]]) throws -> [UInt8]
  /// Returns the final value of a partial result.
  func value(of partial: [UInt8]) throws -> JSONValue
}

extension ViewReducer {
  public var supportsRereduce: Bool { true }
  public var storesPartials: Bool { true }
  public var readsValues: Bool { true }
  public func value(of partial: [UInt8]) throws -> JSONValue { try JSONValue(jsonText: partial) }
}

/// A row as the input of a reduce function.
public struct ReducedRow: Sendable {
  /// The sort key.
  public let sort: [UInt8]
  /// The key as JSON text.
  public let key: [UInt8]
  /// The id of the document that emitted the row.
  public let id: String
  /// The value as JSON text; nil if there is none.
  public let value: [UInt8]?
}

extension JSONValue {
  /// Parses JSON text.
  ///
  /// - Throws: `JSONError`.
  public init(jsonText text: [UInt8]) throws {
    self = try text.withUnsafeBytes { bytes in
      // Numbers, the most common values, need no parser.
      if let first = bytes.first, first == UInt8(ascii: "-") || first &- 0x30 < 10 { return JSONValue(scalar: bytes) }
      return try JSONParser.withShared { JSONValue(try $0.parse(bytes)) }
    }
  }
}

/// The built-in reduce functions.
public enum BuiltInReduce: String, CaseIterable, Sendable {
  case sum = "_sum"
  case count = "_count"
  case stats = "_stats"
  case approximateCountDistinct = "_approx_count_distinct"

  /// The implementation of the reduce function.
  public var reducer: any ViewReducer {
    switch self {
    case .sum: SumReducer()
    case .count: CountReducer()
    case .stats: StatsReducer()
    case .approximateCountDistinct: DistinctReducer()
    }
  }
}
