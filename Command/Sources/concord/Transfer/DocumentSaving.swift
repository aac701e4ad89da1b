import Concordance
import Foundation

/// Saves one document as the options of `concord put` say.
struct DocumentSaving {
  /// What must stand in the place of the document.
  enum Condition {
    case none
    case absent
    case revision(String)
  }

  /// The document as it was given.
  let document: MutableDocument
  let text: String
  let blobs: [(key: String, blob: Blob)]
  /// Whether what is stored keeps its other properties.
  let merges: Bool
  /// When it is to be purged; nil leaves that as it is.
  let expiration: Date?
  let condition: Condition

  /// - Throws: ``CommandFailure`` with the status for nothing found, where the condition does not hold.
  func run(in collection: Collection) throws -> Document {
    while true {
      let stored = try collection.document(id: document.id)
      try check(stored, collection)
      let edited = try merges ? merged(with: stored) : replaced(stored)
      for (key, blob) in blobs { edited.setBlob(blob, forKey: key) }
      let needsSame = merges || condition.isSome
      let isSaved = try save(edited, needsSame ? .failOnConflict : .lastWriteWins, in: collection)
      // Somebody was faster: what stands there now is merged with, or fails the condition.
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
          "there is a document \"\(id)\" in \(collection.fullName) already", status: ExitStatus.nothingFound)
      }
    case .revision(let revision):
      guard stored?.revisionID != revision else { return }
      let found = stored.map { "has the revision \($0.revisionID ?? "")" } ?? "is not there"
      throw CommandFailure(
        "the document \"\(id)\" of \(collection.fullName) \(found), not \(revision)", status: ExitStatus.nothingFound)
    }
  }
}

extension DocumentSaving.Condition {
  fileprivate var isSome: Bool {
    if case .none = self { false } else { true }
  }
}
