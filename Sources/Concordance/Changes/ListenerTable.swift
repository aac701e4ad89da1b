import DocumentStore
import JSONText

/// The listeners of a database by collection and document, and the position up to which each collection has been read.
struct ListenerTable {
  private struct Entry {
    /// The sequence number of the last change that was delivered.
    var position: Int64
    /// Whether the collection existed when its changes were read. A collection that was created in an open batch does
    /// not exist yet.
    var wasFound: Bool
    var collectionListeners: [ChangeListener] = []
    var documentListeners: [ExactString: [ChangeListener]] = [:]
    /// For each observed document, the sequence numbers of announced changes that have not been read from the file yet,
    /// in ascending order.
    var announced: [ExactString: [Int64]] = [:]

    var isEmpty: Bool { collectionListeners.isEmpty && documentListeners.isEmpty }
    var all: [ChangeListener] { collectionListeners + documentListeners.values.flatMap { $0 } }
  }

  private var entries: [CollectionRecord: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// The observed collections, and the sequence number of the last delivered change to each.
  var positions: [(collection: CollectionRecord, position: Int64)] { entries.map { ($0.key, $0.value.position) } }

  mutating func add(_ listener: ChangeListener, isCommitted: Bool) {
    var entry =
      entries[listener.collection] ?? Entry(position: listener.start, wasFound: isCommitted)
    if let id = listener.documentID.map({ ExactString($0) }) {
      entry.documentListeners[id, default: []].append(listener)
    } else {
      entry.collectionListeners.append(listener)
    }
    entries[listener.collection] = entry
  }

  mutating func remove(_ listener: ChangeListener) {
    guard var entry = entries.removeValue(forKey: listener.collection) else { return }
    if let id = listener.documentID.map({ ExactString($0) }) {
      entry.documentListeners[id]?.removeAll { $0 === listener }
      if entry.documentListeners[id]?.isEmpty == true {
        entry.documentListeners[id] = nil
        entry.announced[id] = nil
      }
    } else {
      entry.collectionListeners.removeAll { $0 === listener }
    }
    if !entry.isEmpty { entries[listener.collection] = entry }
  }

  /// Records changes that are about to be committed, for the listeners of their documents.
  mutating func announce(_ revisions: [DocumentRevision]) {
    for revision in revisions {
      edit(revision) { sequences in
        // The number is limited, like that of the pending ids of a `ChangeListener`.
        if sequences.count < ListenerTable.announcementLimit { sequences.append(revision.sequence) }
      }
    }
  }

  /// Removes announced changes that were not committed.
  mutating func withdraw(_ revisions: [DocumentRevision]) {
    for revision in revisions {
      edit(revision) { sequences in sequences.removeAll { $0 == revision.sequence } }
    }
  }

  private mutating func edit(_ revision: DocumentRevision, _ body: (inout [Int64]) -> Void) {
    let id = ExactString(revision.document.id)
    guard let collection = entries.keys.first(where: { $0.id == revision.document.collection }),
      entries[collection]?.documentListeners[id] != nil
    else { return }
    body(&entries[collection, default: Entry(position: 0, wasFound: false)].announced[id, default: []])
  }

  private static let announcementLimit = 1 << 16

  /// Removes all listeners and returns them.
  mutating func removeAll() -> [ChangeListener] {
    defer { entries = [:] }
    return entries.values.flatMap(\.all)
  }

  /// Removes and returns the listeners of a collection that was deleted. A collection that was never found may be part
  /// of a batch that is not committed yet, so its listeners remain.
  mutating func removeListeners(of collection: CollectionRecord) -> [ChangeListener] {
    guard entries[collection]?.wasFound == true else { return [] }
    return entries.removeValue(forKey: collection)?.all ?? []
  }

  /// Removes and returns the listeners of a collection that was never found, because the batch that created it was
  /// rolled back.
  mutating func removeListeners(ofRolledBack collection: CollectionRecord) -> [ChangeListener] {
    guard entries[collection]?.wasFound == false else { return [] }
    return entries.removeValue(forKey: collection)?.all ?? []
  }

  /// Records that a collection exists. Returns its listeners if it was not found before.
  mutating func noteFound(_ collection: CollectionRecord) -> [ChangeListener] {
    guard let entry = entries[collection], !entry.wasFound else { return [] }
    entries[collection]?.wasFound = true
    return entry.all
  }

  /// Advances the position of a collection.
  ///
  /// - Parameter changes: all changes after the current position.
  /// - Returns: the ids to deliver to each listener.
  mutating func advance(
    _ collection: CollectionRecord, by changes: [ChangedDocument]
  ) -> [(listener: ChangeListener, ids: [String])] {
    guard let last = changes.last, let entry = entries[collection] else { return [] }
    entries[collection]?.position = last.sequence
    let ids = changes.map(\.id)
    var deliveries: [(ChangeListener, [String])] = []
    for listener in entry.collectionListeners {
      // A listener does not receive changes from before it was added.
      let isLate = changes.first.map { $0.sequence <= listener.start } ?? true
      let wanted = isLate ? changes.filter { $0.sequence > listener.start }.map(\.id) : ids
      if !wanted.isEmpty { deliveries.append((listener, wanted)) }
    }
    guard !entry.documentListeners.isEmpty else { return deliveries }
    for change in changes {
      guard let listeners = entry.documentListeners[ExactString(change.id)] else { continue }
      let sequences = takeAnnounced(change, of: collection)
      for listener in listeners {
        let count = sequences.count { $0 > listener.start }
        if count > 0 { deliveries.append((listener, Array(repeating: change.id, count: count))) }
      }
    }
    return deliveries
  }

  /// Removes and returns the sequence numbers of the announced changes to a document, up to a change that was read from
  /// the file. That change is always included, because another process may have made it without announcing it.
  private mutating func takeAnnounced(_ change: ChangedDocument, of collection: CollectionRecord) -> [Int64] {
    let id = ExactString(change.id)
    let announced = entries[collection]?.announced.removeValue(forKey: id) ?? []
    let later = announced.filter { $0 > change.sequence }
    if !later.isEmpty { entries[collection]?.announced[id] = later }
    return announced.filter { $0 < change.sequence } + [change.sequence]
  }
}
