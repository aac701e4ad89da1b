import DocumentStore
import Foundation

/// A query of the rows of a ``View``, or of all documents.
///
/// ```swift
/// let query = items.view(named: "byStore").createQuery()
/// query.startKey = ["Safeway"]
/// query.endKey = ["Safeway", [String: Any]()]
/// for row in try query.run() { print(row.keyJSON) }
/// ```
///
/// Keys are values that can be stored in documents; `NSNull()` is the key null.
///
/// A query is not `Sendable`; its rows are.
public final class ViewQuery {
  enum Source: Sendable {
    case view(View)
    case allDocuments(Collection)
  }

  /// When a view is updated.
  public enum IndexUpdateMode: Hashable, Sendable {
    /// Before the query: the rows are up to date.
    case before
    /// Not by this query, unless the view was never updated.
    case never
    /// The query returns the rows as they are, and the view is updated afterwards on another thread.
    case after
  }

  /// The documents of ``Collection/createAllDocumentsQuery()``.
  public enum AllDocumentsMode: Hashable, Sendable {
    /// The documents by id.
    case allDocuments
    /// The documents and the deleted ones that are not purged, by id.
    case includeDeleted
    /// The documents in the order of their changes. The key is the sequence number.
    case bySequence
  }

  /// The key at which the rows begin; nil for the first one. In a descending query it is the highest key.
  public var startKey: Any?
  /// The key at which the rows end; nil for the last one. In a descending query it is the lowest key.
  public var endKey: Any?
  /// The document at which the rows with ``startKey`` begin. It has no effect without ``inclusiveStart``.
  public var startKeyDocID: String?
  /// The document at which the rows with ``endKey`` end. It has no effect without ``inclusiveEnd``.
  public var endKeyDocID: String?
  /// Whether rows with ``startKey`` are in the result.
  public var inclusiveStart = true
  /// Whether rows with ``endKey`` are in the result.
  public var inclusiveEnd = true
  /// Extends the end of the range, which is ``startKey`` in a descending query: with 1, to all strings that begin with
  /// the key, or all arrays that begin with its elements; with 2 or more, the last element of an array is extended in
  /// this way with the level less 1. It has no effect on other keys.
  public var prefixMatchLevel = 0
  /// The keys of the rows, in the order of the result; nil for all keys. ``startKey`` and ``endKey`` have no effect then.
  public var keys: [Any]?
  /// Whether the order of the rows is reversed. The rows of ``keys`` keep the order of the list.
  public var isDescending = false
  /// The maximum number of rows of the result; nil for all.
  public var limit: Int?
  /// The number of rows that are left out at the beginning of the result.
  public var skip = 0
  /// The number of elements of an array key that identify a group; 0 for one group of all rows. A key of another type
  /// is a group.
  public var groupLevel = 0
  /// Whether each key is a group. ``groupLevel`` has no effect then.
  public var isGroupedByKey = false
  /// Whether the rows are not reduced.
  public var mapOnly = false
  /// Whether the documents of the rows are read with the rows; see ``ViewRow/documentProperties``.
  public var prefetch = false
  /// When the view is updated.
  public var indexUpdateMode = IndexUpdateMode.before
  /// The order of the rows; empty for the order of the view. ``skip`` and ``limit`` are applied after it.
  public var sortDescriptors: [ViewSortDescriptor] = []
  /// Returns whether a row is in the result; nil for all rows. ``skip`` and ``limit`` are applied after it.
  public var postFilter: ((ViewRow) throws -> Bool)?
  /// The documents of ``Collection/createAllDocumentsQuery()``.
  public var allDocumentsMode = AllDocumentsMode.allDocuments

  let source: Source
  private var lastRows: ViewRows?

  init(_ source: Source) { self.source = source }

  /// The collection of the documents.
  var collection: Collection {
    switch source {
    case .view(let view): view.collection
    case .allDocuments(let collection): collection
    }
  }

  /// Runs the query.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist; ``CBLError/notFound`` if its map function is not
  ///   set; ``CBLError/invalidParameter`` for a key that JSON does not have; the errors of the update of the view.
  /// - Complexity: O(log n) and O(1) for each row that is read. A built-in reduce of n rows reads n / 512 partial results
  ///   and two for each group.
  public func run() throws -> ViewRows {
    let rows = try withPublicErrors { try ViewQueryRun(self).run() }
    lastRows = rows
    return rows
  }

  /// Runs the query and returns its rows if they differ from those of the last run.
  ///
  /// - Returns: the rows; nil if they are the same.
  /// - Throws: ``CBLError`` as ``run()``.
  public func rowsIfChanged() throws -> ViewRows? {
    let previous = lastRows
    let rows = try run()
    return previous.map { Array($0) } == Array(rows) ? nil : rows
  }
}

/// A criterion by which the rows of a ``ViewQuery`` are sorted.
public struct ViewSortDescriptor: Hashable, Sendable {
  /// The value by which rows are sorted, a path from the row: `key`, `value`, `value.skin`, `key[1].x`, `documentID`.
  public let path: String
  /// Whether the highest value comes first.
  public let isDescending: Bool

  /// Creates a criterion.
  ///
  /// - Parameter path: a path from the row; with `-` before it, the highest value comes first.
  public init(_ path: String) {
    isDescending = path.hasPrefix("-")
    self.path = isDescending ? String(path.dropFirst()) : path
  }
}

extension Collection {
  /// Creates a query of all documents by id, as the rows of a view whose keys are the ids.
  ///
  /// ```swift
  /// let query = tasks.createAllDocumentsQuery()
  /// query.limit = 10
  /// query.isDescending = true
  /// for row in try query.run() { print("Doc ID =", row.documentID ?? "") }
  /// ```
  ///
  /// Ids are compared by their bytes. The value of a row is `{"rev": …}` with the ``Document/revisionID``, and
  /// `"deleted": true` for a deleted document. Ids in ``ViewQuery/keys`` that do not exist have a row with an
  /// ``ViewRow/error``.
  public func createAllDocumentsQuery() -> ViewQuery { ViewQuery(.allDocuments(self)) }
}

extension Database {
  /// Creates a query of all documents of the default collection. See ``Collection/createAllDocumentsQuery()``.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func createAllDocumentsQuery() throws -> ViewQuery { try defaultCollection().createAllDocumentsQuery() }
}
