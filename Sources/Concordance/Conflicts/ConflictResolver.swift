/// Two versions of a document, of which one is kept, or a merge of both.
public struct Conflict: Sendable {
  /// The id of the document.
  public let documentID: String
  /// The version that is being saved; nil for a deletion.
  public let localDocument: Document?
  /// The version that somebody else has saved meanwhile; nil if the document was deleted.
  public let remoteDocument: Document?
}

/// Decides what is saved if two versions of a document are in conflict.
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
  /// Returns the version to keep.
  ///
  /// - Parameter conflict: the two versions.
  /// - Returns: one of the two, or another document with the same id; nil makes the save fail with
  ///   ``CBLError/conflict``.
  func resolve(conflict: Conflict) -> Document?
}

/// The resolvers of the library.
public final class ConflictResolver {
  /// A resolver that keeps the version that is being saved. If somebody else has deleted the document, the save fails.
  public static var `default`: any ConflictResolverProtocol { LastWriteWins() }

  private struct LastWriteWins: ConflictResolverProtocol {
    func resolve(conflict: Conflict) -> Document? {
      guard let local = conflict.localDocument, conflict.remoteDocument != nil else { return nil }
      return local
    }
  }
}

extension Collection {
  /// Saves a document, and calls a resolver if somebody else has changed it since it was read.
  ///
  /// Afterwards `document` has the properties that were saved.
  ///
  /// - Parameters:
  ///   - document: the document to save.
  ///   - conflictResolver: decides what is saved if there is a conflict.
  /// - Throws: ``CBLError`` as ``save(document:)``:
  ///   - ``CBLError/conflict`` if the resolver returns nil.
  ///   - ``CBLError/invalidParameter`` if it returns a document with another id.
  public func save(document: MutableDocument, conflictResolver: any ConflictResolverProtocol) throws {
    let isSaved = try save(document: document) { mine, stored in
      let conflict = Conflict(documentID: mine.id, localDocument: mine, remoteDocument: stored)
      guard let kept = conflictResolver.resolve(conflict: conflict) else { return false }
      guard kept.id == mine.id else {
        throw CBLError(
          CBLError.invalidParameter,
          "the resolver of the document \"\(mine.id)\" returned another one, \"\(kept.id)\"; return one with the same id"
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
