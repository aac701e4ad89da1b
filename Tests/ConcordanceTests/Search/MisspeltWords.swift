import TestSupport

/// Words of a corpus with typing errors in them, the same ones from the same seed.
struct MisspeltWords {
  /// A word and what became of it.
  struct Pair: Hashable {
    var right: String
    var typed: String
  }

  private var random: SeededGenerator
  private let alphabet = Array("abcdefghijklmnopqrstuvwxyz")

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// So many misspelt words.
  ///
  /// One error each, and for every third word of nine letters or more two: a letter too many, too few or wrong,
  /// neighbours swapped, a letter doubled, a doubled one not.
  ///
  /// - Parameters:
  ///   - words: what they are taken from, those with five letters or more.
  ///   - isWord: says of a word with an error whether it is another word of the corpus; then nobody could tell.
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
