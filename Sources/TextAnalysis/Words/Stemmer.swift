import CSnowball

/// A Snowball stemmer of one language. It keeps state between calls and belongs to one thread.
final class Stemmer {
  private let handle: OpaquePointer
  private let elidedArticles: Set<String>

  init(_ language: Language) {
    // libstemmer gives NULL for an unknown name, which `Language` has ruled out, and when memory is exhausted.
    guard let handle = sb_stemmer_new(language.name, "UTF_8") else {
      preconditionFailure("no memory for the stemmer of \(language.name)")
    }
    self.handle = handle
    elidedArticles = Self.elisions[language.code] ?? []
  }

  deinit { sb_stemmer_delete(handle) }

  /// The stem of a case-folded word in UTF-8, valid until the next call.
  ///
  /// French, Italian and Catalan write short words before a vowel together with the next word (`l'avion`).
  /// Those go first, so that the stem is that of the noun. Snowball's stemmers leave them in place.
  func stem(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let rest = withoutElision(word)
    guard let result = sb_stemmer_stem(handle, rest.baseAddress, Int32(rest.count)) else { return rest }
    return UnsafeBufferPointer(start: result, count: Int(sb_stemmer_length(handle)))
  }

  private func withoutElision(_ word: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard !elidedArticles.isEmpty, let apostrophe = word.firstIndex(of: 0x27), apostrophe + 1 < word.count,
      elidedArticles.contains(String(decoding: word[..<apostrophe], as: UTF8.self))
    else { return word }
    return UnsafeBufferPointer(rebasing: word[(apostrophe + 1)...])
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
