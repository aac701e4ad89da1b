import Synchronization

/// Memory outside of SQLite that the state of an aggregate uses, until the state is released.
///
/// The sum over all states of the process counts toward ``ValueBudget/maximumTotal``: a query may have an ARRAY_AGG in
/// each of its columns.
final class MemoryReservation {
  /// The memory that all objects have reserved, in bytes.
  private static let reservedByAll = Atomic<Int>(0)
  /// Memory is reserved in units of this size, so that most calls are cheap.
  private static let unit = 64 << 10

  private let function: String
  private var size = 0
  private var reserved = 0

  /// The memory that all objects in this process have reserved, in bytes.
  static var total: Int { reservedByAll.load(ordering: .relaxed) }

  /// - Parameter function: the name of the function in error messages.
  init(_ function: String) { self.function = function }

  deinit { MemoryReservation.reservedByAll.wrappingSubtract(reserved, ordering: .relaxed) }

  /// Adds memory.
  ///
  /// - Throws: ``QueryRuntimeError`` if the values of all queries are now too large.
  func add(_ bytes: Int) throws(QueryRuntimeError) {
    size += bytes
    guard size > reserved else { return }
    let missing = max(size - reserved, MemoryReservation.unit)
    try ValueBudget.checkMemory(adding: missing, function)
    MemoryReservation.reservedByAll.wrappingAdd(missing, ordering: .relaxed)
    reserved += missing
  }
}
