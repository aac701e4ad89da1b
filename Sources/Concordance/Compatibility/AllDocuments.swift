import DocumentStore

// `allDocuments` as in the first developer builds of Couchbase Lite 2.

extension Collection {
  /// All documents of the collection, sorted by id. Use ``forEachDocument(_:)`` if errors must be thrown.
  ///
  /// ```swift
  /// for document in database.allDocuments { print(document.id) }
  /// ```
  ///
  /// The ids are read from one snapshot. Each document is read when the iteration reaches it, and documents that were
  /// deleted in the meantime are skipped. An error ends the iteration and is stored in ``DocumentIterator/error``.
  public var allDocuments: DocumentIterator {
    do {
      let query = try createQuery(returning: [["._id"]], orderBy: [["._id"]])
      // Streamed rows come from the last commit and do not contain the changes in an open batch.
      if engine.store.isWriting {
        let rows = try query.execute()
        return DocumentIterator(in: self) { rows.next() }
      }
      let cursor = try query.rows().makeAsyncIterator().cursor
      return DocumentIterator(in: self) { try cursor.next() }
    } catch {
      return DocumentIterator(failure: error)
    }
  }
}

extension Database {
  /// All documents of the default collection, sorted by id. See ``Collection/allDocuments``.
  public var allDocuments: DocumentIterator {
    do {
      return try defaultCollection().allDocuments
    } catch {
      return DocumentIterator(failure: error)
    }
  }
}

extension Query {
  /// Runs the query and returns the document of each row. See ``run()``.
  ///
  /// - Returns: the documents.
  /// - Throws: the same errors as ``run()``.
  public func allDocuments() throws -> [Document] { try run().map(\.document) }
}

/// An iterator over documents. It must not be used by two threads at the same time.
public final class DocumentIterator: Sequence, IteratorProtocol {
  /// The type of the elements.
  public typealias Element = Document

  /// The error that ended the iteration early, such as ``CBLError/notOpen``; nil if there was none.
  public private(set) var error: CBLError?

  private var source: (collection: Collection, nextRow: () throws -> Result?)?

  /// - Parameter nextRow: returns the next row, whose first column is the id of a document; nil after the last row.
  fileprivate init(in collection: Collection, nextRow: @escaping () throws -> Result?) {
    source = (collection, nextRow)
  }

  fileprivate init(failure: any Error) { end(failure) }

  /// Returns the next document; nil after the last one, or if ``error`` is set.
  public func next() -> Document? {
    guard let (collection, nextRow) = source else { return nil }
    do {
      return try withPublicErrors {
        while let id = try nextRow()?.string(at: 0) {
          if let document = try collection.document(id: id) { return document }
        }
        return nil
      }
    } catch {
      end(error)
      return nil
    }
  }

  private func end(_ failure: any Error) {
    source = nil
    error = failure as? CBLError ?? CBLError(CBLError.unexpectedError, "the documents cannot be read: \(failure)")
  }
}
