/// A row of a result and the document that it comes from, as in the first developer builds of Couchbase Lite 2. See
/// ``Query/run()``.
public class QueryRow {
  /// The values of the row.
  public let result: Result
  /// The id of the document.
  public let documentID: String
  /// The sequence of the document.
  public let sequence: UInt64

  private let collection: Collection

  init(_ result: Result, documentID: String, sequence: UInt64, in collection: Collection) {
    self.result = result
    self.documentID = documentID
    self.sequence = sequence
    self.collection = collection
  }

  /// The current version of the document, read on each access; a document without properties if it no longer exists.
  public var document: Document {
    (try? collection.document(id: documentID)) ?? MutableDocument(id: documentID)
  }

  /// The number of values.
  public var count: Int { result.count }

  /// Returns the value in a column. See ``Result/value(at:)``.
  ///
  /// - Parameter index: the position of the column, starting at 0.
  public func value(at index: Int) -> Any? { result.value(at: index) }

  /// Returns the value in a column. See ``Result/value(forKey:)``.
  ///
  /// - Parameter key: the name of the column.
  public func value(forKey key: String) -> Any? { result.value(forKey: key) }
}
