import Foundation

/// A pool of tokenizers: creating one costs more than tokenizing many texts, and a used one has warm caches.
///
/// `@unchecked Sendable`: `idle` is accessed only under `lock`.
final class TokenizerPool: @unchecked Sendable {
  private let lock = NSLock()
  private var idle: [Tokenizer] = []
  /// About 2 MB each.
  private static let keptCount = 4

  func take() -> Tokenizer? { lock.withLock { idle.popLast() } }

  func give(_ tokenizer: Tokenizer) {
    lock.withLock { if idle.count < TokenizerPool.keptCount { idle.append(tokenizer) } }
  }
}
