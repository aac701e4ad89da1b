// Thai, Lao, Khmer, Burmese and emoji, which ICU's break iterator segments.

extension Tokenizer {
  /// The number of bytes passed to ICU at a time. Longer regions are cut at the last boundary for which ICU had
  /// context.
  private static let regionLength = 32 * 1024
  private static let context = 512
  /// Regions separated by at most this many bytes are merged, because each call of ICU has a fixed cost.
  private static let gap = 64

  /// Emits the words from the `complex` character at `start` to the end of its region, and returns that end.
  func scanComplex(_ input: TokenizerInput, from start: Int) -> Int {
    let end = regionEnd(input, from: start)
    let isCut = end - start >= Self.regionLength - 4 && end < input.end
    var resume = end
    let isDone = wordBreaker.forEachSegment(input.bytes, start, end) { first, next in
      if isCut, first > start, next > end - Self.context {
        resume = first
        return false
      }
      emitSegment(input, first, next)
      return true
    }
    precondition(isDone, "no memory for ICU's break iterator")
    return resume
  }

  /// Returns the end of the last `complex` character, with its marks, before an ideograph or a wide gap.
  private func regionEnd(_ input: TokenizerInput, from start: Int) -> Int {
    let limit = min(input.end, start + Self.regionLength)
    var end = start
    var index = start
    while index < limit, index - end <= Self.gap {
      let scalar = decodeScalar(input.bytes, index, input.end)
      let isAttached = index == end
      index += scalar.length
      if index > limit { break }
      switch CharacterClass(rawValue: characters[scalar.value].characterClass) {
      case .complex: end = index
      case .extend where isAttached: end = index
      case .ideograph, .plainIdeograph: return end
      default: break
      }
    }
    return end
  }

  /// Emits one of ICU's segments: an emoji as a whole, or the words in the segment, which are split where the script
  /// changes and by the other rules of this module.
  ///
  /// ICU's word status is not used because it is not reliable: ICU 72 gives none to `a_` if a mark follows.
  private func emitSegment(_ input: TokenizerInput, _ start: Int, _ end: Int) {
    let first = decodeScalar(input.bytes, start, end).value
    if isStandaloneEmoji(first) {
      return emitUnicode(input, start, end, ByteClass.nonASCII, splittingIdentifiers: false)
    }
    var index = start
    while index < end {
      let scan = scanWord(input, from: index, limit: end, isSegment: true)
      emitScanned(input, index, scan)
      index = max(scan.end, index + decodeScalar(input.bytes, index, end).length)
    }
  }

  /// Returns whether a code point begins an emoji sequence. Letters that are also emoji, such as 🅰, form words.
  func isStandaloneEmoji(_ value: UInt32) -> Bool {
    characters[value].characterClass == CharacterClass.complex.rawValue
      && CharacterClass.isEmoji(Int32(bitPattern: value))
  }

  func makeWordBreaker() -> WordBreaker {
    // `Analyzer.init` has already opened a break iterator, so missing data was reported there.
    guard let breaker = try? WordBreaker() else { preconditionFailure("no memory for ICU's break iterator") }
    return breaker
  }
}
