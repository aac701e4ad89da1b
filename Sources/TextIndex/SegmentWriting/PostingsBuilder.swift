import Foundation
import Synchronization

/// Adds documents to a table of postings on a separate queue, and encodes the table as a segment. The thread of the
/// transaction stores other documents and the finished leaves at the same time.
final class PostingsBuilder<Document: Sendable> {
  typealias Addition = @Sendable (Document, _ row: Int64, PostingsHash) -> Void

  /// Documents that are sent to the queue together, because sending takes longer than adding a small document.
  private typealias Batch = [(document: Document, row: Int64)]

  private let addTerms: Addition
  private let queue = DispatchQueue(label: "Concordance postings")
  private let table: SharedTable
  private let pool: PostingsPool
  /// Limits the number of batches that wait, so that their documents do not fill the memory.
  private let vacancies: DispatchSemaphore
  private var batch: Batch = []
  private var batchSize = 0

  /// - Parameters:
  ///   - pool: provides the table, and receives it when it was encoded without an error.
  ///   - memory: the number of bytes of postings in a segment. The terms that wait take at most a quarter of it, and at
  ///     most 8 MiB.
  ///   - addTerms: adds the terms of a document to a table; called on the queue, in the order of the documents.
  init(from pool: PostingsPool, memory: Int, addTerms: @escaping Addition) {
    self.addTerms = addTerms
    self.pool = pool
    vacancies = DispatchSemaphore(value: max(1, min(postingsBatchLimit, memory / 4 / postingsBatchSize)))
    table = pool.take()
  }

  /// The memory that the table uses, in bytes, without the documents that wait.
  var size: Int { table.size.load(ordering: .relaxed) }

  /// Adds a document. Waits while too many documents are on the queue.
  ///
  /// - Parameter size: the number of bytes of its terms.
  func add(_ document: Document, row: Int64, size: Int) {
    batch.append((document, row))
    batchSize += size
    if batchSize >= postingsBatchSize { send() }
  }

  /// Starts to encode the postings as a segment. Nothing may be added afterwards.
  ///
  /// - Parameters:
  ///   - segment: the number of the segment.
  ///   - pageSize: the page size of the FTS5 table.
  ///   - capacity: the maximum number of finished parts that wait.
  func encode(segment: Int64, pageSize: Int, capacity: Int = SegmentEncoding.defaultCapacity) -> SegmentEncoding {
    send()
    let encoding = SegmentEncoding(capacity: capacity)
    queue.async { [table, pool] in
      encoding.run(segment: segment, pageSize: pageSize, detail: table.postings.detail) { leaves in
        try table.postings.write(to: &leaves)
        // Before the last part is sent, after which the transaction may begin the next segment. Not after an error: the
        // transaction ends, and may already have freed the memory of the pool.
        pool.put(table)
      }
    }
    return encoding
  }

  private func send() {
    guard !batch.isEmpty else { return }
    vacancies.wait()
    queue.async { [batch, addTerms, table, vacancies] in
      for (document, row) in batch { addTerms(document, row, table.postings) }
      table.size.store(table.postings.size, ordering: .relaxed)
      vacancies.signal()
    }
    batch = []
    batchSize = 0
  }
}

/// The maximum number of batches that wait for the queue, 8 MiB of terms. Adding postings takes longer than storing small
/// documents. The thread of the transaction stores the lengths of all documents while the last batches are added.
private let postingsBatchLimit = 64
/// The number of bytes of terms after which a batch is sent.
private let postingsBatchSize = 128 << 10

/// A table of postings whose memory the next segment uses, because clearing new memory takes longer than adding postings to it.
final class PostingsPool: Sendable {
  private let detail: PostingsHash.Detail
  private let table = Mutex<SharedTable?>(nil)

  init(_ detail: PostingsHash.Detail) { self.detail = detail }

  fileprivate func take() -> SharedTable {
    table.withLock { table in
      defer { table = nil }
      return table
    } ?? SharedTable(detail)
  }

  /// Frees the memory.
  func removeAll() { table.withLock { $0 = nil } }

  fileprivate func put(_ table: SharedTable) {
    table.postings.removeAll()
    table.size.store(0, ordering: .relaxed)
    self.table.withLock { $0 = table }
  }
}

/// A table of postings, which only the serial queue of one ``PostingsBuilder`` uses at a time.
private final class SharedTable: @unchecked Sendable {
  let postings: PostingsHash
  let size = Atomic(0)

  init(_ detail: PostingsHash.Detail) { postings = PostingsHash(detail) }
}
