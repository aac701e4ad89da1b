/// A summary of a text, for determining whether two texts have the same words and how similar they are.
///
/// The shingles of a text are its pairs of consecutive words or, if it has only one word, that word. The sketch
/// contains the smallest hashes of its distinct shingles, a bottom-k sketch (Broder 1997, "On the resemblance and
/// containment of documents"), from which the Jaccard similarity of two sets of shingles is estimated. The similarity
/// is exact for texts with fewer shingles than the sketch has hashes.
///
/// ```swift
/// let a = TextSketch(of: ["The ships leave at dawn."])
/// let b = TextSketch(of: ["the ships leave, at dawn"])
/// a.hash == b.hash       // true: case and punctuation are ignored
/// a.similarity(to: b)    // 1
/// ```
public struct TextSketch: Sendable, Hashable {
  /// The number of hashes in a sketch. The standard error of a similarity is at most 1/(2√128) = 4.4 %.
  public static let size = 128

  /// A hash of all words in order. Texts with the same words have the same hash.
  public let hash: UInt64
  /// The number of words.
  public let wordCount: Int
  /// The smallest hashes of the distinct shingles, in ascending order.
  public let hashes: [UInt64]

  /// Summarizes a text.
  ///
  /// A word is a run of ASCII letters and digits, ignoring case, and of non-ASCII characters. Han characters, Kana and
  /// Hangul syllables are words of one character.
  ///
  /// - Parameter texts: the parts of the text, UTF-8.
  /// - Complexity: O(n log k) for n bytes and k = ``size``.
  public init(of texts: some Sequence<some Collection<UInt8>>) {
    var builder = Builder()
    for text in texts {
      for byte in text { builder.append(byte) }
      builder.endWord()
    }
    (hash, wordCount, hashes) = builder.finished()
  }

  /// Summarizes strings.
  public init(of texts: [String]) { self.init(of: texts.map(\.utf8)) }

  /// Returns the estimated Jaccard similarity of the shingles of two texts, from 0 to 1. The similarity of two texts
  /// without words is 1.
  public func similarity(to other: TextSketch) -> Double {
    var (i, j, united, common) = (0, 0, 0, 0)
    while united < TextSketch.size, i < hashes.count || j < other.hashes.count {
      united += 1
      if j == other.hashes.count || i < hashes.count && hashes[i] < other.hashes[j] {
        i += 1
      } else if i == hashes.count || other.hashes[j] < hashes[i] {
        j += 1
      } else {
        common += 1
        i += 1
        j += 1
      }
    }
    return united == 0 ? 1 : Double(common) / Double(united)
  }

  /// Collects words from bytes.
  private struct Builder {
    private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01b3

    private var word = basis
    private var isInWord = false
    /// The bytes that are missing from a character that is a word of its own.
    private var pendingBytes = 0
    private var previous: UInt64?
    private var hash = basis
    private var wordCount = 0
    private var smallest: Set<UInt64> = []
    /// A hash that is not smaller cannot be in the sketch.
    private var bound = UInt64.max

    mutating func append(_ byte: UInt8) {
      if pendingBytes > 0, byte & 0xC0 == 0x80 {
        add(byte)
        pendingBytes -= 1
        if pendingBytes == 0 { endWord() }
        return
      }
      pendingBytes = 0
      switch byte {
      case 0x30...0x39, 0x61...0x7A: add(byte)
      case 0x41...0x5A: add(byte | 0x20)
      // E3 to ED: Kana, Han and Hangul, with few other characters. F0: further Han characters.
      case 0xE3...0xED, 0xF0:
        endWord()
        add(byte)
        pendingBytes = byte == 0xF0 ? 3 : 2
      case 0x80...0xFF: add(byte)
      default: endWord()
      }
    }

    private mutating func add(_ byte: UInt8) {
      word = (word ^ UInt64(byte)) &* Builder.prime
      isInWord = true
    }

    mutating func endWord() {
      guard isInWord else { return }
      isInWord = false
      pendingBytes = 0
      let current = Builder.mixed(word)
      word = Builder.basis
      wordCount += 1
      hash = Builder.mixed(hash ^ current) &+ current
      if let previous { insert(Builder.mixed(previous &* 3 &+ current)) }
      previous = current
    }

    private mutating func insert(_ shingle: UInt64) {
      guard shingle < bound else { return }
      smallest.insert(shingle)
      // Pruned when it has twice as many hashes as a sketch, so that each hash costs amortized O(log k).
      if smallest.count >= TextSketch.size * 2 { prune() }
    }

    private mutating func prune() {
      let kept = smallest.sorted().prefix(TextSketch.size)
      smallest = Set(kept)
      if let last = kept.last, kept.count == TextSketch.size { bound = last }
    }

    mutating func finished() -> (UInt64, Int, [UInt64]) {
      if wordCount == 1, let previous { insert(previous) }
      return (hash, wordCount, Array(smallest.sorted().prefix(TextSketch.size)))
    }

    /// The finalizer of MurmurHash3, so that small hashes are a uniform sample.
    private static func mixed(_ value: UInt64) -> UInt64 {
      var value = value
      value = (value ^ (value >> 33)) &* 0xff51_afd7_ed55_8ccd
      value = (value ^ (value >> 33)) &* 0xc4ce_b9fe_1a85_ec53
      return value ^ (value >> 33)
    }
  }
}
