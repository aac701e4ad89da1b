import TextIndex

/// Collects the postings of documents for a segment on another thread, while the transaction adds more of them. The
/// documents themselves are not kept.
///
/// `@unchecked Sendable`: only the serial queue uses the builder and the failure, until ``finish()`` has waited for it.
/// The batch and the rows belong to the thread of the transaction.
final class SegmentCollector: @unchecked Sendable {
  private let builder: SegmentBuilder
  private var failure: (any Error)?
  private let queue = BoundedSerialQueue(limit: 4)
  /// Documents that are passed on together, because passing takes longer than adding a small document.
  private var batch: [(row: UInt32, document: SegmentBuilder.Document)] = []
  private var batchSize = 0
  /// The rows of all added documents, because a change of one of them needs another segment.
  private var rows: Set<UInt32> = []

  /// The number of bytes of terms after which a batch is passed on.
  private static let batchLimit = 128 << 10

  init(columnCount: Int) { builder = SegmentBuilder(columnCount: columnCount) }

  /// Returns whether a document was added.
  func contains(row: UInt32) -> Bool { rows.contains(row) }

  /// Adds a document, whose row must not have been added before. Waits while too many documents are waiting.
  func add(_ document: SegmentBuilder.Document, row: UInt32) {
    batch.append((row, document))
    rows.insert(row)
    batchSize += document.size
    if batchSize >= SegmentCollector.batchLimit { send() }
  }

  /// Waits until all documents are collected, and returns them.
  func finish() throws -> SegmentBuilder {
    send()
    perform { try $0.sort() }
    queue.wait()
    if let failure { throw failure }
    return builder
  }

  private func send() {
    guard !batch.isEmpty else { return }
    perform { [batch] builder in
      for (row, document) in batch { try builder.add(document, row: row) }
    }
    batch = []
    batchSize = 0
  }

  private func perform(_ body: @escaping @Sendable (SegmentBuilder) throws -> Void) {
    queue.add { [self] in
      guard failure == nil else { return }
      do { try body(builder) } catch { failure = error }
    }
  }
}
