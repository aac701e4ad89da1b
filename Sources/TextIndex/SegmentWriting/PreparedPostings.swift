/// The postings of new documents that are collected and encoded before the transaction that saves the documents. The
/// rows are those that the documents will probably have, so that the transaction only stores the finished leaves.
///
/// The rows ascend without gaps. If the transaction assigns another row to a document, it does not use the prepared
/// postings, and adds its documents to other ones; see ``ChangeBuffer/insert(row:from:)``.
///
/// `@unchecked Sendable`: one thread adds documents until ``finish()``. Afterwards, nothing changes, and the queue that
/// passes the documents to the thread of the transaction has a lock.
package final class PreparedPostings<Document: Sendable>: @unchecked Sendable {
  /// The row of the first document.
  let firstRow: Int64
  /// The page size of the FTS5 table when the preparation began.
  let pageSize: Int
  /// The documents, in the order of their rows.
  private(set) var documents: [SizedDocument] = []
  /// The lengths of the documents, which are copied while they are in the cache of the processor.
  private(set) var lengths: DocumentLengthList
  /// The number of bytes of the terms of all documents.
  private(set) var termsSize = 0
  /// The finished leaves; nil until ``finish()``. One transaction can receive them.
  private(set) var encoding: SegmentEncoding?
  private var builder: PostingsBuilder<Document>?

  /// A document and the number of bytes of its terms.
  struct SizedDocument {
    let document: Document
    let size: Int
  }

  /// - Parameters:
  ///   - columnCount: the number of columns of the FTS5 table.
  ///   - memory: the memory for the postings in bytes, which limits the terms that wait.
  ///   - pool: the table of postings of earlier segments.
  ///   - addTerms: adds the terms of a document to a table of postings, on another thread.
  init(
    firstRow: Int64, pageSize: Int, columnCount: Int, memory: Int, from pool: PostingsPool,
    addTerms: @escaping @Sendable (Document, _ row: Int64, PostingsHash) -> Void
  ) {
    self.firstRow = firstRow
    self.pageSize = pageSize
    lengths = DocumentLengthList(columnCount: columnCount)
    builder = PostingsBuilder(from: pool, memory: memory, addTerms: addTerms)
  }

  /// The memory that the postings use, in bytes, without the documents that wait.
  package var size: Int { builder?.size ?? 0 }

  /// The row of the next document, after those of all documents.
  var endRow: Int64 { firstRow + Int64(documents.count) }

  /// Adds the next document, whose row is ``endRow``. Waits while too many documents wait for the other thread.
  ///
  /// - Parameters:
  ///   - size: the number of bytes of its terms.
  ///   - lengths: the number of positions of each column.
  func append(_ document: Document, size: Int, lengths: some Collection<UInt32>) {
    builder?.add(document, row: endRow, size: size)
    self.lengths.insert(lengths, row: endRow)
    documents.append(SizedDocument(document: document, size: size))
    termsSize += size
  }

  /// Starts to encode the postings.
  package func finish() {
    encoding = builder?.encode(segment: 0, pageSize: pageSize, capacity: .max)
    builder = nil
  }
}
