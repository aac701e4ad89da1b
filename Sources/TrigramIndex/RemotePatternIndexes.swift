import GRDB
import SQLiteAccess

/// Pattern indexes whose rows are in another database, such as PostgreSQL, in the transaction of a connection. The
/// connection's receiver of announcements implements it.
///
/// A list may contain documents that no longer have the trigram, or that do not exist: every candidate is verified.
package protocol RemotePatternIndexes: AnyObject {
  /// Creates an empty index.
  func createPatternIndex(_ id: Int64) throws

  /// Deletes an index.
  func dropPatternIndex(_ id: Int64) throws

  /// Returns a writer of an index.
  func patternWriter(_ id: Int64) throws -> any RemotePatternWriter

  /// Returns what is needed to choose the lists to read.
  ///
  /// - Parameters:
  ///   - trigrams: the trigrams of the query.
  ///   - withLongDocuments: whether ``RemotePatternSummary/long`` is needed.
  func patternSummary(
    _ id: Int64, of trigrams: Set<UInt32>, withLongDocuments: Bool
  ) throws -> RemotePatternSummary

  /// Returns the documents that may contain each trigram, as ascending rows.
  func patternLists(_ id: Int64, of trigrams: Set<UInt32>) throws -> [UInt32: [UInt32]]

  /// Returns the size of an index in bytes.
  func patternIndexSize(_ id: Int64) throws -> Int
}

/// Adds documents to a pattern index. Documents that are removed remain in it until their segment is merged with one
/// that contains a newer version, or until the index is rebuilt.
package protocol RemotePatternWriter: AnyObject {
  /// Adds a document.
  ///
  /// - Parameters:
  ///   - document: its trigrams. Those of a long document may be repeated, see ``DocumentTrigrams/isLong``.
  func insert(_ document: DocumentTrigrams, rowID: Int64) throws

  /// Writes buffered documents.
  func flush() throws

  /// Discards buffered documents.
  func discard()
}

/// The sizes of the lists of an index, and the documents that are not in lists.
package struct RemotePatternSummary {
  /// The size of the list of each trigram in bytes; no trigram that has no list.
  package var sizes: [UInt32: Int] = [:]
  /// Lists that were read together with the summary, as ascending rows.
  package var lists: [UInt32: [UInt32]] = [:]
  /// Documents whose trigrams are not in lists yet, by ascending rows.
  package var recent: [(row: UInt32, trigrams: [UInt32])] = []
  /// Documents that are indexed in several chunks, as ascending rows.
  package var long: [UInt32] = []

  /// Creates an empty summary.
  package init() {}
}

extension Database {
  /// The pattern indexes of a connection whose indexes are in another database; nil for a file.
  var remotePatternIndexes: (any RemotePatternIndexes)? { announcementReceiver as? any RemotePatternIndexes }
}

extension DocumentTrigrams {
  /// Creates the trigrams of a document that is not long.
  package init(_ trigrams: [UInt32]) {
    bytes.reserveCapacity(trigrams.count * DocumentTrigrams.trigramSize)
    for trigram in trigrams {
      bytes.append(UInt8(truncatingIfNeeded: trigram >> 16))
      bytes.append(UInt8(truncatingIfNeeded: trigram >> 8))
      bytes.append(UInt8(truncatingIfNeeded: trigram))
    }
    if !bytes.isEmpty { ends = [bytes.count] }
  }

  /// Whether the document is indexed in several chunks, so that trigrams that cross lines are missing.
  package var isLong: Bool { ends.count > 1 }

  /// The different trigrams of all chunks, see `Trigram.rawValue`.
  package var trigrams: [UInt32] {
    let all = stride(from: 0, to: bytes.count - bytes.count % 3, by: 3).map { start in
      UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
    }
    // The trigrams of one chunk are different.
    return isLong ? Array(Set(all)) : all
  }
}
