import QueryModel
import SQLiteAccess

/// The adapter through which SQLite calls an aggregate.
final class RegisteredAggregate: SQLAggregate {
  private let aggregate: QueryAggregate

  init(_ aggregate: QueryAggregate) { self.aggregate = aggregate }

  override func makeState() -> SQLAggregateState { RegisteredAggregateState(aggregate) }
}

private final class RegisteredAggregateState: SQLAggregateState {
  private let state: any AggregateState
  private let name: String

  init(_ aggregate: QueryAggregate) {
    state = aggregate.make()
    name = aggregate.function.rawValue
  }

  override func add(_ argument: SQLArgument, _ result: SQLResult) {
    do { try state.add(argument.value) } catch { result.set(error) }
  }

  override func finish(_ result: SQLResult) { result.set(state.result, .exact, of: name) }
}
