/// A way to repair a damaged file, or to avoid an error. Each program words the advice itself, because the library does not
/// know its commands.
public enum Recovery: Hashable, Sendable {
  /// Rebuild all indexes from the documents and recount the documents.
  case rebuildIndexes
  /// Verify the whole file to find the damage.
  case verify
  /// Drop the collection's full-text and pattern indexes, delete or resave the document, and create the indexes again.
  case dropTextIndexes
  /// Allow more time for the search of each text.
  case raiseTimeLimit
}
