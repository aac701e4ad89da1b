extension TrigramQuery {
  /// How LIKE compares letters.
  public enum LikeFolding: Hashable, Sendable {
    /// Byte for byte.
    case none
    /// ASCII letters in either case, all else byte for byte.
    case ascii
    /// Letters in either case, as in ``PatternOptions/ignoresCase``: ILIKE.
    case unicode
    /// By a collation of Unicode: characters may be equal that share no byte, and ignored ones may stand between. Nothing is
    /// known of the text then.
    case collation
  }

  /// What a text must hold to match a pattern of LIKE.
  public init(like pattern: LikePattern, folding: LikeFolding = .none) {
    guard folding != .collation else {
      self = .all
      return
    }
    self = .all(
      of: pattern.tokens.map { token in
        guard case .literal(let bytes) = token else { return .all }
        // Its first part says enough.
        guard folding == .unicode else { return .anyString(of: [bytes.prefix(4096).map(Trigram.fold)]) }
        let text = String(decoding: bytes, as: UTF8.self)
        return TrigramQuery(literal: String(text.unicodeScalars.prefix(1024)), ignoresCase: true)
      })
  }
}
