import CSnowball

/// A Snowball stemmer of one language. It keeps state between calls and must be used on one thread.
final class Stemmer {
  private let handle: OpaquePointer
  private let elidedWords: Set<String>
  private let cutsAtApostrophe: Bool

  init(_ language: Language) {
    // libstemmer returns NULL if memory allocation fails, or for an unknown name, which `Language` excludes.
    guard let handle = sb_stemmer_new(language.name, "UTF_8") else {
      preconditionFailure("no memory for the stemmer of \(language.name)")
    }
    self.handle = handle
    elidedWords = Self.elisions[language.code] ?? []
    cutsAtApostrophe = language.code == "tr"
  }

  deinit { sb_stemmer_delete(handle) }

  /// Returns the stem of a case-folded word in UTF-8, valid until the next call.
  ///
  /// In French, Italian and Catalan, elided words such as the article in `l'avion` are removed first, so that the
  /// result is the stem of the noun. In Turkish, an apostrophe separates a name from its suffixes (`Ankara'da`), so the
  /// word ends there. Snowball's stemmers do neither.
  func stem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let rest = cutsAtApostrophe ? withoutSuffixes(word) : withoutElision(word)
    guard let result = sb_stemmer_stem(handle, rest.baseAddress, Int32(rest.count)) else { return rest }
    return UnsafeBufferPointer(start: result, count: Int(sb_stemmer_length(handle)))
  }

  private func withoutElision(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard !elidedWords.isEmpty, let apostrophe = word.firstIndex(of: 0x27), apostrophe + 1 < word.count,
      elidedWords.contains(String(decoding: word[..<apostrophe], as: UTF8.self))
    else { return word }
    return UnsafeBufferPointer(rebasing: word[(apostrophe + 1)...])
  }

  private func withoutSuffixes(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let apostrophe = word.firstIndex(of: 0x27), apostrophe > 0 else { return word }
    return UnsafeBufferPointer(rebasing: word[..<apostrophe])
  }

  private static let elisions: [String: Set<String>] = [
    "fr": ["l", "d", "c", "j", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"],
    "it": [
      "l", "un", "d", "c", "m", "s", "t", "v", "all", "dall", "dell", "nell", "sull", "coll", "quell",
      "quest", "bell", "sant", "gl",
    ],
    "ca": ["l", "d", "m", "n", "s", "t"],
  ]
}
