/// Two versions of a document of which one is to be kept, or something made of both.
public struct Conflict: Sendable {
  /// The id of both.
  public let documentID: String
  /// The version that is to be saved; nil for a deletion.
  public let localDocument: Document?
  /// The version that somebody else saved meanwhile; nil where it was deleted.
  public let remoteDocument: Document?
}

/// Decides what is saved in the place of two versions that are in conflict.
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
  /// The version to keep: one of the two, or another document with the same id. Nil refuses: then the save fails with
  /// ``CBLError/conflict``.
  func resolve(conflict: Conflict) -> Document?
}

/// The resolvers that come with the library.
public final class ConflictResolver {
  /// Keeps the version that is being saved, which is the later one; a deletion by somebody else wins: nothing is kept.
  public static var `default`: any ConflictResolverProtocol { LatestWins() }

  private struct LatestWins: ConflictResolverProtocol {
    func resolve(conflict: Conflict) -> Document? {
      guard let local = conflict.localDocument, conflict.remoteDocument != nil else { return nil }
      return local
    }
  }
}

extension Collection {
  /// Saves a document, and lets a resolver decide when it was changed by somebody else since it was read.
  ///
  /// Afterwards `document` has the properties that were saved.
  ///
  /// - Throws: ``CBLError/conflict`` when the resolver refuses, and as ``save(document:)``.
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
      if kept !== mine { mine.takeProperties(of: kept) }
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
