import Synchronization

/// Tokenizers kept for reuse: a new one costs more than many texts, and a used one knows the words of the language.
///
/// `@unchecked Sendable`: `idle` is reached only under `lock`.
final class TokenizerPool: @unchecked Sendable {
  private let lock = Mutex(())
  private var idle: [Tokenizer] = []
  /// About 2 MB each.
  private static let keptCount = 4

  func take() -> Tokenizer? { lock.withLock { _ in idle.popLast() } }

  func give(_ tokenizer: Tokenizer) {
    lock.withLock { _ in if idle.count < TokenizerPool.keptCount { idle.append(tokenizer) } }
  }
}
