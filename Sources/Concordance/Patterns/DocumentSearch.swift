import DocumentStore
import GRDB
import LineSearch
import TrigramIndex

/// A running pattern search: its request, its compiled pattern, and the collection to search.
struct DocumentSearch: Sendable {
  let collection: CollectionRecord
  let request: PatternSearchRequest
  let pattern: LinePattern
  let isIncluded: (@Sendable (String) -> Bool)?

  /// The maximum number of documents that one thread searches without helpers.
  static let fewDocuments = 64

  /// Searches the documents, with helper threads if there are many.
  func run<Output: Sendable>(
    in engine: DatabaseEngine, sizeOf: (@Sendable (Output) -> Int)?,
    _ transform: @Sendable (SearchedDocument) throws -> Output?, _ deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    // In a batch, other threads would not see its changes, and would wait for it if they change documents.
    let isNested = engine.store.isReading
    return try withoutActuallyEscaping(transform) { transform in
      // For few documents, starting threads takes longer than searching on a single thread. On PostgreSQL, one
      // connection reads, and a second transaction would read the candidates again.
      let summary = try engine.store.readIndexes { db -> PatternSearchSummary? in
        // Left out before the first statement for them, which would throw an error.
        let servers = try request.allowsPartialResults ? engine.store.missingServers(db) : []
        let (selection, missing) = try selection(engine.patternIndexes(of: collection, db), db)
        let isSmall = selection.count.map { $0 <= DocumentSearch.fewDocuments } ?? false
        guard isSmall || !engine.store.isFile else { return nil }
        var summary = try run(
          in: selection, missing: missing, db,
          isSmall || isNested ? .callingThread : .pipeline(engine.store.helperThreads), sizeOf, transform, deliver)
        summary.missingServers = servers
        return summary
      }
      if let summary { return summary }
      return try engine.store.readInParallel { db, readerPool in
        let (selection, missing) = try selection(engine.patternIndexes(of: collection, db), db)
        return try engine.store.scanning(db) {
          try run(in: selection, missing: missing, db, .readers(readerPool), sizeOf, transform, deliver)
        }
      }
    }
  }

  /// Returns the candidate documents, and the parts of the request that match no document.
  private func selection(
    _ indexes: [TrigramIndex.StoredPatternIndex], _ db: GRDB.Database
  ) throws -> (selection: DocumentSelection, missing: DocumentSelection.Missing) {
    var missing = DocumentSelection.Missing()
    let selection = try DocumentSelection(
      request, isIncluded: isIncluded, DocumentReader(collection, db), missing: &missing)
    guard let candidates = try LineCandidates.rows(request, of: collection, indexes, db) else {
      return (selection, missing)
    }
    return (selection.among(candidates), missing)
  }

  /// The results of a part of the documents.
  private struct PartResult<Output: Sendable>: Sendable {
    var outputs: [Output] = []
    var documentCount = 0
    var byteCount = 0
    /// The error that stopped the search of the part: a timeout.
    var timeout: StoreError?
  }

  /// The threads that search.
  private enum Threads {
    case callingThread
    /// Each thread reads documents and searches them.
    case readers(ReaderPool)
    /// The calling thread reads, and others search.
    case pipeline(WorkerThreads)
  }

  /// Searches the documents.
  private func run<Output: Sendable>(
    in selection: DocumentSelection, missing: DocumentSelection.Missing, _ db: GRDB.Database, _ threads: Threads,
    _ sizeOf: (@Sendable (Output) -> Int)?, _ transform: @escaping @Sendable (SearchedDocument) throws -> Output?,
    _ deliver: (Output) throws -> Bool
  ) throws -> PatternSearchSummary {
    var summary = PatternSearchSummary()
    summary.missingPrefixes = missing.idPrefixes
    summary.missingSourcePaths = missing.sourcePaths
    let parts = try DocumentParts(selection, of: collection, db)
    func take(_ result: PartResult<Output>) throws -> Bool {
      summary.documentCount += result.documentCount
      summary.byteCount += result.byteCount
      for output in result.outputs {
        guard try deliver(output) else { return false }
      }
      if let timeout = result.timeout { throw timeout }
      return true
    }
    switch threads {
    case .callingThread:
      for part in 0..<parts.count {
        guard try take(search(parts, part, db, transform)) else { break }
      }
    case .readers(let readerPool):
      var sizeOfPart: (@Sendable (PartResult<Output>) -> Int)?
      if let sizeOf { sizeOfPart = { part in part.outputs.reduce(0) { $0 + sizeOf($1) } } }
      try readerPool.map(count: parts.count, on: db, sizeOf: sizeOfPart) {
        try search(parts, $0, $1, transform)
      } deliver: {
        try take($0)
      }
    case .pipeline(let threads):
      try withoutActuallyEscaping(take) { take in
        let pipeline = OrderedPipeline(on: threads, { try search($0, transform) }, deliver: take)
        defer { pipeline.cancel() }
        try read(parts, db) { try pipeline.add($0) }
        try pipeline.finish()
      }
    }
    return summary
  }

  /// Searches a part, reading its documents on the same thread.
  private func search<Output: Sendable>(
    _ parts: DocumentParts, _ part: Int, _ db: GRDB.Database,
    _ transform: @escaping @Sendable (SearchedDocument) throws -> Output?
  ) throws -> PartResult<Output> {
    try searchEach(transform) { try parts.forEachDocument(of: part, DocumentReader(collection, db), $0) }
  }

  /// Searches documents that another thread has read.
  private func search<Output: Sendable>(
    _ documents: ReadDocuments, _ transform: @escaping @Sendable (SearchedDocument) throws -> Output?
  ) throws -> PartResult<Output> {
    try searchEach(transform) { try documents.forEach($0) }
  }

  /// Searches the documents with which `forEachDocument` calls its argument.
  private func searchEach<Output: Sendable>(
    _ transform: @escaping @Sendable (SearchedDocument) throws -> Output?,
    _ forEachDocument: ((UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool) throws -> Void
  ) throws -> PartResult<Output> {
    let worker = try DocumentSearcher(request, pattern)
    var result = PartResult<Output>()
    let deadline = Deadline.current
    try forEachDocument { id, body in
      let output = try worker.search(id: id, body: body, transform)
      // An error that matching reports after the deadline is a timeout, not an error of the document.
      result.timeout = deadline?.expiration
      if result.timeout != nil { return false }
      if let output { result.outputs.append(output) }
      return true
    }
    result.documentCount = worker.documentCount
    result.byteCount = worker.byteCount
    return result
  }

  /// Reads all parts and calls `add` with their documents, some at a time, until it returns false.
  private func read(_ parts: DocumentParts, _ db: GRDB.Database, _ add: (ReadDocuments) throws -> Bool) throws {
    let reader = DocumentReader(collection, db)
    var documents = ReadDocuments()
    var continues = true
    for part in 0..<parts.count where continues {
      try parts.forEachDocument(of: part, reader) { id, body in
        documents.append(id, body)
        if documents.isFull {
          continues = try add(documents)
          documents = ReadDocuments()
        }
        return continues
      }
    }
    if continues, !documents.isEmpty { _ = try add(documents) }
  }
}
