import Concordance
import Foundation

/// Saves one document according to the options of `concord put`.
struct DocumentSaving {
  /// The required state of the stored document.
  enum Condition {
    case none
    case absent
    case revision(String)
  }

  /// The given document.
  let document: MutableDocument
  let text: String
  let blobs: [(key: String, blob: Blob)]
  /// Whether other properties of the stored document are kept.
  let merges: Bool
  /// The expiration date; nil keeps the stored one.
  let expiration: Date?
  let condition: Condition

  /// Saves the document.
  ///
  /// - Throws: ``CommandFailure`` with the status ``ExitStatus/nothingFound`` if the condition is not satisfied.
  func run(in collection: Collection) throws -> Document {
    while true {
      let stored = try collection.document(id: document.id)
      try check(stored, collection)
      let edited = try merges ? merged(with: stored) : replaced(stored)
      for (key, blob) in blobs { edited.setBlob(blob, forKey: key) }
      let needsSame = merges || condition.isSome
      let isSaved = try save(edited, needsSame ? .failOnConflict : .lastWriteWins, in: collection)
      // Another writer has changed the document in the meantime. The next iteration merges with its version, or throws
      // because the condition is no longer satisfied.
      if isSaved { return edited }
    }
  }

  private func save(
    _ document: MutableDocument, _ control: ConcurrencyControl, in collection: Collection
  ) throws -> Bool {
    guard let expiration else { return try collection.save(document: document, concurrencyControl: control) }
    return try collection.database.inCommandBatch {
      guard try collection.save(document: document, concurrencyControl: control) else { return false }
      try collection.setDocumentExpiration(id: document.id, expiration: expiration)
      return true
    }
  }

  private func merged(with stored: Document?) throws -> MutableDocument {
    guard let stored else { return document }
    return try stored.toMutable().mergeJSON(text)
  }

  private func replaced(_ stored: Document?) throws -> MutableDocument {
    guard case .revision = condition, let stored else { return document }
    return try stored.toMutable().setJSON(text)
  }

  private func check(_ stored: Document?, _ collection: Collection) throws {
    let id = document.id
    switch condition {
    case .none: return
    case .absent:
      if stored != nil {
        throw CommandFailure(
          "the document \"\(id)\" already exists in \(collection.fullName)", status: ExitStatus.nothingFound)
      }
    case .revision(let revision):
      guard stored?.revisionID != revision else { return }
      let found = stored.map { "has the revision \($0.revisionID ?? ""), not \(revision)" } ?? "does not exist"
      throw CommandFailure(
        "the document \"\(id)\" of \(collection.fullName) \(found)", status: ExitStatus.nothingFound)
    }
  }
}

extension DocumentSaving.Condition {
  fileprivate var isSome: Bool {
    if case .none = self { false } else { true }
  }
}
