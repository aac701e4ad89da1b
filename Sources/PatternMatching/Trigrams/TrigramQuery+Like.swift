extension TrigramQuery {
  /// The rule by which LIKE compares letters.
  public enum LikeFolding: Hashable, Sendable {
    /// Byte for byte.
    case none
    /// ASCII letters in either case, everything else byte for byte.
    case ascii
    /// Letters in either case, as in ``PatternOptions/ignoresCase``: ILIKE.
    case unicode
    /// By a Unicode collation. Such a pattern has no required trigrams, because equal characters may share no byte, and
    /// ignored characters may occur between them.
    case collation
  }

  /// Creates the query satisfied by every text that matches a LIKE pattern.
  public init(like pattern: LikePattern, folding: LikeFolding = .none) {
    guard folding != .collation else {
      self = .all
      return
    }
    self = .all(
      of: pattern.tokens.map { token in
        guard case .literal(let bytes) = token else { return .all }
        // The start of a long literal is selective enough.
        guard folding == .unicode else { return .anyString(of: [bytes.prefix(4096).map(Trigram.fold)]) }
        let text = String(decoding: bytes, as: UTF8.self)
        return TrigramQuery(literal: String(text.unicodeScalars.prefix(1024)), ignoresCase: true)
      })
  }
}
