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

  /// Returns the documents that may contain trigrams.
  func patternLists(_ id: Int64, of trigrams: Set<UInt32>) throws -> RemotePatternLists

  /// Returns the size of an index in bytes.
  func patternIndexSize(_ id: Int64) throws -> Int
}

/// Adds documents to a pattern index. Documents that are removed remain in it until the index is rebuilt.
package protocol RemotePatternWriter: AnyObject {
  /// Adds a document.
  ///
  /// - Parameters:
  ///   - trigrams: its trigrams, see `Trigram.rawValue`.
  ///   - isLong: whether the document is indexed in several chunks, so that trigrams that cross lines are missing.
  func insert(_ trigrams: Set<UInt32>, isLong: Bool, rowID: Int64) throws

  /// Writes buffered documents.
  func flush() throws

  /// Discards buffered documents.
  func discard()
}

/// The documents that may contain trigrams, as ascending rows.
package struct RemotePatternLists {
  /// The documents of each trigram.
  package var lists: [UInt32: [UInt32]] = [:]
  /// Documents whose trigrams are not in lists yet.
  package var unlisted: [UInt32] = []
  /// Documents that are indexed in several chunks.
  package var long: [UInt32] = []

  /// Creates empty lists.
  package init() {}
}

extension Database {
  /// The pattern indexes of a connection whose indexes are in another database; nil for a file.
  var remotePatternIndexes: (any RemotePatternIndexes)? { announcementReceiver as? any RemotePatternIndexes }
}

extension DocumentTrigrams {
  /// The trigrams of all chunks.
  var trigrams: Set<UInt32> {
    var trigrams: Set<UInt32> = []
    for start in stride(from: 0, to: bytes.count - bytes.count % 3, by: 3) {
      let (high, middle, low) = (UInt32(bytes[start]), UInt32(bytes[start + 1]), UInt32(bytes[start + 2]))
      trigrams.insert(high << 16 | middle << 8 | low)
    }
    return trigrams
  }
}
