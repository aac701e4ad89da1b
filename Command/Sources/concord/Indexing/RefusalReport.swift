@_spi(Command) import Concordance
import CorpusReader
import Foundation

/// Reports the documents that an import rejected, each with its location and that of the document that already has its
/// id.
struct RefusalReport {
  /// The maximum number of documents listed; the rest are counted.
  private static let maximumCount = 20

  private let collection: Collection
  /// The property that holds the ids, if it was named.
  private let idField: String?
  private let problems: ProblemLog
  private let messages: Messages

  init(collection: Collection, idField: String?, problems: ProblemLog, _ messages: Messages) {
    self.collection = collection
    self.idField = idField
    self.problems = problems
    self.messages = messages
  }

  func report(_ summary: ImportSummary) throws {
    guard summary.refusedCount > 0 else { return }
    let shown = Array(summary.refusals.prefix(RefusalReport.maximumCount))
    let locations = try locations(of: shown)
    for refusal in shown {
      messages.error("\(refusal.location ?? refusal.id): \(reason(refusal, locations)); the document was not saved")
    }
    problems.add(errorCount: summary.refusedCount)
    if summary.refusedCount > shown.count {
      messages.error("\(Quantity.count(summary.refusedCount - shown.count, "more document")) could not be saved")
    }
    if shown.contains(where: { $0.reason == .storedDocument }) {
      messages.warning(
        "to replace the stored documents that were not read from files, use --replace")
    }
    if shown.contains(where: \.isDuplicate) {
      let cause =
        idField.map { "each record needs a unique id, but records have the same \($0): name another property" }
        ?? "each record needs a unique id: name the property that holds it"
      messages.warning("\(cause) with --id-field, or index each file into a separate collection with -c")
    }
  }

  private func reason(_ refusal: ImportRefusal, _ locations: [Key: String]) -> String {
    switch refusal.reason {
    case .missingBlob(let message): return message
    case .storedDocument:
      return "the id \"\(refusal.id)\" already belongs to a different document that was not read from a file"
    case .duplicateID(let source):
      let other = locations[Key(source: source, id: refusal.id)] ?? source.map(FilePath.relative)
      return "the id \"\(refusal.id)\" already belongs to \(other ?? "another document of the same input")"
    }
  }

  private struct Key: Hashable {
    let source: String?
    let id: String
  }

  /// Returns the locations of the documents whose ids were duplicated. The database stores their files; the lines are
  /// found by reading the files again.
  private func locations(of refusals: [ImportRefusal]) throws -> [Key: String] {
    var wanted: [String: Set<String>] = [:]
    for refusal in refusals {
      if case .duplicateID(let source?) = refusal.reason { wanted[source, default: []].insert(refusal.id) }
    }
    var locations: [Key: String] = [:]
    for (path, ids) in wanted {
      for (id, location) in try RecordLocations.find(ids, in: path, collection) {
        locations[Key(source: path, id: id)] = location
      }
    }
    return locations
  }
}

extension ImportRefusal {
  fileprivate var isDuplicate: Bool { if case .duplicateID = reason { true } else { false } }
}

/// Finds records in a file by their ids.
private enum RecordLocations {
  private struct Stop: Error {}

  static func find(_ ids: Set<String>, in path: String, _ collection: Collection) throws -> [String: String] {
    let known = try collection.importedSource(ofPath: path)
    guard let settings = known.flatMap({ SourceSettings($0.settings) }), let known else { return [:] }
    var options = CorpusOptions()
    options.idField = settings.idField
    let shown = FilePath.relative(path)
    let file = SourceFile(
      path: shown, absolutePath: path, size: known.size, modified: known.modified, format: settings.format,
      isFormatCertain: settings.isOfRecords)
    let reader = try CorpusReader.CorpusFileReader(
      options: options, checkID: DocumentImporter.checkID, extractor: ExtractWorkerCommand.extractor())
    var found: [String: String] = [:]
    do {
      try reader.read(reader.checkingFormat(of: file) { _ in }) { document, _ in
        let id = DocumentIdentity.id(document.id)
        if ids.contains(id), found[id] == nil { found[id] = document.location(in: shown) }
        if found.count == ids.count { throw Stop() }
      } problem: { _ in
      }
    } catch is Stop {}
    return found
  }
}
