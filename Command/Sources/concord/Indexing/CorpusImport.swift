@_spi(Command) import Concordance
import CorpusReader
import Foundation
import JSONText

/// Reads files into the collection. The importer is created for the first document, because the index must be prepared
/// first, and its fields depend on the content of the standard input.
final class CorpusImport {
  /// The statistics of the import; complete after ``finish()``.
  private(set) var summary = ImportSummary()
  /// The number of files read, and their bytes. Skipped files are not counted.
  private(set) var readFileCount = 0
  private(set) var byteCount: Int64 = 0

  /// The languages of the documents, if they are detected.
  private(set) var languages: Set<String> = []

  private let collection: Collection
  private let options: CorpusOptions
  private let reader: CorpusReader.CorpusFileReader
  private let problems: ProblemLog
  private let progress: IndexProgress
  private let messages: Messages
  private var importer: DocumentImporter?
  private let displayPaths = DisplayPaths()
  private let replacesStored: Bool

  /// - Parameter replacesStored: whether documents read from files replace different documents with the same ids that
  ///   are not read from files, and vice versa.
  init(
    into collection: Collection, options: CorpusOptions, replacesStored: Bool = false, problems: ProblemLog,
    progress: IndexProgress, messages: Messages
  ) throws {
    self.replacesStored = replacesStored
    self.collection = collection
    self.options = options
    self.problems = problems
    self.progress = progress
    self.messages = messages
    reader = try CorpusReader.CorpusFileReader(
      options: options, checkID: DocumentImporter.checkID, extractor: ExtractWorkerCommand.extractor())
  }

  /// Returns the file, changed to a text file if it does not parse as the format of its name. Called before the index
  /// is prepared because the fields of the index depend on the content of the files.
  func checkingFormat(of file: SourceFile) -> SourceFile {
    reader.checkingFormat(of: file) { problems.add($0, expected: file.format) }
  }

  /// Announces the files that will be read, in this order.
  func prepare(_ files: [SourceFile]) { reader.prepare(files) }

  /// Reads a file and replaces its documents in the database.
  func read(_ file: SourceFile) throws {
    messages.detail(file.path)
    progress.beginFile(size: file.size)
    defer { progress.endFile() }
    var outcome: SourceSettings.Outcome? = file.format == file.nominalFormat ? nil : .text
    displayPaths.add(file)
    var isBegun = false
    var isCutShort = false
    var hasErrors = false
    var isSkipped = false
    // Called with the first document, so that a file that cannot be opened keeps its documents.
    func begin() throws {
      guard !isBegun else { return }
      try started().begin(ImportSource(file, options, outcome: outcome))
      isBegun = true
    }
    try reader.read(file) { document, root in
      if document.line == 1, file.format == .jsonl, root["_concordance"] != nil {
        messages.warning(
          "\(file.path) is an export of a database, whose lines become records here; concord import restores it")
      }
      try begin()
      try add(document, root, path: file.path)
    } problem: { reported in
      let problem = cutsShort(reported, file, isBegun: isBegun) ? reported.asIncomplete : reported
      if [.unreadable, .missing, .incomplete].contains(problem.kind) { isCutShort = true }
      if problem.isError { hasErrors = true }
      if let kind = problem.skippedKind {
        isSkipped = true
        if problem.line == nil { outcome = .skipped(kind) }
      } else if problem.kind == .frontMatter, problem.path == file.path {
        // The front matter of a member of an archive is not that of the file.
        outcome = .frontMatter
      }
      problems.add(problem)
    }
    // A file without a readable record keeps its stored documents.
    if isCutShort || (hasErrors && !isBegun) {
      if isBegun { try started().abandonSource() }
      return
    }
    let hasDocuments = isBegun
    // A file without documents, such as a binary file, is also recorded, so that it is not opened again.
    try begin()
    // A file with errors is read again in every run, so that each run reports the errors and has the same exit status.
    try started().endSource(needsRereading: hasErrors)
    // Some records of a file of records may be skipped.
    guard hasDocuments || !isSkipped else { return }
    readFileCount += 1
    byteCount = .saturatingSum(byteCount, file.size)
  }

  /// Returns whether the stored documents of a file must be kept despite a problem with the whole file, because the
  /// file may still contain them: either reading ended early, or the compressed data was damaged after an earlier run.
  private func cutsShort(_ problem: CorpusProblem, _ file: SourceFile, isBegun: Bool) -> Bool {
    guard problem.line == nil else { return false }
    switch problem.kind {
    case .damaged where !isBegun: break
    case .damaged, .tooLarge, .binary, .notUTF8: return isBegun
    case .missing, .unreadable, .incomplete, .invalidRecord, .frontMatter, .otherFormat, .notExtracted, .skippedMember:
      return false
    }
    return (try? collection.documentIDs(ofSource: file.absolutePath).isEmpty) == false
  }

  /// Reads the standard input. A record with an id replaces a document with this id that was not read from a file; a
  /// record without an id never replaces a document. Nothing is removed.
  ///
  /// - Parameter prepare: called before the first document is saved.
  /// - Throws: errors that `prepare` throws, and write errors.
  func readStandardInput(prepare: (CorpusKinds) throws -> Void) throws {
    var isPrepared = false
    try reader.read { document, root in
      if !isPrepared { try prepare(document.line == nil ? .files : CorpusKinds(options.format ?? .jsonl)) }
      isPrepared = true
      try add(document, root, path: "stdin")
      byteCount += Int64(document.json.count)
    } problem: {
      problems.add($0)
    }
  }

  /// Removes a deleted file and its documents.
  func remove(_ path: String) throws {
    messages.detail("deleted: \(path)")
    try started().remove(sourcePath: path)
  }

  /// Waits until all documents are saved.
  func finish() throws {
    if let importer { summary = try importer.finish() }
  }

  private func started() throws -> DocumentImporter {
    if let importer { return importer }
    let (displayPaths, replacesStored) = (displayPaths, replacesStored)
    let importer = try DocumentImporter(into: collection) { duplicate in
      replacesStored && (duplicate.path == nil || duplicate.storedPath == nil) || displayPaths.mayReplace(duplicate)
    }
    self.importer = importer
    return importer
  }

  private func add(_ document: CorpusDocument, _ root: JSONElement, path: String) throws {
    progress.addDocument(size: document.json.count)
    if options.detectsLanguage, let language = root[AnalysisOptions.languageProperty]?.string {
      languages.insert(language)
    }
    do {
      try started().add(
        id: DocumentIdentity.id(document.id), alternateID: document.alternateID.map { DocumentIdentity.id($0) },
        json: document.json, root, location: document.location(in: path), keepingCopies: document.hasContentID)
    } catch let error as CBLError where CorpusImport.concernsDocument(error) {
      problems.add(
        CorpusProblem(path: path, line: document.line, kind: .invalidRecord, reason: error.advice))
    }
  }

  private static func concernsDocument(_ error: CBLError) -> Bool {
    [CBLError.badDocID, CBLError.invalidJSON, CBLError.invalidParameter].contains(error.code)
  }
}

extension CorpusProblem {
  /// The same problem as an error, with the kind of a file that could not be read to its end.
  fileprivate var asIncomplete: CorpusProblem {
    CorpusProblem(path: path, line: line, kind: .incomplete, reason: reason)
  }
}
