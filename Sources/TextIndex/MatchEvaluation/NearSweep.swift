/// Finds the occurrences of phrases that are near each other: between the end of the one that ends first and the
/// beginning of the one that begins last there are at most so many terms.
///
/// One place of each phrase at a time: those too far in front of the foremost go on until all are near each other; then
/// the phrase whose next place comes first goes on. Used by search and by highlighting, so that both mean the same.
struct NearSweep: ~Copyable {
  private let lengths: [Int]
  private let distance: Int
  /// The positions of all phrases, concatenated.
  private var tokenPositions = GrowableBuffer<UInt64>()
  /// The start of each phrase's positions, followed by the end of the last.
  private var starts: [Int] = [0]
  /// The current position of each phrase.
  private var positions: [Int] = []
  /// The last reported position of each phrase.
  private var reported: [Int] = []

  /// - Parameters:
  ///   - lengths: how many positions each phrase has.
  ///   - distance: the maximum number of terms between them; negative numbers count as 0.
  init(_ lengths: [Int], distance: Int) {
    self.lengths = lengths
    self.distance = min(max(0, distance), NearSweep.maximumDistance)
  }

  /// No text is longer, and places in different columns are further from each other.
  private static let maximumDistance = 1 << 30

  mutating func removeAll() {
    tokenPositions.removeAll()
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }

  /// Adds a place of the phrase that is read, as a number, see ``TermPosition/number``. They come in order.
  @inline(__always)
  mutating func append(_ tokenPosition: UInt64) { tokenPositions.append(tokenPosition) }

  /// The next phrase is read from here on.
  mutating func endPhrase() { starts.append(tokenPositions.count) }

  /// Calls `body` with the number of a phrase, the number of one of its positions, and that position, for each that is
  /// near one of each other phrase. It is called once a place; those of a phrase come in order.
  ///
  /// - Complexity: O(p) in the number of places, times that of the phrases.
  mutating func forEachNear(_ body: (_ phrase: Int, _ number: Int, _ tokenPosition: UInt64) -> Void) {
    let phrases = lengths.indices
    guard !lengths.isEmpty, phrases.allSatisfy({ starts[$0] < starts[$0 + 1] }) else { return }
    positions.removeAll(keepingCapacity: true)
    reported.removeAll(keepingCapacity: true)
    for phrase in phrases {
      positions.append(starts[phrase])
      reported.append(-1)
    }
    while moveTogether() {
      for phrase in phrases where reported[phrase] != positions[phrase] {
        reported[phrase] = positions[phrase]
        body(phrase, positions[phrase] - starts[phrase], tokenPositions.start[positions[phrase]])
      }
      var next: (phrase: Int, tokenPosition: UInt64)?
      for phrase in phrases where positions[phrase] + 1 < starts[phrase + 1] {
        let tokenPosition = tokenPositions.start[positions[phrase] + 1]
        if next.map({ tokenPosition < $0.tokenPosition }) ?? true { next = (phrase, tokenPosition) }
      }
      guard let next else { return }
      positions[next.phrase] += 1
    }
  }

  /// Advances to positions that are near each other.
  ///
  /// - Returns: whether there are any.
  private mutating func moveTogether() -> Bool {
    var last = Int(tokenPositions.start[positions[0]])
    var isNear = false
    while !isNear {
      isNear = true
      for phrase in lengths.indices {
        let first = last - lengths[phrase] - distance
        var tokenPosition = Int(tokenPositions.start[positions[phrase]])
        guard tokenPosition < first || tokenPosition > last else { continue }
        isNear = false
        while tokenPosition < first {
          positions[phrase] += 1
          guard positions[phrase] < starts[phrase + 1] else { return false }
          tokenPosition = Int(tokenPositions.start[positions[phrase]])
        }
        last = max(last, tokenPosition)
      }
    }
    return true
  }
}
