import DocumentStore

/// Documents whose ids are already used: which ones are replaced, refused or saved with a numbered id. See
/// ``DocumentImporter`` for the rules.
extension ImportWriter {
  /// Records the file whose document was replaced.
  ///
  /// If the new document is from a file, the recorded file is read again when the new document is removed; otherwise it
  /// is read again by the next import.
  ///
  /// - Returns: whether a document of another origin was replaced.
  func noteReplacement(
    of previous: StoredDocument, isUnchanged: Bool, _ transaction: WriteTransaction
  ) throws -> Bool {
    switch (source, previous.source) {
    case (let source?, let other?):
      guard other != source.id, !source.earlier.contains(other) else { return false }
      try transaction.noteReplacement(winner: source.id, loser: other)
      return true
    case (nil, let other?):
      guard !isUnchanged else { return false }
      try transaction.reopenSource(other)
      return true
    case (_?, nil): return !isUnchanged
    case (nil, nil): return false
    }
  }

  /// Returns whether a document may replace a stored one. See ``DocumentImporter`` for the rules.
  func mayReplace(
    _ stored: StoredDocument, by document: ImportDocument, _ transaction: WriteTransaction
  ) throws -> Bool {
    if let source, let other = stored.source {
      if other == source.id { return false }
      if source.earlier.contains(other) { return true }
    } else {
      if source == nil, savedRows.contains(stored.rowID) { return false }
      if stored.body == document.content.body.bytes { return true }
      if document.keepsCopies { return false }
      if source == nil, stored.source == nil { return true }
    }
    guard let replacing else { return false }
    let storedPath = try stored.source.flatMap { try SourceCatalog.path(of: $0, transaction.db) }
    if stored.source != nil, storedPath == nil { return false }
    // The result is not cached per file, because it may also depend on the id.
    return replacing(ImportDuplicate(id: stored.id, path: source?.path, storedPath: storedPath))
  }

  /// Saves a document with a numbered id: the first free number after the last one.
  func saveCopy(
    _ document: ImportDocument, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    let id = document.alternateID ?? document.id
    var number = copyNumbers[id] ?? 1
    repeat { number += 1 } while try !save(document, id: ImportWriter.numbered(id, number), transaction, writer)
    copyNumbers[id] = number
  }

  /// Returns an id with a number. A long id is shortened, so that the number fits.
  private static func numbered(_ id: String, _ number: Int) -> String {
    let suffix = ":\(number)"
    var base = id
    while base.utf8.count + suffix.utf8.count > DocumentStore.DocumentIDRule.maximumLength { base.removeLast() }
    return base + suffix
  }

  func refuse(_ document: ImportDocument, _ reason: ImportRefusal.Reason) {
    source?.hasRefusals = true
    summary.refusedCount += 1
    guard summary.refusals.count < 100 else { return }
    summary.refusals.append(
      ImportRefusal(id: document.id, location: document.location, source: source?.path, reason: reason))
  }
}
