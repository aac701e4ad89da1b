import Synchronization

/// The word list of a segment; see ``WordListFormat``. Its blocks are read when words are first requested, and remain
/// in memory with the state of the index.
final class WordList: Sendable {
  let segment: SegmentStructure.Segment
  let blockCount: Int
  private let blocks = Mutex<Blocks?>(nil)

  /// The contents of all blocks, as ranges of a memory that contains the blocks of several lists.
  struct Blocks {
    let memory: WordMemory
    var ranges: [Range<Int>] = []
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
    word.withUnsafeMutableBufferPointer { word in
      do throws(DoclistCorruption) {
        for range in known.ranges {
          let block = try WordBlock(UnsafeBufferPointer(rebasing: known.memory.bytes[range]))
          try block.appendWords(acceptedBy: &traversal, word, to: &found)
        }
      } catch {
        isIntact = false
      }
    }
    return isIntact ? found : nil
  }
}
