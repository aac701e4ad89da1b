@_spi(Command) import Concordance
import CorpusReader

/// The files that earlier runs have read, to detect changed and deleted files.
struct IndexedSources {
  /// Keyed by the bytes of the path because equal Swift strings may name two files.
  private var sources: [[UInt8]: ImportSource] = [:]
  /// Files whose reading was interrupted, for example by a crash, and files with rejected records: their documents are
  /// incomplete.
  private var interrupted: [[UInt8]: ImportSource] = [:]

  init(of collection: Collection) throws {
    let imported = try collection.importedSources()
    sources.reserveCapacity(imported.count)
    for source in imported { sources[Array(source.path.utf8)] = source }
    for source in try collection.interruptedSources() { interrupted[Array(source.path.utf8)] = source }
  }

  /// Returns the file with the format in which it was read before: a JSON or CSV file that the user named once remains
  /// a file of records in later walks, and a file whose records are stored does not become text while it is being
  /// written.
  func keepingFormat(of file: SourceFile) -> SourceFile {
    let path = Array(file.absolutePath.utf8)
    guard let known = sources[path] ?? interrupted[path], let settings = SourceSettings(known.settings),
      settings.format == file.recordFormat ?? file.format, settings.format.holdsRecords
    else { return file }
    let records = file.readAsRecords()
    return settings.isOfRecords ? records.withCertainFormat() : records
  }

  /// Removes an existing file from the list.
  ///
  /// - Returns: the settings with which the file was read, if it is unchanged; nil if it must be read again.
  mutating func visit(_ file: SourceFile, _ options: CorpusOptions) -> SourceSettings? {
    let path = Array(file.absolutePath.utf8)
    let known = sources.removeValue(forKey: path)
    guard interrupted.removeValue(forKey: path) == nil, let known, known.size == file.size,
      known.modified == file.modified
    else { return nil }
    let settings = SourceSettings(file, options)
    if known.settings == settings.text { return settings }
    // The stored settings may contain an outcome that only reading the file reveals.
    guard let storedSettings = SourceSettings(known.settings), storedSettings.format == settings.format,
      storedSettings.idField == settings.idField, storedSettings.extractor == settings.extractor,
      storedSettings.language == settings.language,
      let outcome = storedSettings.outcome, outcome != .text || !file.isFormatCertain
    else { return nil }
    return storedSettings
  }

  /// The paths of the files that were not visited.
  var unvisited: [String] { Set(interrupted.keys).union(sources.keys).map { String(decoding: $0, as: UTF8.self) } }
}
