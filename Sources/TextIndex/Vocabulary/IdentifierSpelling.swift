/// Decides whether an identifier such as `pthread_mutx_lock` is a misspelling of another one.
///
/// Similar identifiers usually have different meanings (`spin_lock` and `spin_unlock`, `x86_32` and `x86_64`), so the
/// parts between the underscores are compared by ``RealWordErrorRule``.
enum IdentifierSpelling {
  /// The minimum length of a part with a typo. Shorter parts are often abbreviations.
  private static let minimumPartLength = 4

  /// Returns whether a term has several parts.
  static func isName(_ term: String) -> Bool {
    term.utf8.contains(UInt8(ascii: "_")) && term.utf8.split(separator: UInt8(ascii: "_")).count > 1
  }

  /// Returns whether an identifier is probably another one with typos in its parts.
  static func isTypo(_ typed: String, of name: String) -> Bool {
    let typedParts = typed.split(separator: "_", omittingEmptySubsequences: false)
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    guard typedParts.count == parts.count, typed != name else { return false }
    return zip(typedParts, parts).allSatisfy { typed, part in
      if typed == part { return true }
      let letters = Array(typed.unicodeScalars)
      let word = Array(part.unicodeScalars)
      guard letters.count >= minimumPartLength, letters.allSatisfy({ $0.properties.isAlphabetic }) else { return false }
      // Transposed letters hardly ever turn a part into another one.
      return SpellingErrorModel.isSwap(letters, of: word)
        || RealWordErrorRule.isTypo(letters, of: word, minimumLength: minimumPartLength)
    }
  }
}
