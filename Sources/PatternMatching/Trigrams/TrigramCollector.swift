/// Collects the set of trigrams of a document.
///
/// ```swift
/// let collector = TrigramCollector()
/// collector.add(bytesOfTitle)
/// collector.add(bytesOfText)
/// collector.withTrigrams { index.insert($0) }
/// collector.removeAll()
/// ```
///
/// One instance can be used for any number of documents without allocating memory for each of them. It must be used on
/// one thread. It holds a bit for each possible trigram (2 MiB) and four bytes for each trigram of the largest document
/// so far (at most 64 MiB).
///
/// - Complexity: O(n) for n bytes of text, about as fast as a loop in C: hundreds of megabytes per second.
public final class TrigramCollector {
  private static let count = 1 << 24

  /// A bit for every possible trigram.
  private let seen: UnsafeMutablePointer<UInt64>
  private var list: UnsafeMutablePointer<UInt32>
  private var capacity: Int
  private var used = 0

  /// Creates an empty collector.
  public init() {
    seen = .allocate(capacity: TrigramCollector.count / 64)
    seen.initialize(repeating: 0, count: TrigramCollector.count / 64)
    capacity = 1 << 14
    list = .allocate(capacity: capacity)
  }

  deinit {
    seen.deallocate()
    list.deallocate()
  }

  /// Adds the trigrams of a text. No trigram crosses from one text into the next.
  public func add(_ text: UnsafeRawBufferPointer) {
    guard text.count >= 3 else { return }
    // One element more than needed, because the loop writes before it knows whether a trigram is new.
    grow(to: min(used + text.count, TrigramCollector.count) + 1)
    let (seen, list) = (seen, list)
    var count = used
    var window = UInt32(Trigram.fold(text[0])) << 8 | UInt32(Trigram.fold(text[1]))
    for index in 2..<text.count {
      window = (window << 8 | UInt32(Trigram.fold(text[index]))) & 0xFF_FFFF
      let word = Int(window >> 6)
      let bits = seen[word]
      let bit = UInt64(1) << UInt64(window & 63)
      // Branch-free: whether a trigram is new cannot be predicted.
      list[count] = window
      count += bits & bit == 0 ? 1 : 0
      seen[word] = bits | bit
    }
    used = count
  }

  /// Calls `body` with the indexed trigrams, in the order of their first occurrence.
  public func withTrigrams<T>(_ body: (UnsafeBufferPointer<Trigram>) throws -> T) rethrows -> T {
    // Trigrams are filtered here and not in the loop over the text, which has many more iterations.
    var kept = 0
    for index in 0..<used {
      let trigram = list[index]
      if TrigramCollector.isIndexed(trigram) {
        list[kept] = trigram
        kept += 1
      } else {
        seen[Int(trigram >> 6)] &= ~(1 << UInt64(trigram & 63))
      }
    }
    used = kept
    return try list.withMemoryRebound(to: Trigram.self, capacity: kept) {
      try body(UnsafeBufferPointer(start: $0, count: kept))
    }
  }

  /// Removes all trigrams; the memory stays allocated.
  public func removeAll() {
    for index in 0..<used { seen[Int(list[index] >> 6)] = 0 }
    used = 0
  }

  private static func isIndexed(_ trigram: UInt32) -> Bool {
    Trigram.isIndexed(UInt8(truncatingIfNeeded: trigram >> 16))
      && Trigram.isIndexed(UInt8(truncatingIfNeeded: trigram >> 8))
      && Trigram.isIndexed(UInt8(truncatingIfNeeded: trigram))
  }

  private func grow(to needed: Int) {
    guard needed > capacity else { return }
    let larger = UnsafeMutablePointer<UInt32>.allocate(
      capacity: max(needed, min(2 * capacity, TrigramCollector.count + 1)))
    larger.update(from: list, count: used)
    list.deallocate()
    list = larger
    capacity = max(needed, min(2 * capacity, TrigramCollector.count + 1))
  }
}
