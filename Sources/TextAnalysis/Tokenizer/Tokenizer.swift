/// Converts texts to terms.
///
/// A tokenizer owns caches and the handles of ICU and Snowball. It must be used on one thread at a time; create one for
/// each thread with ``Analyzer/makeTokenizer()``. Once its caches are warm, it does not allocate.
public final class Tokenizer {
  let plan: AnalysisPlan
  let byteClasses: UnsafeMutablePointer<UInt8>
  let characters = CharacterTable()
  let cache = WordCache()
  let folder: Folder
  let stemmer: Stemmer?
  /// Whether the lowercase form of `I` is `ı`, so that words with `I` are not folded as ASCII.
  let isTurkish: Bool
  let ideographs = IdeographRun()
  /// Opened on first use: most texts do not need it.
  lazy var wordBreaker = makeWordBreaker()
  /// The surface form and the stem of the current word.
  let fragment: UnsafeMutablePointer<UInt8>
  let queryBuffer = TokenBuffer()
  /// The tokenizers of the languages of queries, if documents have different languages.
  package private(set) lazy var queryTokenizers = plan.queryPlans.map { Tokenizer($0) }

  init(_ plan: AnalysisPlan) {
    self.plan = plan
    byteClasses = ByteClass.makeTable()
    isTurkish = plan.language?.code == "tr"
    folder = Folder(plan.normalizers, accents: plan.accents, isTurkish: isTurkish)
    stemmer = plan.language.map(Stemmer.init)
    fragment = .allocate(capacity: 2 * TokenBuffer.maximumTermLength + 1)
  }

  deinit {
    byteClasses.deallocate()
    fragment.deallocate()
  }

  /// Appends the terms of a UTF-8 text, as an index stores them.
  ///
  /// Invalid UTF-8 and control sequences of terminals separate words. Words longer than
  /// ``TokenBuffer/maximumTermLength`` bytes are split at character boundaries. At most 4 GiB of a text are read.
  ///
  /// - Complexity: O(n) for n bytes of text. Only the memory of the buffer grows with the text.
  public func tokenize(_ text: UnsafeRawBufferPointer, into tokens: TokenBuffer) {
    guard let start = text.baseAddress else { return }
    let end = min(text.count, Int(UInt32.max))
    let input = TokenizerInput(bytes: start.assumingMemoryBound(to: UInt8.self), end: end, buffer: tokens)
    if plan.code {
      scan(input, splittingIdentifiers: true)
    } else {
      scan(input, splittingIdentifiers: false)
    }
  }
}

@available(*, unavailable)
extension Tokenizer: Sendable {}

// MARK: - The scan

extension Tokenizer {
  /// The main loop. A run of ASCII needs one table lookup per byte; a word next to a non-ASCII character is scanned
  /// again by ``scanWord(_:from:limit:isSegment:)``. Both must give a word of ASCII characters the same terms.
  @inline(__always)
  private func scan(_ input: TokenizerInput, splittingIdentifiers: Bool) {
    let bytes = input.bytes
    let end = input.end
    let classes = UnsafePointer(byteClasses)
    var index = 0
    while index < end {
      let first = classes[Int(bytes[index])]
      guard first & ByteClass.word != 0 else {
        index = first & ByteClass.nonASCII == 0 ? index &+ 1 : scanOther(input, at: index)
        continue
      }
      var seen = first
      var next = index &+ 1
      var stop: UInt8 = 0
      while next < end {
        stop = classes[Int(bytes[next])]
        if stop & ByteClass.word != 0 {
          seen |= stop
        } else if stop & ByteClass.special == 0 || !joins(bytes, next, end, stop) {
          break
        }
        next &+= 1
      }
      if next < end, stop & ByteClass.special != 0, touchesNonASCII(bytes, next, end, stop) {
        index = scanUnicodeWord(input, from: index)
        continue
      }
      // UAX #29 gives no word status to a lone connector.
      if next &- index > 1 || seen != ByteClass.connector {
        emitASCII(input, index, next, seen, splittingIdentifiers: splittingIdentifiers)
      }
      index = next
    }
  }

  /// Returns whether the apostrophe or number punctuation at `index` joins its neighbours (WB6, WB7, WB11, WB12).
  @inline(__always)
  private func joins(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int, _ punctuation: UInt8) -> Bool {
    guard punctuation & ByteClass.nonASCII == 0, index &+ 1 < end else { return false }
    let both = byteClasses[Int(bytes[index &- 1])] & byteClasses[Int(bytes[index &+ 1])]
    return both & ByteClass.digit != 0
      || (both & ByteClass.letter != 0 && punctuation & ByteClass.apostrophe != 0)
  }

  @inline(__always)
  private func touchesNonASCII(_ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int, _ stop: UInt8) -> Bool {
    stop & ByteClass.nonASCII != 0 || (index &+ 1 < end && bytes[index &+ 1] >= 0x80)
  }
}

/// The text of one call, and the destination of its tokens.
struct TokenizerInput {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  let buffer: TokenBuffer
}
