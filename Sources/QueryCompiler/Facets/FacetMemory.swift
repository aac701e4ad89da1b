/// The reserved memory of the distinct values of facets.
///
/// A property such as the text of the documents may have as many values as there are documents, and clients of a server
/// choose the properties.
final class FacetMemory {
  private let reservation: MemoryReservation
  /// The memory of the selections, which belong to the request.
  private let selectionSize: Int
  private var size = 0

  init(of counts: FacetCounter, limit: Int64) {
    reservation = MemoryReservation("facets", limit: limit)
    selectionSize = counts.memory
  }

  /// Reserves memory for the values that were added since the last call.
  ///
  /// - Parameter copies: how often each value is in memory.
  /// - Throws: ``QueryRuntimeError`` if the values of all queries are now too large.
  func update(for counts: FacetCounter, copies: Int = 1) throws(QueryRuntimeError) {
    let current = (counts.memory - selectionSize) * copies
    guard current > size else { return }
    do {
      try reservation.add(current - size)
    } catch {
      throw QueryRuntimeError.tooManyFacetValues
    }
    size = current
  }
}
