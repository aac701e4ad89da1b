import DocumentStore

// `allDocuments` of the first developer builds of Couchbase Lite 2.

extension Collection {
  /// All documents, sorted by id. See ``forEachDocument(_:)`` for a function that throws.
  ///
  /// ```swift
  /// for document in database.allDocuments { print(document.id) }
  /// ```
  ///
  /// The ids are those of the moment when iteration begins; documents that are deleted meanwhile are skipped.
  public var allDocuments: DocumentIterator {
    do {
      // Ids alone are held: a document is read when the iteration gets to it.
      let query = try createQuery(returning: [["._id"]], orderBy: [["._id"]])
      // Rows that are read one by one are those of the last commit, not those of a batch.
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
  /// All documents of the default collection, ordered by id. See ``Collection/allDocuments``.
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
  /// - Throws: ``CBLError`` as ``run()``.
  public func allDocuments() throws -> [Document] { try run().map(\.document) }
}

/// An iterator over documents. It belongs to one thread at a time.
public final class DocumentIterator: Sequence, IteratorProtocol {
  /// A document.
  public typealias Element = Document

  /// The error that ended the iteration before the last document, such as ``CBLError/notOpen``; nil if there was none.
  public private(set) var error: CBLError?

  private var source: (collection: Collection, nextID: () throws -> Result?)?

  /// - Parameter nextID: gives rows with the ids of the documents, and nil after the last one.
  fileprivate init(in collection: Collection, nextID: @escaping () throws -> Result?) { source = (collection, nextID) }

  fileprivate init(failure: any Error) { end(failure) }

  /// Returns the next document; nil after the last one, or if ``error`` is set.
  public func next() -> Document? {
    guard let (collection, nextID) = source else { return nil }
    do {
      return try withPublicErrors {
        while let id = try nextID()?.string(at: 0) {
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
