/// Finds the occurrences of phrases that are near each other: at most a given number of terms are between the end of
/// the phrase that ends first and the beginning of the phrase that begins last.
///
/// It keeps one current position per phrase. Phrases that are too far before the last one advance until all are near
/// each other; then the phrase with the lowest next position advances. Search and highlighting both use this type, so
/// that they agree.
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
  ///   - lengths: the number of positions of each phrase.
  ///   - distance: the maximum number of terms between phrases; negative numbers count as 0.
  init(_ lengths: [Int], distance: Int) {
    self.lengths = lengths
    self.distance = min(max(0, distance), NearSweep.maximumDistance)
  }

  /// Greater than the length of any text, and less than the distance between positions in different columns.
  static let maximumDistance = 1 << 30

  mutating func removeAll() {
    tokenPositions.removeAll()
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }

  /// Appends a position of the current phrase, as a number; see ``TermPosition/init(_:)``. Positions must be ascending.
  @inline(__always)
  mutating func append(_ tokenPosition: UInt64) { tokenPositions.append(tokenPosition) }

  /// Ends the current phrase; the following positions belong to the next one.
  mutating func endPhrase() { starts.append(tokenPositions.count) }

  /// Calls `body` with the phrase number, the position number and the position of each occurrence that is near an
  /// occurrence of every other phrase. It is called once per occurrence, for each phrase in ascending order.
  ///
  /// - Complexity: O(p * n) in the numbers of positions and phrases.
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
