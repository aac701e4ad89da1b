import DocumentStore

/// The files of an import: their entries in the catalog of sources, and the removal of documents that they no longer
/// contain.
extension ImportWriter {
  func begin(_ file: ImportSource, _ transaction: WriteTransaction) throws {
    var earlier = try SourceCatalog.ids(ofPath: file.path, in: collection.record, transaction.db)
    if let first = earlier.first, earlier.count > 1 {
      try transaction.mergeSources(earlier.dropFirst(), into: first, in: collection.record)
      earlier = [first]
    }
    let id = try transaction.beginSource(
      path: file.path, size: file.size, modified: file.modified, settings: file.settings, in: collection.record)
    source = CurrentSource(id: id, path: file.path, earlier: earlier)
  }

  func end(needsRereading: Bool, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    guard let open = source else { return }
    for earlier in open.earlier { try removeDocuments(of: earlier, replacedBy: open.id, transaction, writer) }
    if !needsRereading, !open.hasRefusals { try transaction.completeSource(open.id) }
    source = nil
  }

  func remove(_ path: String, _ transaction: WriteTransaction, _ writer: CollectionWriter) throws {
    for id in try SourceCatalog.ids(ofPath: path, in: collection.record, transaction.db) {
      try removeDocuments(of: id, replacedBy: nil, transaction, writer)
    }
  }

  /// Removes a source and the documents that still belong to it.
  private func removeDocuments(
    of source: Int64, replacedBy successor: Int64?, _ transaction: WriteTransaction, _ writer: CollectionWriter
  ) throws {
    var count = 0
    for id in try SourceCatalog.documentIDs(of: source, in: collection.record, transaction.db) {
      if try writer.delete(id: id) != nil { count += 1 }
    }
    summary.removedCount += count
    // Files whose documents this source has replaced need to be read again only if a document was removed.
    if count > 0 { summary.reopenedSourceCount += try transaction.reopenSources(replacedBy: source) }
    if let successor { try transaction.inheritReplacements(of: source, by: successor) }
    try transaction.removeSource(source)
  }

  /// Throws if another import has removed the current file from the catalog.
  func requireSource(_ transaction: WriteTransaction) throws {
    guard let source, try !SourceCatalog.exists(source.id, transaction.db) else { return }
    throw StoreError(.conflict, "a file that was being read was removed by another import; import it again")
  }
}
