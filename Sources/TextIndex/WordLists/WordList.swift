import Synchronization

/// The word list of a segment; see ``WordListFormat``. Its blocks are read when words are first requested, and remain
/// in memory with the state of the index.
final class WordList: Sendable {
  let segment: SegmentStructure.Segment
  let blockCount: Int
  private let blocks = Mutex<Blocks?>(nil)

  /// The contents of all blocks, as ranges of a memory that contains the blocks of several lists.
  struct Blocks: Sendable {
    let memory: WordMemory
    var ranges: [Range<Int>] = []
  }

  init(_ segment: SegmentStructure.Segment, blockCount: Int) {
    self.segment = segment
    self.blockCount = blockCount
  }

  /// Whether the blocks are in memory.
  var isRead: Bool { blocks.withLock { $0 != nil } }

  /// Returns the blocks.
  ///
  /// - Parameter read: reads them if they are not in memory; nil if one is damaged or missing.
  func blocks(_ read: (WordList) throws -> Blocks?) rethrows -> Blocks? {
    if let known = blocks.withLock({ $0 }) { return known }
    let contents = try read(self)
    blocks.withLock { $0 = contents }
    return contents
  }
}

extension WordList.Blocks {
  /// Returns the words of some of the blocks that a search accepts; nil if one is damaged.
  ///
  /// - Complexity: O(n) in the number of words, of which 32 with a rejected prefix are skipped at a time.
  func words(_ numbers: Range<Int>, acceptedBy search: TypoSearch) -> TermList? {
    var found = TermList()
    var traversal = TypoTraversal(search)
    var word = [UInt8](repeating: 0, count: TermList.maximumLength)
    var isIntact = true
    word.withUnsafeMutableBufferPointer { word in
      do throws(DoclistCorruption) {
        for range in ranges[numbers] {
          let block = try WordBlock(UnsafeBufferPointer(rebasing: memory.bytes[range]))
          try block.appendWords(acceptedBy: &traversal, word, to: &found)
        }
      } catch {
        isIntact = false
      }
    }
    return isIntact ? found : nil
  }
}
