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
    /// The number of helpers that have been asked to search parts.
    var helperCount = 0
  }

  private let search: TypoSearch
  private let maximumHelperCount: Int
  private let condition = NSCondition()
  private var state = State()

  /// The number of blocks of a part, which take about 0.1 ms.
  private static let partSize = 16
  /// The minimum number of blocks for which a helper saves time.
  private static let minimumBlockCount = 4 * partSize
  private static let helperCount = ProcessorCount.active - 1
  private static let helpers = WorkerThreads(maximumCount: helperCount)

  private init(_ search: TypoSearch, maximumHelperCount: Int) {
    (self.search, self.maximumHelperCount) = (search, maximumHelperCount)
  }

  /// Returns the words of each list that a search accepts; nil for a list that is missing or damaged.
  ///
  /// - Parameter read: returns the blocks of a list; nil if it is damaged. It is called on the caller's thread.
  /// - Complexity: O(n) in the number of words, of which 32 with a rejected prefix are skipped at a time.
  static func words(
    of lists: [WordList?], acceptedBy search: TypoSearch, _ read: (WordList) throws -> WordList.Blocks?
  ) rethrows -> [TermList?] {
    let blockCount = lists.reduce(0) { $0 + ($1?.blockCount ?? 0) }
    let work = WordListSearch(search, maximumHelperCount: blockCount < minimumBlockCount ? 0 : helperCount)
    do {
      for (number, list) in lists.enumerated() {
        if let list, let blocks = try list.blocks(read) { work.add(blocks, ofList: number) }
      }
    } catch {
      work.removeParts()
      throw error
    }
    work.finish()
    return work.takeWords(listCount: lists.count)
  }

  /// Adds the parts of a list, and asks helpers to search them.
  private func add(_ blocks: WordList.Blocks, ofList list: Int) {
    let newHelperCount = condition.withLock {
      state.lists.append(list)
      for start in stride(from: 0, to: blocks.ranges.count, by: WordListSearch.partSize) {
        let end = min(start + WordListSearch.partSize, blocks.ranges.count)
        state.parts.append(Part(list: list, blocks: blocks, numbers: start..<end))
        state.found.append(nil)
      }
      let needed = min(maximumHelperCount, state.parts.count - state.next)
      defer { state.helperCount = max(state.helperCount, needed) }
      return max(0, needed - state.helperCount)
    }
    for _ in 0..<newHelperCount {
      WordListSearch.helpers.submit { self.searchParts(asHelper: true) }
    }
  }

  /// Removes all parts. Helpers that have not begun find nothing to search.
  private func removeParts() {
    condition.withLock { (state.parts, state.found, state.next) = ([], [], 0) }
  }

  /// Searches the rest of the parts, and waits for those that helpers search. A helper that has not begun is not waited
  /// for.
  private func finish() {
    searchParts()
    condition.withLock {
      while state.activeCount > 0 { condition.wait() }
    }
  }

  /// Searches parts until there are none.
  private func searchParts(asHelper: Bool = false) {
    condition.lock()
    defer {
      // Under the lock of the last look for parts, so that the next ones are given to another helper.
      if asHelper { state.helperCount -= 1 }
      condition.unlock()
    }
    while state.next < state.parts.count {
      let number = state.next
      let part = state.parts[number]
      state.next += 1
      state.activeCount += 1
      condition.unlock()
      let found = part.blocks.words(part.numbers, acceptedBy: search)
      condition.lock()
      // The parts are removed after an error.
      if number < state.found.count { state.found[number] = found }
      state.activeCount -= 1
      if state.activeCount == 0 { condition.signal() }
    }
  }

  /// Returns the words of each list, and frees the parts.
  private func takeWords(listCount: Int) -> [TermList?] {
    defer { removeParts() }
    return condition.withLock { words(listCount: listCount) }
  }

  private func words(listCount: Int) -> [TermList?] {
    var words = [TermList?](repeating: nil, count: listCount)
    for list in state.lists { words[list] = TermList() }
    for (part, found) in zip(state.parts, state.found) {
      if let found { words[part.list]?.append(0..<found.count, of: found) } else { words[part.list] = nil }
    }
    return words
  }
}
