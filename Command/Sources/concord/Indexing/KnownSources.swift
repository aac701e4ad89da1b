import Concordance
import CorpusReader

/// The files that earlier runs have read, for telling what has changed and what is gone.
struct KnownSources {
  /// By the bytes of the path: equal strings in Swift may be two files.
  private var sources: [[UInt8]: ImportSource] = [:]
  /// Files whose reading was cut short, by a crash for instance: what they hold in the database is not what they say.
  private var interrupted: Set<[UInt8]>

  init(of collection: Collection) throws {
    let imported = try collection.importedSources()
    sources.reserveCapacity(imported.count)
    for source in imported { sources[Array(source.path.utf8)] = source }
    interrupted = try Set(collection.interruptedSourcePaths().map { Array($0.utf8) })
  }

  /// The file in the format that it was read in before: a JSON or CSV file that the user named once is a file of records in every
  /// later walk, and one whose records are stored does not turn into text while it is being written.
  func keepingFormat(of file: SourceFile) -> SourceFile {
    guard let known = sources[Array(file.absolutePath.utf8)], let settings = SourceSettings(known.settings),
      settings.format == file.recordFormat ?? file.format, settings.format.holdsRecords
    else { return file }
    let records = file.readAsRecords()
    return settings.isOfRecords ? records.withCertainFormat() : records
  }

  /// Takes a file off the list: it is there.
  ///
  /// - Returns: how it was read, where it is as it was then; nil where it is to be read again.
  mutating func visit(_ file: SourceFile, _ options: CorpusOptions) -> SourceSettings? {
    let path = Array(file.absolutePath.utf8)
    let known = sources.removeValue(forKey: path)
    guard interrupted.remove(path) == nil, let known, known.size == file.size, known.modified == file.modified
    else { return nil }
    let settings = SourceSettings(file, options)
    if known.settings == settings.text { return settings }
    // Reading the file may have told more of it.
    guard let told = SourceSettings(known.settings), told.format == settings.format, told.idField == settings.idField,
      let outcome = told.outcome, outcome != .text || !file.isFormatCertain
    else { return nil }
    return told
  }

  /// The paths of the files that were not visited.
  var unvisited: [String] { interrupted.union(sources.keys).map { String(decoding: $0, as: UTF8.self) } }
}
