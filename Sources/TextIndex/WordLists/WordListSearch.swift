import DocumentStore
import Foundation

/// A search in the blocks of word lists, on several threads. The caller's thread reads the lists that are not in memory
/// yet, while a helper already searches the others.
///
/// `@unchecked Sendable`: `state` is accessed only under the lock of `condition`.
final class WordListSearch: @unchecked Sendable {
  /// Some blocks of a list, which one thread searches.
  private struct Part {
    let list: Int
    let blocks: WordList.Blocks
    let numbers: Range<Int>
  }

  private struct State {
    /// The lists that were read.
    var lists: [Int] = []
    var parts: [Part] = []
    /// The words of each part; nil if it is damaged or was not searched yet.
    var found: [TermList?] = []
    /// The next part to search.
    var next = 0
    /// The number of parts that are being searched.
    var activeCount = 0
    /// Whether all parts are known.
    var isComplete = false
  }

  private let search: TypoSearch
  private let condition = NSCondition()
  private var state = State()

  /// The number of blocks of a part, which take about 0.1 ms.
  private static let partSize = 16
  /// The minimum number of blocks for which a helper saves time.
  private static let minimumBlockCount = 4 * partSize
  private static let helperCount = ProcessorCount.active - 1
  private static let helpers = WorkerThreads(maximumCount: helperCount)

  private init(_ search: TypoSearch) { self.search = search }

  /// Returns the words of each list that a search accepts; nil for a list that is missing or damaged.
  ///
  /// - Parameters:
  ///   - read: returns the blocks of a list; nil if it is damaged. It is called on the caller's thread.
  /// - Complexity: O(n) in the number of words, of which 32 with a rejected prefix are skipped at a time.
  static func words(
    of lists: [WordList?], acceptedBy search: TypoSearch, _ read: (WordList) throws -> WordList.Blocks?
  ) rethrows -> [TermList?] {
    let work = WordListSearch(search)
    let blockCount = lists.reduce(0) { $0 + ($1?.blockCount ?? 0) }
    if blockCount >= minimumBlockCount {
      for _ in 0..<min(helperCount, blockCount / partSize) { helpers.submit { work.searchParts() } }
    }
    do {
      for (number, list) in lists.enumerated() {
        if let list, let blocks = try list.blocks(read) { work.add(blocks, ofList: number) }
      }
    } catch {
      work.cancel()
      throw error
    }
    work.finish()
    return work.words(listCount: lists.count)
  }

  private func add(_ blocks: WordList.Blocks, ofList list: Int) {
    condition.lock()
    defer { condition.unlock() }
    state.lists.append(list)
    for start in stride(from: 0, to: blocks.ranges.count, by: WordListSearch.partSize) {
      let end = min(start + WordListSearch.partSize, blocks.ranges.count)
      state.parts.append(Part(list: list, blocks: blocks, numbers: start..<end))
      state.found.append(nil)
    }
    condition.broadcast()
  }

  /// Ends the search: helpers search no further parts.
  private func cancel() {
    condition.withLock {
      state.next = state.parts.count
      state.isComplete = true
      condition.broadcast()
    }
  }

  /// Searches the rest of the parts, and waits for those that helpers search. A helper that has not begun is not waited
  /// for.
  private func finish() {
    condition.withLock {
      state.isComplete = true
      condition.broadcast()
    }
    searchParts()
    condition.withLock {
      while state.activeCount > 0 { condition.wait() }
    }
  }

  /// Searches parts until there are no more.
  private func searchParts() {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if state.next < state.parts.count {
        let number = state.next
        let part = state.parts[number]
        state.next += 1
        state.activeCount += 1
        condition.unlock()
        let found = part.blocks.words(part.numbers, acceptedBy: search)
        condition.lock()
        state.found[number] = found
        state.activeCount -= 1
        condition.broadcast()
      } else if state.isComplete {
        return
      } else {
        condition.wait()
      }
    }
  }

  private func words(listCount: Int) -> [TermList?] {
    condition.lock()
    defer { condition.unlock() }
    var words = [TermList?](repeating: nil, count: listCount)
    for list in state.lists { words[list] = TermList() }
    for (part, found) in zip(state.parts, state.found) {
      if let found { words[part.list]?.append(0..<found.count, of: found) } else { words[part.list] = nil }
    }
    return words
  }
}
