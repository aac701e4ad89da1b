import GRDBSQLite
import QueryModel

/// An aggregate as SQLite calls it. SQLite keeps it as long as it is registered.
final class RegisteredAggregate {
  let aggregate: QueryAggregate

  init(_ aggregate: QueryAggregate) { self.aggregate = aggregate }

  func step(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let slot = slot(context, size: MemoryLayout<UnsafeMutableRawPointer>.size) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let state: AggregateBox
    if let known = slot.pointee {
      state = Unmanaged<AggregateBox>.fromOpaque(known).takeUnretainedValue()
    } else {
      state = AggregateBox(aggregate.make())
      slot.pointee = Unmanaged.passRetained(state).toOpaque()
    }
    do {
      try state.state.add(SQLArgument(handle: argument).value)
    } catch {
      SQLResult(context: context).set(error)
    }
  }

  /// SQLite calls this exactly once for each group, after an error as well.
  func finish(_ context: OpaquePointer?) {
    var result = aggregate.make().result
    // Without a row there is no slot.
    if let known = slot(context, size: 0)?.pointee {
      result = Unmanaged<AggregateBox>.fromOpaque(known).takeRetainedValue().state.result
    }
    SQLResult(context: context).set(result, .exact, of: aggregate.function.rawValue)
  }

  private func slot(_ context: OpaquePointer?, size: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

/// The state of a group with a type that a pointer can name.
private final class AggregateBox {
  let state: any AggregateState

  init(_ state: any AggregateState) { self.state = state }
}
