import Foundation

/// Tokenizers kept for reuse: a new one costs more than many texts, and a used one knows the words of the language.
///
/// `@unchecked Sendable`: `idle` is reached only under `lock`.
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
