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
  /// later walk.
  func keepingFormat(of file: SourceFile) -> SourceFile {
    let records = CorpusFormat(fileName: file.name)
    guard records.holdsRecords, !file.holdsRecords,
      let known = sources[Array(file.absolutePath.utf8)], SourceSettings(known.settings)?.format == records
    else { return file }
    return file.readAsRecords()
  }

  /// Takes a file off the list: it is there.
  ///
  /// - Returns: what it holds, where it is as it was when it was read; nil where it is to be read again.
  mutating func visit(_ file: SourceFile, _ options: CorpusOptions) -> CorpusKinds? {
    let path = Array(file.absolutePath.utf8)
    guard let known = sources.removeValue(forKey: path), interrupted.remove(path) == nil else {
      interrupted.remove(path)
      return nil
    }
    if known == ImportSource(file, options) { return CorpusKinds(file.format) }
    // Only reading a file of records tells that it is text.
    guard file.holdsRecords, !file.isFormatCertain, known == ImportSource(file.readAsText(), options) else {
      return nil
    }
    return .files
  }

  /// The paths of the files that were not visited.
  var unvisited: [String] { interrupted.union(sources.keys).map { String(decoding: $0, as: UTF8.self) } }
}
