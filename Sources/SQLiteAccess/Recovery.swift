/// What repairs a fault in a file. A program names it in its own words: the library does not know its commands.
public enum Recovery: Hashable, Sendable {
  /// To build every index again from the documents, and to count the documents.
  case rebuildIndexes
  /// To check the whole file, which finds what is damaged.
  case verify
  /// To delete the full-text and pattern indexes of the collection, delete the document or save it again, and create the indexes again.
  case dropTextIndexes
}
