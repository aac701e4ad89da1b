import Foundation
public import GRDB
import SQLiteAccess

/// Stores the missing word lists of an index's segments; see ``WordListFormat``.
struct WordListWriter {
  private let table: FullTextTable
  private let db: Database

  /// The minimum number of leaves, on which terms begin, of a segment with a list. Other segments are read quickly.
  static let minimumLeafCount = 64

  /// - Parameter db: the writing connection, in a transaction that has no unwritten changes to the index.
  init(_ table: FullTextTable, _ db: Database) {
    self.table = table
    self.db = db
  }

  /// Writes the missing lists, except those of segments that FTS5 is merging: their leaves change with every
  /// transaction.
  ///
  /// - Throws: ``FTS5FallbackRequired`` if FTS5's format is unknown; ``DoclistCorruption`` if a segment is damaged, after
  ///   the lists of the other segments were written; `DatabaseError`.
  /// - Complexity: O(v) in the number of terms of the segments without a list.
  func run(minimumLeafCount: Int = WordListWriter.minimumLeafCount) throws {
    let reader = try SegmentTerms(table, db)
    var waiting = try missingLists(reader, minimumLeafCount: minimumLeafCount)[...]
    guard !waiting.isEmpty else { return }
    try UntrustedSchemaSettings.withoutDefense(db) {
      // In defensive mode, SQLite rejects these statements when they are prepared, not when they run.
      let removal = try SQLStatement(cached: "DELETE FROM \(table.name)_data WHERE id >= ? AND id < ?", in: db)
      let insertion = try SQLStatement(cached: "INSERT INTO \(table.name)_data (id, block) VALUES (?, ?)", in: db)
      var (encoded, damage): ([MissingList], DoclistCorruption?) = ([], nil)
      while !waiting.isEmpty || !encoded.isEmpty {
        while encoded.count < maximumTaskCount, let list = waiting.popFirst() {
          try remove(list.leaves.segment, removal)
          encoded.append(list)
        }
        var unfinished: [MissingList] = []
        for var list in encoded {
          do {
            try list.sendLeaves(reader)
            try store(list.task.takeFinished(), insertion)
            if !list.isSent { unfinished.append(list) }
          } catch let error as DoclistCorruption {
            damage = damage ?? error
            try remove(list.leaves.segment, removal)
          }
        }
        encoded = unfinished
      }
      if let damage { throw damage }
    }
  }

  /// The maximum number of lists that are encoded at the same time: one for each processor.
  private var maximumTaskCount: Int { max(2, ProcessInfo.processInfo.activeProcessorCount) }

  private func missingLists(_ reader: SegmentTerms, minimumLeafCount: Int) throws -> [MissingList] {
    let lists = try WordListReader(table.name, db)
    let levels = try SegmentLevels(DoclistFormat.block(DoclistFormat.structureID, table: table.name, db))
    var missing: [MissingList] = []
    for segment in levels.completeSegments where try lists.list(of: segment) == nil {
      let leaves = try reader.leaves(of: segment)
      guard leaves.count >= minimumLeafCount, let checksum = try lists.firstLeafChecksum(of: segment) else { continue }
      missing.append(MissingList(leaves, firstLeafChecksum: checksum, pageSize: reader.pageSize))
    }
    return missing
  }

  /// Removes the list of another segment that had the same number.
  private func remove(_ segment: SegmentStructure.Segment, _ statement: SQLStatement) throws {
    let ids = WordListFormat.ids(in: segment)
    statement.bind(1, ids.lowerBound)
    statement.bind(2, ids.upperBound)
    try statement.run()
  }

  private func store(_ blocks: [WordListTask.Block], _ statement: SQLStatement) throws {
    for block in blocks {
      statement.bind(1, block.id)
      try block.bytes.withUnsafeBytes { bytes in
        statement.bind(2, blob: bytes)
        try statement.run()
      }
    }
  }
}

/// A word list that is encoded, and the leaves of its segment that were sent.
private struct MissingList {
  let leaves: TermLeaves
  let task: WordListTask
  private let firstLeafChecksum: UInt64
  private var sentCount = 0

  init(_ leaves: TermLeaves, firstLeafChecksum: UInt64, pageSize: Int) {
    self.leaves = leaves
    self.firstLeafChecksum = firstLeafChecksum
    task = WordListTask(leaves.segment, pageSize: pageSize)
  }

  /// Whether all leaves were sent.
  var isSent: Bool { sentCount == leaves.count }

  /// Sends the next leaves. After the last ones, waits until the list is encoded.
  mutating func sendLeaves(_ reader: SegmentTerms) throws {
    var part = SegmentPart()
    while !isSent, !part.isFull {
      let number = leaves.numbers[sentCount]
      try reader.read(number, of: leaves.segment) { part.appendBlock(number, UnsafeRawBufferPointer($0)) }
      sentCount += 1
    }
    task.add(part)
    if isSent {
      task.finish(firstLeafChecksum: firstLeafChecksum)
      task.wait()
    }
  }
}

extension FullTextCatalog {
  /// Stores the missing word lists of an index, so that corrections of words read only their blocks. Call it after
  /// large changes. Results do not depend on the lists, and unchanged segments keep theirs.
  ///
  /// The lists of segments that cannot be read are not written.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - db: the writing connection, in a transaction without unwritten changes to the index.
  /// - Throws: `DatabaseError`.
  public static func writeWordLists(of index: StoredFullTextIndex, _ db: Database) throws {
    try writeDerived(of: index, db) {
      try WordListWriter(index.table, db).run()
    }
  }
}
