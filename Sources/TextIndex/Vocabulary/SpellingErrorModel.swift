import Foundation

/// The likelihood that a word was meant when another was typed: a noisy channel model.
///
/// The likelihood of a word is that of the typos times the frequency of the word in the index (Kernighan,
/// Church and Gale, "A spelling correction program based on a noisy channel model", 1990). The weights of errors are
/// fixed, not learned: transposed letters and doubled or undoubled letters are the most common, and the first letter is
/// rarely wrong (Pollock and Zamora, "Automatic spelling correction in scientific and scholarly text", 1984).
enum SpellingErrorModel {
  /// The cost of an error: the negative logarithm of its probability, in units of the cost of an ordinary letter error.
  private enum Cost {
    static let swap = 0.75
    static let doubling = 0.75
    static let letter = 1.0
    static let vowel = 0.9
    /// The additional cost of an error in the first letter.
    static let first = 0.6
  }

  /// The weight of an error relative to the logarithm of the frequency: a word with one more error is preferred only if
  /// it is more than exp(errorWeight) times as frequent.
  private static let errorWeight = 5.0

  /// Returns the score of a word; larger is more likely.
  ///
  /// - Parameters:
  ///   - word: the possible correction.
  ///   - typed: the typed word.
  ///   - frequency: the document frequency of the word.
  static func score(_ word: [Unicode.Scalar], typed: [Unicode.Scalar], frequency: UInt32) -> Double {
    log(Double(frequency) + 1) - errorWeight * cost(word, typed: typed)
  }

  /// Returns whether a word differs from another one only in two transposed adjacent letters.
  static func isSwap(_ typed: [Unicode.Scalar], of word: [Unicode.Scalar]) -> Bool {
    let differing = typed.indices.filter { $0 < word.count && typed[$0] != word[$0] }
    guard typed.count == word.count, differing.count == 2, differing[1] == differing[0] + 1 else { return false }
    return typed[differing[0]] == word[differing[1]] && typed[differing[1]] == word[differing[0]]
  }

  /// Returns the minimum cost of turning one word into the other.
  static func cost(_ word: [Unicode.Scalar], typed: [Unicode.Scalar]) -> Double {
    let width = typed.count + 1
    var costs = [Double](repeating: 0, count: (word.count + 1) * width)
    for row in 0...word.count {
      for column in 0...typed.count where row + column > 0 {
        let cell = row * width + column
        let first = min(row, column) <= 1 && max(row, column) <= 2 ? Cost.first : 0
        var best = Double.infinity
        if row > 0 { best = min(best, costs[cell - width] + deletionCost(word, row - 1) + (row == 1 ? Cost.first : 0)) }
        if column > 0 {
          best = min(best, costs[cell - 1] + deletionCost(typed, column - 1) + (column == 1 ? Cost.first : 0))
        }
        if row > 0, column > 0 {
          let substitution = substitution(word[row - 1], typed[column - 1])
          best = min(best, costs[cell - width - 1] + (substitution == 0 ? 0 : substitution + (row == 1 ? first : 0)))
        }
        if row > 1, column > 1, word[row - 1] == typed[column - 2], word[row - 2] == typed[column - 1] {
          best = min(best, costs[cell - 2 * width - 2] + Cost.swap + (row == 2 ? first : 0))
        }
        costs[cell] = best
      }
    }
    return costs[costs.count - 1]
  }

  /// Returns the cost of a letter that only one of the words contains.
  private static func deletionCost(_ word: [Unicode.Scalar], _ position: Int) -> Double {
    let isDouble = position > 0 && word[position - 1] == word[position]
    return isDouble ? Cost.doubling : Cost.letter
  }

  private static func substitution(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Double {
    if one == other { return 0 }
    return isVowel(one) && isVowel(other) ? Cost.vowel : Cost.letter
  }

  private static func isVowel(_ letter: Unicode.Scalar) -> Bool {
    switch letter {
    case "a", "e", "i", "o", "u", "y": true
    default: false
    }
  }
}
