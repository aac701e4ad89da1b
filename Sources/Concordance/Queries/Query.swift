import JSONText
import QueryModel
import Synchronization

/// A query over the documents of a ``Database``: its columns, sources, condition, grouping, order and limit.
///
/// Create one with ``QueryBuilder``, or from SQL++ with ``Database/createQuery(_:)``:
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
/// A query is compiled on its first run and can be run many times, with different ``parameters``, on several threads at
/// the same time. If collections or indexes change, the next run compiles it again.
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
  /// The syntax tree of the query.
  let model: SelectQuery
  /// The database of the collections; nil if the query has none, as in `SELECT 1 + 1`.
  let database: Database?
  /// The first error of the builder calls, which cannot throw. Running the query throws it.
  let buildError: CBLError?
  /// The unfinished query that the next builder call extends. Its paths are unresolved, because sources may follow.
  let draft: QueryDraft

  private let state = Mutex(State())

  private struct State {
    var parameters: Parameters?
    var runner: QueryRunner?
    var timeout: Duration?
    /// The live reads of the query by number.
    var liveReads: [Int: LiveRead] = [:]
    var lastLiveRead = 0
    /// The number of times that the parameters were set.
    var parametersVersion = 0
  }

  /// Creates a query from a draft of the builder.
  init(_ draft: QueryDraft) {
    self.draft = draft
    (model, buildError) = draft.finished()
    database = draft.database
  }

  /// Creates a query from a syntax tree whose paths the parser has resolved.
  init(_ model: SelectQuery, database: Database?) {
    draft = QueryDraft(query: model, database: database)
    self.model = model
    self.database = database
    buildError = nil
  }

  /// The values of the query's parameters. The setter copies the values; the getter returns a read-only object.
  public var parameters: Parameters? {
    get { state.withLock { $0.parameters } }
    set {
      let copy = newValue.map { Parameters($0, isReadOnly: true) }
      // The old parameters are released outside the lock, because they may hold the last reference to a database.
      let (_, liveReads) = state.withLock { state in
        defer {
          state.parameters = copy
          state.parametersVersion += 1
        }
        return (state.parameters, state.liveReads.values)
      }
      for read in liveReads { read.deliverAgain() }
    }
  }

  /// The time that each run may take, from its start to the last row; nil for no limit.
  ///
  /// ```swift
  /// query.timeout = .seconds(5)
  /// ```
  ///
  /// A run that takes longer throws ``CBLError/timeout``. If rows are returned one by one, the time that the caller
  /// spends on them also counts.
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

  /// The validated values of the query's parameters.
  func parameterValues() throws -> [ExactString: JSONValue] { try parameterValues(of: parameters) }

  /// The validated values of parameters.
  func parameterValues(of parameters: Parameters?) throws -> [ExactString: JSONValue] {
    guard let parameters else { return [:] }
    let values = try parameters.jsonValues()
    if let database { parameters.forEachNewBlob(for: database) { database.engine.models.addParameterBlob($0) } }
    return values
  }

  /// Returns a new number for ``keepLiveRead(_:_:startedWith:)``, and the version of the parameters.
  func nextLiveReadNumber() -> (number: Int, parametersVersion: Int) {
    state.withLock { state in
      state.lastLiveRead += 1
      return (state.lastLiveRead, state.parametersVersion)
    }
  }

  /// Keeps a live read, which runs again when ``parameters`` are set, or immediately if they were set after it was
  /// started.
  ///
  /// - Parameter version: the version of the parameters before the read was started.
  func keepLiveRead(_ read: LiveRead, _ number: Int, startedWith version: Int) {
    let isOutdated = state.withLock { state in
      if !read.isEnded { state.liveReads[number] = read }
      return state.parametersVersion != version
    }
    if isOutdated { read.deliverAgain() }
  }

  /// Releases a live read that has ended.
  func forgetLiveRead(_ number: Int) {
    let read = state.withLock { $0.liveReads.removeValue(forKey: number) }
    withExtendedLifetime(read) {}
  }

  /// Returns the runner of the query.
  ///
  /// - Throws: the first error of the builder calls; ``CBLError/invalidQuery`` if the query has no database.
  func runner() throws -> QueryRunner {
    if let buildError { throw buildError }
    guard let database else {
      throw CBLError(
        CBLError.invalidQuery, "the query has no source; add one with from(_:), or create the query with createQuery")
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
