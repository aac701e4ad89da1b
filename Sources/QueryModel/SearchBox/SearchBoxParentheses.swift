/// The pairs of round brackets in the text of a search box.
///
/// Brackets in phrases are text, unless this would leave other brackets unmatched: in `title:("red shoe) x` the phrase
/// is probably unfinished.
struct SearchBoxParentheses {
  /// The offset of the closing bracket for each matched `(`.
  let closing: [Int: Int]
  /// The offsets of the unmatched `)`.
  let unopened: Set<Int>

  /// - Complexity: O(*n*).
  init(_ source: QueryText) {
    let outsidePhrases = Self.pairs(in: source, skippingPhrases: true)
    let pairs = outsidePhrases.isBalanced ? outsidePhrases : Self.pairs(in: source, skippingPhrases: false)
    (closing, unopened) = (pairs.closing, pairs.unopened)
  }

  private static func pairs(
    in source: QueryText, skippingPhrases: Bool
  ) -> (closing: [Int: Int], unopened: Set<Int>, isBalanced: Bool) {
    var open: [Int] = []
    var closing: [Int: Int] = [:]
    var unopened: Set<Int> = []
    var isInPhrase = false
    var position = 0
    var mayBeginPhrase = true
    while position < source.bytes.count {
      let byte = source.bytes[position]
      let space = source.whitespaceLength(at: position)
      let quote = skippingPhrases ? source.quoteLength(at: position) : nil
      let delimitsPhrase = quote != nil && !(isInPhrase && source.isGershayim(at: position, before: source.bytes.count))
      if delimitsPhrase, isInPhrase || mayBeginPhrase {
        isInPhrase.toggle()
      } else if !isInPhrase, byte == UInt8(ascii: "(") {
        open.append(position)
      } else if !isInPhrase, byte == UInt8(ascii: ")") {
        if let start = open.popLast() { closing[start] = position } else { unopened.insert(position) }
      }
      mayBeginPhrase = space > 0 || byte == UInt8(ascii: "-") || source.opensPhrase(after: byte)
      position += max(space, quote ?? 0, 1)
    }
    return (closing, unopened, open.isEmpty && unopened.isEmpty && !isInPhrase)
  }
}
