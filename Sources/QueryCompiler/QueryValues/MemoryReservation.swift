import Synchronization

/// Memory outside of SQLite that the state of an aggregate or the values of facets use, until this object is released.
///
/// The sum over all states of the process counts toward ``ValueBudget/maximumTotal``: a query may have an ARRAY_AGG in
/// each of its columns.
final class MemoryReservation {
  /// The memory that all objects have reserved, in bytes.
  private static let reservedByAll = Atomic<Int>(0)
  /// Memory is reserved in units of this size, so that most calls are cheap.
  private static let unit = 64 << 10

  private let function: String
  private let limit: Int64
  private var size = 0
  private var reserved = 0

  /// The memory that all objects in this process have reserved, in bytes.
  static var total: Int { reservedByAll.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - function: the name of the function in error messages.
  ///   - limit: the limit on the memory of all queries.
  init(_ function: String, limit: Int64 = ValueBudget.maximumTotal) {
    self.function = function
    self.limit = limit
  }

  deinit { MemoryReservation.reservedByAll.wrappingSubtract(reserved, ordering: .relaxed) }

  /// Adds memory.
  ///
  /// - Throws: ``QueryRuntimeError`` if the values of all queries are now too large.
  func add(_ bytes: Int) throws(QueryRuntimeError) {
    size += bytes
    guard size > reserved else { return }
    let missing = max(size - reserved, MemoryReservation.unit)
    try ValueBudget.checkMemory(adding: missing, limit: limit, function)
    MemoryReservation.reservedByAll.wrappingAdd(missing, ordering: .relaxed)
    reserved += missing
  }
}
