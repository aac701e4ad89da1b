import TestSupport

/// Words of a corpus with typos, which are the same for the same seed.
struct MisspeltWords {
  /// A word and its misspelling.
  struct Pair: Hashable {
    var right: String
    var typed: String
  }

  private var random: SeededGenerator
  private let alphabet = Array("abcdefghijklmnopqrstuvwxyz")

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns `count` misspelt words.
  ///
  /// Each word has one typo, and every third word of nine or more letters has two. A typo is an additional, missing or
  /// wrong letter, two swapped letters, a letter that is doubled, or a double letter that is not.
  ///
  /// - Parameters:
  ///   - words: the words to misspell, of which only those with five or more letters are used.
  ///   - isWord: returns whether a misspelling is another word of the corpus, in which case it cannot be recognized.
  mutating func pairs(_ count: Int, from words: [String], isWord: (String) throws -> Bool) rethrows -> [Pair] {
    let words = words.filter { $0.count >= 5 }
    var pairs: Set<Pair> = []
    var inOrder: [Pair] = []
    while inOrder.count < count, let right = words.randomElement(using: &random) {
      var typed = misspelled(Array(right))
      if right.count >= 9, Int.random(in: 0..<3, using: &random) == 0 { typed = misspelled(typed) }
      let pair = Pair(right: right, typed: String(typed))
      guard pair.typed != right, !pairs.contains(pair), try !isWord(pair.typed) else { continue }
      pairs.insert(pair)
      inOrder.append(pair)
    }
    return inOrder
  }

  private mutating func misspelled(_ word: [Character]) -> [Character] {
    var word = word
    let place = Int.random(in: 0..<word.count, using: &random)
    let letter = alphabet.randomElement(using: &random) ?? "x"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: word.insert(letter, at: place)
    case 1: word.remove(at: place)
    case 2: word[place] = letter
    case 3: word.swapAt(min(place, word.count - 2), min(place, word.count - 2) + 1)
    case 4: word.insert(word[place], at: place)
    default:
      let doubled = word.indices.dropFirst().filter { word[$0] == word[$0 - 1] }
      word.remove(at: doubled.randomElement(using: &random) ?? place)
    }
    return word
  }
}
