import Testing

@testable import TextIndex

/// A full-text index in memory: posting lists in dictionaries, blocks of a few postings with bounds, lengths in an
/// array.
///
/// It shares no code with the store of FTS5's tables, but the same code for matching and scoring uses it.
final class MemoryStore: PostingStore {
  /// A document: for each column, the terms at successive positions.
  typealias Document = [[[String]]]

  let columnCount: Int
  let search: SearchState
  /// The number of postings in a block.
  private let blockSize: Int
  /// For each term, the documents that contain it, in row order, with its positions in them.
  private var lists: [String: [(row: UInt32, positions: [TermPosition])]] = [:]
  private(set) var readBlockCount = 0

  init(_ documents: [UInt32: Document], columnCount: Int, blockSize: Int = 4) {
    self.columnCount = columnCount
    self.blockSize = blockSize
    var totals = IndexTotals(columnCount: columnCount)
    totals.rowCount = Int64(documents.count)
    let lengths = MemoryLengths(columnCount: columnCount, rowLimit: Int(documents.keys.max() ?? 0) + 1)
    for (row, columns) in documents.sorted(by: { $0.key < $1.key }) {
      var positionsByTerm: [String: [TermPosition]] = [:]
      for (column, positions) in columns.enumerated() {
        // FTS5 counts several terms at one position as one.
        totals.tokenCounts[column] += Int64(positions.count)
        lengths.set(UInt32(positions.count), row: row, column: column)
        for (position, terms) in positions.enumerated() {
          for term in terms {
            positionsByTerm[term, default: []].append(TermPosition(column: column, position: position))
          }
        }
      }
      for (term, found) in positionsByTerm { lists[term, default: []].append((row, found)) }
    }
    search = SearchState(totals, lengths)
  }

  func postings(_ term: String, withPositions: Bool) -> Postings {
    search.postings.postings(PostingsCache.Key(term: term), withPositions: withPositions) {
      MemoryStore.postings(lists[term] ?? [], withPositions: withPositions)
    }
  }

  func postings(prefix: String, withPositions: Bool) -> Postings {
    var positions: [UInt32: Set<UInt64>] = [:]
    for (term, list) in lists where term.utf8.starts(with: prefix.utf8) {
      for (row, found) in list { positions[row, default: []].formUnion(found.map(\.number)) }
    }
    let list = positions.sorted { $0.key < $1.key }.map { (row: $0, positions: $1.sorted().map { TermPosition($0) }) }
    return MemoryStore.postings(list, withPositions: withPositions)
  }

  func documentFrequency(_ term: String) -> Int { lists[term]?.count ?? 0 }

  func blocks(of term: String, _ reading: LeafReadPolicy) -> FoundBlocks? {
    guard let list = lists[term], list.count >= reading.leafCount * blockSize else { return nil }
    return FoundBlocks(isKnown: false) { [self] in
      let parts = stride(from: 0, to: list.count, by: blockSize).map { start in
        MemoryStore.postings(Array(list[start..<min(start + blockSize, list.count)]), withPositions: false)
      }
      let limit = Int(Double(parts.count) * reading.share)
      var count = 0
      return MemoryBlocks(parts) {
        count += 1
        self.readBlockCount += 1
        return count <= limit
      }
    }
  }

  private static func postings(_ list: [(row: UInt32, positions: [TermPosition])], withPositions: Bool) -> Postings {
    var memory = PostingsStorage(keepingPositions: withPositions)
    var writer = PoslistWriter()
    for (row, positions) in list {
      writer.removeAll()
      for position in positions { writer.append(position) }
      memory.append(row, memory.frequencies(writer.frequencies), writer.bytes.elements)
    }
    return Postings(memory)
  }
}

extension MemoryStore: IndexStore {
  var isChanged: Bool { false }

  func documentCount() -> Int { Int(search.totals.rowCount) }

  func openPostings() -> any PostingStore { self }

  func openTerms() -> any TermSource { MemoryTerms(lists.mapValues(\.count)) }

  func matches(of query: FullTextQuery, _ ranking: ResolvedRanking?) -> MatchedRows {
    Issue.record("the posting lists in memory can always be read")
    return MatchedRows(rows: [])
  }
}

/// All terms of an index with their document frequencies. Every lookup returns all of them, because they are in memory.
private final class MemoryTerms: TermSource {
  private var list = TermList()

  init(_ frequencies: [String: Int]) {
    for (term, frequency) in frequencies.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      Array(term.utf8).withUnsafeBufferPointer { list.append($0, frequency: UInt32(frequency)) }
    }
  }

  func terms(beginningWith prefix: [UInt8]) -> TermList { list }

  func terms(near automaton: LevenshteinAutomaton) -> TermList { list }

  func terms(acceptedBy search: TypoSearch) -> TermList { list }

  func frequencies(prefix: String, _ terms: TermList, _ range: Range<Int>) -> [ScannedFrequencies]? { nil }
}

/// The blocks of a posting list in memory.
private final class MemoryBlocks: PostingBlockList {
  private let parts: [Postings]
  private let mayRead: () -> Bool
  let rest = Postings(PostingsStorage(keepingPositions: false))

  init(_ parts: [Postings], mayRead: @escaping () -> Bool) {
    self.parts = parts
    self.mayRead = mayRead
  }

  var blocks: [PostingBlock] {
    parts.map { PostingBlock(firstRow: $0.rows[0], lastRow: UInt32($0.lastRow)) }
  }

  var documentFrequency: Int { parts.reduce(0) { $0 + $1.count } }

  func bounds(_ scorer: Scorer) -> BlockBounds? {
    let frequencies = parts.map { part in
      let all = (0..<part.count).map { scorer.frequency(part.rows[$0], part.frequencies[$0], part.overflow) }
      return BlockFrequency(maximum: all.max() ?? 0, normalization: scorer.normalization)
    }
    return BlockBounds(frequencies, scorer)
  }

  func postings(ofBlock number: Int) throws -> Postings {
    guard mayRead() else { throw BlocksUnavailable() }
    return parts[number]
  }
}

/// Lengths of documents in memory.
///
/// `@unchecked Sendable`: no lock is needed because the object is filled before it is shared.
private final class MemoryLengths: DocumentLengthSource, @unchecked Sendable {
  let rowLimit: Int
  private let runCount: Int
  private let runs: UnsafeMutablePointer<LengthRunMemory>
  private let memory: UnsafeMutablePointer<UInt32>

  init(columnCount: Int, rowLimit: Int) {
    runCount = rowLimit / LengthColumn.runLength + 1
    self.rowLimit = runCount * LengthColumn.runLength
    memory = .allocate(capacity: columnCount * runCount * LengthColumn.runLength)
    memory.initialize(repeating: 0, count: columnCount * runCount * LengthColumn.runLength)
    runs = .allocate(capacity: columnCount * runCount)
    for run in 0..<(columnCount * runCount) {
      (runs + run).initialize(to: LengthRunMemory(memory + run * LengthColumn.runLength))
    }
  }

  deinit {
    runs.deallocate()
    memory.deallocate()
  }

  func set(_ length: UInt32, row: UInt32, column: Int) {
    memory[column * runCount * LengthColumn.runLength + Int(row)] = length
  }

  func column(_ column: Int) -> LengthColumn {
    LengthColumn(runs: UnsafePointer(runs + column * runCount), runCount: runCount)
  }
}

extension TermPosition {
  /// The number from which `init(_:)` creates this position.
  fileprivate var number: UInt64 { UInt64(column) << 32 | UInt64(position) }
}
