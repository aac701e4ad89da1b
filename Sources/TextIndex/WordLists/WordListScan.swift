import Foundation
import Synchronization

/// Searches word lists for several words on other threads, while the calling thread reads further lists.
final class WordListScan {
  private let searches: [TypoSearch]
  private let queue = DispatchQueue(label: "Concordance words", attributes: .concurrent)
  private let running = DispatchGroup()
  private let results = Results()
  private var listCount = 0

  /// The words that each search accepts, by the numbers of the search and the list. There is no entry for a damaged list.
  private final class Results: Sendable {
    let words = Mutex<[[Int]: TermList]>([:])
  }

  init(_ searches: [TypoSearch]) { self.searches = searches }

  /// Begins to search a list whose blocks are in memory.
  func add(_ list: WordList) {
    for (number, search) in searches.enumerated() {
      queue.async(group: running) { [results, listCount] in
        guard let words = list.words(acceptedBy: search) else { return }
        results.words.withLock { $0[[number, listCount]] = words }
      }
    }
    listCount += 1
  }

  /// Waits until all lists are searched.
  ///
  /// - Returns: for each search the accepted words of each list, in the order in which the lists were added; nil for a list that
  ///   is damaged.
  func finish() -> [[TermList?]] {
    running.wait()
    let words = results.words.withLock { $0 }
    return searches.indices.map { search in (0..<listCount).map { words[[search, $0]] } }
  }
}

@available(*, unavailable)
extension WordListScan: Sendable {}
