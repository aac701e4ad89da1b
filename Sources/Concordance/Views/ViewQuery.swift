import DocumentStore
import Foundation

/// A query for the rows of a ``View``, or for all documents.
///
/// ```swift
/// let query = items.view(named: "byStore").createQuery()
/// query.startKey = ["Safeway"]
/// query.endKey = ["Safeway", [String: Any]()]
/// for row in try query.run() { print(row.keyJSON) }
/// ```
///
/// Keys are values that can be stored in documents; `NSNull()` is the null key.
///
/// A query is not `Sendable`; its rows are. ``changes(minimumInterval:)`` delivers them again when documents change.
public final class ViewQuery {
  enum Source: Sendable {
    case view(View)
    case allDocuments(Collection)

    /// The collection of the documents.
    var collection: Collection {
      switch self {
      case .view(let view): view.collection
      case .allDocuments(let collection): collection
      }
    }
  }

  /// When a query updates its view.
  public enum IndexUpdateMode: Hashable, Sendable {
    /// The view is updated before the query, so that the rows are up to date.
    case before
    /// The query does not update the view, unless the view has never been updated.
    case never
    /// The query returns the current rows, and the view is updated afterwards on another thread.
    case after
  }

  /// The documents that ``Collection/createAllDocumentsQuery()`` returns, and their order.
  public enum AllDocumentsMode: Hashable, Sendable {
    /// All documents, sorted by id.
    case allDocuments
    /// All documents, including deleted documents that were not purged, sorted by id.
    case includeDeleted
    /// All documents, sorted by the sequence numbers of their last changes, which are the keys.
    case bySequence
  }

  /// The key at which the rows begin; nil for the first one. In a descending query it is the highest key.
  public var startKey: Any?
  /// The key at which the rows end; nil for the last one. In a descending query it is the lowest key.
  public var endKey: Any?
  /// The id of the document at which the rows with ``startKey`` begin. Has no effect if ``inclusiveStart`` is false.
  public var startKeyDocID: String?
  /// The id of the document at which the rows with ``endKey`` end. Has no effect if ``inclusiveEnd`` is false.
  public var endKeyDocID: String?
  /// Whether the result includes rows with ``startKey``.
  public var inclusiveStart = true
  /// Whether the result includes rows with ``endKey``.
  public var inclusiveEnd = true
  /// The level of prefix matching for the highest key of the range; 0 for none. At level 1, the range also includes all
  /// strings that begin with this key if it is a string, or all arrays that begin with its elements if it is an array.
  /// At a higher level n, prefix matching at level n - 1 applies to the last element of an array. It has no effect on
  /// keys of other types.
  ///
  /// The highest key is ``endKey``, or ``startKey`` in a descending query.
  public var prefixMatchLevel = 0
  /// The keys of the rows, in the order of the result; nil for all keys. If set, ``startKey`` and ``endKey`` have no
  /// effect. A query with the mode ``AllDocumentsMode/bySequence`` does not support keys.
  public var keys: [Any]?
  /// Whether the order of the rows is reversed. Rows that are selected by ``keys`` keep the order of that list.
  public var isDescending = false
  /// The maximum number of rows of the result; nil for all.
  public var limit: Int?
  /// The number of rows to skip at the beginning of the result.
  public var skip = 0
  /// The number of leading elements of an array key that identify a group; 0 for one group of all rows. A key of
  /// another type is its own group.
  public var groupLevel = 0
  /// Whether each distinct key is a group. If true, ``groupLevel`` has no effect.
  public var isGroupedByKey = false
  /// Whether to return the rows without reducing them. If true, ``groupLevel`` and ``isGroupedByKey`` have no effect.
  public var mapOnly = false
  /// Whether to read the documents together with the rows; see ``ViewRow/documentProperties``.
  public var prefetch = false
  /// When the query updates the view.
  public var indexUpdateMode = IndexUpdateMode.before
  /// The order of the rows; empty for the order of the view. ``skip`` and ``limit`` are applied after sorting, so all
  /// rows of the range are in memory during the query.
  public var sortDescriptors: [ViewSortDescriptor] = []
  /// A filter that returns whether to include a row in the result; nil to include all rows. ``skip`` and ``limit`` are
  /// applied after the filter, and the filter is called after all rows of the range have been read, so they are in
  /// memory during the query; with ``prefetch``, so are their documents.
  public var postFilter: (@Sendable (ViewRow) throws -> Bool)?
  /// The documents that ``Collection/createAllDocumentsQuery()`` returns, and their order.
  public var allDocumentsMode = AllDocumentsMode.allDocuments

