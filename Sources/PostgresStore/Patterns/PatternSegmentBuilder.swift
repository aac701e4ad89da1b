import Synchronization
import TextIndex
import TrigramIndex

/// Collects documents in memory for a segment of a pattern index, and encodes the list of each trigram.
///
/// Documents may be added in any order. They are sorted by row in portions, and each portion that does not follow the
/// previous one is a separate run; the lists of runs are merged when the segment is written. An import into one shard
/// has one run. Another thread sorts, so that the transaction can add the next documents meanwhile.
final class PatternSegmentBuilder {
  private var pending: [UInt32: DocumentTrigrams] = [:]
  private var pendingSize = 0
  private let sorted = SortedDocuments()
  /// Whether documents were passed to the other thread, so that there are enough for a segment.
  private(set) var hasRuns = false
  private let queue = BoundedSerialQueue(limit: 2)
  private let portionSize: Int

  /// - Parameter portionSize: the number of bytes of pending trigrams after which the documents are sorted.
  init(portionSize: Int = 8 << 20) { self.portionSize = portionSize }

  /// The approximate size in bytes, without documents that are being sorted.
  var size: Int { pendingSize + sorted.size.load(ordering: .relaxed) }

  /// The documents, if there are so few that they need no segment; nil otherwise.
  var few: [UInt32: DocumentTrigrams]? { !hasRuns && pending.count < PatternSegments.smallestSegment ? pending : nil }

  /// Adds a document. If its row was added before, the list of a trigram that only the earlier version has may contain
  /// the row: candidates are verified.
  func add(_ document: DocumentTrigrams, row: UInt32) {
    let replaced = pending.updateValue(document, forKey: row)
    pendingSize += document.bytes.count - (replaced?.bytes.count ?? 0)
    if pendingSize >= portionSize { sortPending() }
  }

  /// The rows of the documents in ascending order.
  func rows() -> [UInt32] { runs().reduce(into: []) { $0 = $0.merged(with: $1.rows) } }

  /// Calls `body` with each trigram, in ascending order, and its list, as ``TrigramList`` encodes it. Nothing may be
  /// added afterwards.
  func forEachList(_ body: (UInt32, [UInt8]) throws -> Void) throws {
    let runs = runs()
    guard runs.count > 1 else {
      try runs.first?.postings.forEachDoclist { try body($0.trigram, TrigramList.encode(doclist: $0.buffer)) }
      return
    }
    var lists: [(run: Int, doclist: TrigramPostings.Doclist)] = []
    for (number, run) in runs.enumerated() { run.postings.forEachDoclist { lists.append((number, $0)) } }
    lists.sort { ($0.doclist.trigram, $0.run) < ($1.doclist.trigram, $1.run) }
    var rest = lists[...]
    while let first = rest.first {
      let same = rest.prefix { $0.doclist.trigram == first.doclist.trigram }
      rest = rest[same.endIndex...]
      let rows = RowDeltas.joined(same.map { RowDeltas.decode(doclist: $0.doclist.buffer) })
      try body(first.doclist.trigram, TrigramList.encode(rows))
    }
  }

  /// Returns the runs of all documents.
  private func runs() -> [SortedDocuments.Run] {
    sortPending()
    queue.wait()
    return sorted.runs
  }

  private func sortPending() {
    guard !pending.isEmpty else { return }
    queue.add { [sorted, pending] in sorted.add(pending) }
    hasRuns = true
    pending = [:]
    pendingSize = 0
  }
}

/// The documents of a ``PatternSegmentBuilder`` in runs.
///
/// `@unchecked Sendable`: only the builder's serial queue uses the runs, until the builder has waited for it.
private final class SortedDocuments: @unchecked Sendable {
  private(set) var runs: [Run] = []
  /// The size in bytes.
  let size = Atomic(0)

  /// Documents in row order.
  struct Run {
    let postings = TrigramPostings()
    var rows: [UInt32] = []
  }

  func add(_ documents: [UInt32: DocumentTrigrams]) {
    guard let first = documents.keys.min() else { return }
    let continues = runs.last?.rows.last.map { $0 < first } ?? false
    if !continues { runs.append(Run()) }
    let run = runs.count - 1
    for (row, document) in documents.sorted(by: { $0.key < $1.key }) {
      document.bytes.withUnsafeBytes { runs[run].postings.add($0, row: Int64(row)) }
      runs[run].rows.append(row)
    }
    size.store(runs.reduce(0) { $0 + $1.postings.size + 4 * $1.rows.count }, ordering: .relaxed)
  }
}

extension TrigramPostings.Doclist {
  fileprivate var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: Int(count)) }
}
