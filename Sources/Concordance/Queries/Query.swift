import QueryModel

/// A query: which documents of a ``Database``, what of them, in which order.
///
/// ``QueryBuilder`` makes one:
///
/// ```swift
/// let query = QueryBuilder
///   .select(SelectResult.expression(Meta.id), SelectResult.property("name"))
///   .from(DataSource.collection(hotels))
///   .where(Expression.property("stars").greaterThanOrEqualTo(Expression.int(4)))
/// print(query)   // SELECT META().id, name FROM hotels WHERE stars >= 4
/// ```
public class Query: CustomStringConvertible {
  /// What is asked for.
  let model: SelectQuery
  /// The database of the collections; nil where there is none, as in `SELECT 1 + 1`.
  let database: Database?
  /// What was wrong with a call that put the query together: those calls cannot throw.
  let buildError: CBLError?
  /// What the next call of the builder goes on with. Its sources are not complete, so no path is resolved in it.
  let draft: QueryDraft

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

  /// The query as SQL++.
  public var description: String { SQLPrinter().text(of: model) }
}
