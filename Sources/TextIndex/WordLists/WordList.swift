import Synchronization

/// The word list of a segment; see ``WordListFormat``. Its blocks are read when words are first requested, and remain in
/// memory with the state of the index.
final class WordList: Sendable {
  let segment: SegmentStructure.Segment
  let blockCount: Int
  private let blocks = Mutex<Blocks?>(nil)

  /// The contents of all blocks.
  struct Blocks {
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []

    var count: Int { ends.count }

    mutating func append(_ content: UnsafeBufferPointer<UInt8>) {
      bytes.append(contentsOf: content)
      ends.append(bytes.count)
    }

    mutating func reserve(blocks: Int) { bytes.reserveCapacity(blocks * WordListFormat.maximumBlockSize) }

    func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }
  }

  init(_ segment: SegmentStructure.Segment, blockCount: Int) {
    self.segment = segment
    self.blockCount = blockCount
  }

  /// Whether the blocks are in memory.
  var isRead: Bool { blocks.withLock { $0 != nil } }

  /// Returns the words that a search accepts.
  ///
  /// - Parameter read: reads the blocks; nil if one is damaged or missing.
  /// - Returns: nil if the list is damaged.
  /// - Complexity: O(n) in the number of words, of which 32 with a rejected prefix are skipped at a time.
  func words(acceptedBy search: TypoSearch, _ read: (WordList) throws -> Blocks?) rethrows -> TermList? {
    var known = blocks.withLock { $0 }
    if known == nil {
      known = try read(self)
      blocks.withLock { $0 = known }
    }
    guard let known else { return nil }
    var found = TermList()
    var traversal = TypoTraversal(search)
    var word = [UInt8](repeating: 0, count: TermList.maximumLength)
    var isIntact = true
    known.bytes.withUnsafeBufferPointer { bytes in
      word.withUnsafeMutableBufferPointer { word in
        do throws(DoclistCorruption) {
          for number in 0..<known.count {
            let block = try WordBlock(UnsafeBufferPointer(rebasing: bytes[known.range(number)]))
            try block.appendWords(acceptedBy: &traversal, word, to: &found)
          }
        } catch {
          isIntact = false
        }
      }
    }
    return isIntact ? found : nil
  }
}
