import DocumentStore

/// The behavior of a save or a deletion if the stored document has changed since the document was read.
///
/// ```swift
/// let isSaved = try hotels.save(document: hotel, concurrencyControl: .failOnConflict)
/// ```
public enum ConcurrencyControl: UInt8, Sendable {
  /// The save or deletion overwrites the change.
  case lastWriteWins = 0
  /// The save or deletion changes nothing and returns false.
  case failOnConflict

  /// Returns the condition for writing a document.
  func precondition(_ document: Document) -> DocumentWriter.Precondition {
    switch self {
    case .lastWriteWins: .none
    case .failOnConflict: document.version.revision.map { .revision($0) } ?? .absent
    }
  }
}
