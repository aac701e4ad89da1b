/// A conflict between two versions of a document. See ``ConflictResolverProtocol``.
public struct Conflict: Sendable {
  /// The id of the document.
  public let documentID: String
  /// The version that is being saved or, in a replication, the stored version; nil if it was deleted, which occurs only
  /// in a replication.
  public let localDocument: Document?
  /// The stored version, which was saved after the local version was read, or, in a replication, the version of the
  /// peer; nil if it was deleted.
  public let remoteDocument: Document?
}

/// A type that resolves conflicts: it decides which version of a document is saved.
///
/// ```swift
/// struct KeepMoreStars: ConflictResolverProtocol {
///   func resolve(conflict: Conflict) -> Document? {
///     guard let mine = conflict.localDocument, let theirs = conflict.remoteDocument else { return nil }
///     return mine.int(forKey: "stars") > theirs.int(forKey: "stars") ? mine : theirs
///   }
/// }
/// try hotels.save(document: hotel, conflictResolver: KeepMoreStars())
/// ```
public protocol ConflictResolverProtocol {
  /// Returns the version to save.
  ///
  /// - Parameter conflict: the two versions.
  /// - Returns: one of the two versions, or another document with the same id, such as a merge of both. If nil, a save
  ///   throws ``CBLError/conflict``, and a replication deletes the document.
  func resolve(conflict: Conflict) -> Document?
}

/// The predefined conflict resolvers.
public final class ConflictResolver {
  /// A resolver that saves the local version. If the stored document was deleted, the save throws
  /// ``CBLError/conflict``. In a replication, it has the same effect as no resolver; see
  /// ``CollectionConfiguration/conflictResolver``.
  public static var `default`: any ConflictResolverProtocol { LastWriteWins() }

  struct LastWriteWins: ConflictResolverProtocol {
    func resolve(conflict: Conflict) -> Document? {
      guard let local = conflict.localDocument, conflict.remoteDocument != nil else { return nil }
      return local
    }
  }
}

extension Collection {
  /// Saves a document, and calls a resolver if the stored document has changed since this one was read.
  ///
  /// Afterwards, `document` contains the properties that were saved.
  ///
  /// - Parameters:
  ///   - document: the document to save.
  ///   - conflictResolver: decides what is saved if there is a conflict.
  /// - Throws: ``CBLError``:
  ///   - ``CBLError/conflict`` if the resolver returns nil.
  ///   - ``CBLError/invalidParameter`` if it returns a document with another id.
  ///   - the errors of ``save(document:)``.
  public func save(document: MutableDocument, conflictResolver: any ConflictResolverProtocol) throws {
    let isSaved = try save(document: document) { mine, stored in
      let conflict = Conflict(documentID: mine.id, localDocument: mine, remoteDocument: stored)
      guard let kept = conflictResolver.resolve(conflict: conflict) else { return false }
      guard kept.id == mine.id else {
        throw CBLError(
          CBLError.invalidParameter,
          "the resolver for the document \"\(mine.id)\" returned the document \"\(kept.id)\"; return one with the same "
            + "id"
        )
      }
      if kept !== mine { mine.copyProperties(of: kept) }
      return true
    }
    guard isSaved else {
      throw CBLError(
        CBLError.conflict,
        "the document \"\(document.id)\" was changed since it was read, and the resolver keeps neither version; read it "
          + "again and repeat the change")
    }
  }
}