  let source: Source
  private var lastRows: ViewRows?

  init(_ source: Source) { self.source = source }

  /// Runs the query.
  ///
  /// - Throws: ``CBLError/missingIndex`` if the view does not exist; ``CBLError/notFound`` if its map function is not
  ///   set; ``CBLError/conflict`` if another program has set a different version; ``CBLError/invalidParameter`` for a
  ///   key that JSON cannot represent, for a negative ``limit``, ``skip``, ``groupLevel`` or ``prefixMatchLevel``, for
  ///   a sort descriptor that does not begin with a member of rows, and for ``keys`` with the mode
  ///   ``AllDocumentsMode/bySequence``; the errors of ``View/update()``.
  /// - Complexity: O(log n), plus O(1) for each row that is read; with ``sortDescriptors`` or ``postFilter``, memory
  ///   for all of these rows. A built-in reduce of n rows into g groups reads about
  ///   n / 512 + g partial results.
  public func run() throws -> ViewRows {
    let rows = try withPublicErrors { try ViewQueryRun(ViewSelection(self)).run() }
    lastRows = rows
    return rows
  }

  /// Runs the query and returns its rows if they differ from those of the last run.
  ///
  /// - Returns: the rows; nil if they have not changed.
  /// - Throws: the same errors as ``run()``.
  public func rowsIfChanged() throws -> ViewRows? {
    let previous = lastRows
    let rows = try run()
    return previous.map { Array($0) } == Array(rows) ? nil : rows
  }
}

/// A criterion by which the rows of a ``ViewQuery`` are sorted.
public struct ViewSortDescriptor: Hashable, Sendable {
  /// The path, within the row, of the value to sort by: `key`, `value`, `value.skin`, `key[1].x`, `documentID`, or
  /// `sequence`.
  public let path: String
  /// Whether the highest value comes first.
  public let isDescending: Bool

  /// Creates a criterion.
  ///
  /// - Parameter path: a path in the row; if it begins with `-`, the highest value comes first.
  public init(_ path: String) {
    isDescending = path.hasPrefix("-")
    self.path = isDescending ? String(path.dropFirst()) : path
  }
}

extension Collection {
  /// Creates a query that returns all documents, like a view whose keys are the ids of the documents.
  ///
  /// ```swift
  /// let query = tasks.createAllDocumentsQuery()
  /// query.limit = 10
  /// query.isDescending = true
  /// for row in try query.run() { print("Doc ID =", row.documentID ?? "") }
  /// ```
  ///
  /// Ids are compared by their bytes. The value of a row is `{"rev": …}` with the ``Document/revisionID``, and
  /// `"deleted": true` for a deleted document. For an id in ``ViewQuery/keys`` that does not exist, the result contains
  /// a row with an ``ViewRow/error``.
  public func createAllDocumentsQuery() -> ViewQuery { ViewQuery(.allDocuments(self)) }
}

extension Database {
  /// Creates a query that returns all documents of the default collection. See
  /// ``Collection/createAllDocumentsQuery()``.
  ///
  /// - Throws: ``CBLError/notOpen`` if the database is closed.
  public func createAllDocumentsQuery() throws -> ViewQuery { try defaultCollection().createAllDocumentsQuery() }
}
