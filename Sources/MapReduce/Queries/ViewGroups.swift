import JSONText
import SQLiteAccess

/// The part of a key that identifies the group of a row.
public enum GroupLevel: Hashable, Sendable {
  /// All rows are one group.
  case none
  /// The first elements of a key that is an array: the given number, at least 1. Other keys are used whole.
  case elements(Int)
  /// The whole key.
  case key

  func prefix(of sort: [UInt8]) -> ArraySlice<UInt8> {
    switch self {
    case .none: []
    case .elements(let count): SortKeyPrefix.of(sort, elements: count)
    case .key: sort[...]
    }
  }

  /// Returns the JSON text of a group's key; nil if all rows are one group.
  func key(of key: [UInt8]) throws -> [UInt8]? {
    switch self {
    case .none: return nil
    case .key: return key
    case .elements(let count):
      guard key.first == UInt8(ascii: "["), case .array(let elements) = try JSONValue(jsonText: key),
        elements.count > count
      else { return key }
      return Array(JSONValue.array(Array(elements.prefix(count))).text.utf8)
    }
  }
}

/// A group of rows and their partial result.
public struct ReducedGroup: Sendable {
  /// The key as JSON text; nil if all rows are one group.
  public let key: [UInt8]?
  /// The partial result.
  public let partial: [UInt8]
}

/// Collects adjacent rows and partial results into groups.
struct GroupBuilder {
  private let reducer: any ViewReducer
  private let level: GroupLevel
  private let body: (ReducedGroup) throws -> Bool
  private var prefix: [UInt8]?
  private var key: [UInt8]?
  private var partials: [[UInt8]] = []
  private var rows: [ReducedRow] = []
  private(set) var isFinished = false

  /// - Parameter body: receives the groups in the order of the view; returns whether to continue.
  init(_ reducer: any ViewReducer, _ level: GroupLevel, _ body: @escaping (ReducedGroup) throws -> Bool) {
    self.reducer = reducer
    self.level = level
    self.body = body
  }

  mutating func add(_ row: ReducedRow) throws {
    let group = level.prefix(of: row.sort)
    if prefix.map({ $0.elementsEqual(group) }) != true {
      guard try begin(Array(group)) else { return }
      key = try level.key(of: row.key)
    }
    rows.append(row)
    if rows.count >= 512, reducer.supportsRereduce { try reduceRows() }
  }

  /// Adds the partial result of rows that belong to one group.
  mutating func add(_ partial: [UInt8], prefix group: [UInt8], key: [UInt8]?) throws {
    if prefix != group {
      guard try begin(group) else { return }
      self.key = key
    }
    try reduceRows()
    partials.append(partial)
  }

  /// Ends the last group.
  mutating func finish() throws {
    guard prefix != nil, !isFinished else { return }
    try reduceRows()
    prefix = nil
    let partial = partials.count == 1 ? partials[0] : try reducer.rereduce(partials)
    partials = []
    isFinished = try !body(ReducedGroup(key: key, partial: partial))
  }

  /// Ends the previous group and starts a new one unless no more groups are needed.
  private mutating func begin(_ group: [UInt8]) throws -> Bool {
    try finish()
    guard !isFinished else { return false }
    prefix = group
    return true
  }

  private mutating func reduceRows() throws {
    guard !rows.isEmpty else { return }
    partials.append(try reducer.partial(of: rows))
    rows.removeAll(keepingCapacity: true)
  }
}
