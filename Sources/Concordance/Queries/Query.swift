import JSONText
import QueryModel
import Synchronization

/// A query: which documents of a ``Database``, what of them, and in which order.
///
/// ``QueryBuilder`` makes one, and so does ``Database/createQuery(_:)`` from SQL++:
///
/// ```swift
/// let query = QueryBuilder
///   .select(SelectResult.expression(Meta.id), SelectResult.property("name"))
///   .from(DataSource.collection(hotels))
///   .where(Expression.property("stars").greaterThanOrEqualTo(Expression.int(4)))
/// print(query)   // SELECT META().id, name FROM hotels WHERE stars >= 4
/// for row in try query.execute() { print(row.string(forKey: "name") ?? "") }
/// ```
///
/// It is compiled by its first run and can run many times, with other ``parameters``, in several threads at the same
/// time. If collections or indexes change, the next run compiles it again.
///
/// `@unchecked Sendable`: only the state in the `Mutex` changes, under its lock.
///
/// ## Topics
///
/// ### Running
///
/// - ``execute()``
/// - ``execute(parameters:)``
/// - ``rows()``
/// - ``forEachRow(_:)``
/// - ``run()``
/// - ``async``
///
/// ### Options
///
/// - ``parameters``
/// - ``timeout``
///
/// ### Inspecting
///
/// - ``explain()``
/// - ``explanation()``
/// - ``columnNames()``
/// - ``unknownProperties()``
/// - ``description``
public class Query: CustomStringConvertible, @unchecked Sendable {
  /// What is asked for.
  let model: SelectQuery
  /// The database of the collections; nil where there is none, as in `SELECT 1 + 1`.
  let database: Database?
  /// What was wrong with a call that put the query together: those calls cannot throw.
  let buildError: CBLError?
  /// What the next call of the builder goes on with. Its sources are not complete, so no path is resolved in it.
  let draft: QueryDraft

  private let state = Mutex(State())

  private struct State {
    var parameters: Parameters?
    var runner: QueryRunner?
    var timeout: Duration?
  }

  /// A query of the builder.
  init(_ draft: QueryDraft) {
    self.draft = draft
    (model, buildError) = draft.finished()
    database = draft.database
  }

  /// A query whose paths are resolved, as the parsers do.
  init(_ model: SelectQuery, database: Database?) {
    draft = QueryDraft(query: model, database: database)
    self.model = model
    self.database = database
    buildError = nil
  }

  /// The values of the query's parameters. Setting them makes a copy; the object that is returned is read-only.
  public var parameters: Parameters? {
    get { state.withLock { $0.parameters } }
    set {
      let copy = newValue.map { Parameters($0, isReadOnly: true) }
      // The old ones are released after the lock: they may hold the last reference to a database.
      _ = state.withLock { state in
        defer { state.parameters = copy }
        return state.parameters
      }
    }
  }

  /// How long each run may take, from its beginning to the last row; nil for no limit.
  ///
  /// ```swift
  /// query.timeout = .seconds(5)
  /// ```
  ///
  /// A run that takes longer throws ``CBLError/timeout``. If rows are returned one by one, the time that the caller
  /// spends with them counts, too.
  public var timeout: Duration? {
    get { state.withLock { $0.timeout } }
    set {
      state.withLock { state in
        state.timeout = newValue
        state.runner?.timeout.withLock { $0 = newValue }
      }
    }
  }

  /// The query as SQL++.
  public var description: String { SQLPrinter().text(of: model) }

  /// The values of the query's parameters, checked.
  func parameterValues() throws -> [String: JSONValue] { try parameterValues(of: parameters) }

  /// The values of parameters, checked.
  func parameterValues(of parameters: Parameters?) throws -> [String: JSONValue] {
    guard let parameters else { return [:] }
    let values = try parameters.jsonValues()
    if let database { parameters.forEachNewBlob(for: database) { database.engine.models.lendBlob($0) } }
    return values
  }

  /// What runs the query.
  ///
  /// - Throws: what was wrong with a call of the builder; ``CBLError/invalidQuery`` where there is no database to ask.
  func runner() throws -> QueryRunner {
    if let buildError { throw buildError }
    guard let database else {
      throw CBLError(
        CBLError.invalidQuery, "the query has no source; give it one with from(_:), or make it with createQuery")
    }
    return state.withLock { state in
      if let runner = state.runner { return runner }
      let runner = QueryRunner(model, in: database)
      let timeout = state.timeout
      runner.timeout.withLock { $0 = timeout }
      state.runner = runner
      return runner
    }
  }
}
