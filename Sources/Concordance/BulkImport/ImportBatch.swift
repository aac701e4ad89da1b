import DocumentStore

/// A step of an import.
enum ImportOperation: Sendable {
  /// Saves a document, which belongs to the current file if there is one.
  case save(ImportDocument)
  /// Begins a file.
  case begin(ImportSource)
  /// Ends the current file as complete.
  case end(needsRereading: Bool)
  /// Ends the current file as incomplete.
  case abandon
  /// Removes a file and its documents.
  case remove(path: String)
}

/// A document that the calling thread has validated and analyzed.
///
/// A class, because the writer passes it on several times for each document; a copy of a structure retains each of its
/// arrays.
final class ImportDocument: Sendable {
  let id: String
  /// The id to use if another document has `id`; nil for none.
  let alternateID: String?
  /// The location that it was read from, for ``ImportRefusal/location``.
  let location: String?
  /// Whether the document gets a numbered id instead of replacing a different document or one of the same import.
  let keepsCopies: Bool
  let content: PreparedBody

  init(id: String, alternateID: String?, location: String?, keepsCopies: Bool, _ content: PreparedBody) {
    self.id = id
    self.alternateID = alternateID
    self.location = location
    self.keepsCopies = keepsCopies
    self.content = content
  }
}

/// Operations that one transaction writes.
struct ImportBatch: Sendable {
  /// Returns the size of a full batch in bytes of text. Each commit writes at least one segment of an index, so smaller
  /// batches cause more merges. In a file, a transaction writes one batch, because its entries are prepared together.
  static func fullSize(in store: Store) -> Int { store.configuration.indexMemory / (store.isFile ? 8 : 16) }

  /// Returns the number of batches that wait for the thread of the transactions.
  static func queueCapacity(in store: Store) -> Int { store.isFile ? 1 : 2 }

  /// The operations in order.
  private(set) var operations: [ImportOperation] = []
  /// The size of the texts in bytes, plus an estimate for each operation.
  private(set) var size = 0

  /// The ids that its documents may be saved with.
  var ids: [String] {
    operations.flatMap { operation -> [String] in
      guard case .save(let document) = operation else { return [] }
      return [document.id] + (document.alternateID.map { [$0] } ?? [])
    }
  }

  /// Appends an operation. `size` is the size of its text in bytes.
  mutating func append(_ operation: ImportOperation, size: Int) {
    operations.append(operation)
    self.size += size + 256
  }
}
