/// Statistics of a pattern search.
public struct PatternSearchSummary: Hashable, Sendable {
  /// The number of searched documents.
  public internal(set) var documentCount = 0
  /// The number of searched bytes.
  public internal(set) var byteCount = 0
  /// The ``PatternSearchRequest/idPrefixes`` that match no document.
  public internal(set) var missingPrefixes: [String] = []
  /// The ``PatternSearchRequest/sourcePaths`` from which no document was read.
  public internal(set) var missingSourcePaths: [String] = []
  /// The PostgreSQL servers whose documents were not searched, with
  /// ``PatternSearchRequest/allowsPartialResults``. Empty if all documents were searched.
  public internal(set) var missingServers: [MissingServer] = []
}
