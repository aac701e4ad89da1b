/// The result of ``Database/importCouchbaseLite(at:into:existing:progress:)-(URL,_,_,_)``.
public struct CouchbaseLiteImportSummary: Hashable, Sendable {
  /// The number of saved documents.
  public var documentCount = 0
  /// The number of documents that were not saved because the same text was already stored.
  public var unchangedCount = 0
  /// The number of existing documents that were kept; see ``DatabaseImport/ExistingDocuments/skip``.
  public var skippedCount = 0
  /// The number of deleted documents, whose tombstones are not imported.
  public var deletedCount = 0
  /// The number of documents that were not imported because they had expired.
  public var expiredCount = 0
  /// The number of saved and unchanged documents that have conflicting revisions. The current revision is imported, the
  /// others are not.
  public var conflictCount = 0
  /// The number of collections.
  public var collectionCount = 0
  /// The number of stored blobs.
  public var blobCount = 0
  /// The number of created indexes.
  public var indexCount = 0
  /// The total number of problems, including those that are not in ``problems``.
  public private(set) var problemCount = 0
  /// Descriptions of the first ``maximumMessageCount`` documents that were not imported.
  public private(set) var problems: [String] = []
  /// The total number of notes, including those that are not in ``notes``.
  public private(set) var noteCount = 0
  /// Descriptions of other differences between the two databases, such as indexes of unsupported kinds and, after them,
  /// damaged blobs. At most ``maximumMessageCount``.
  public private(set) var notes: [String] = []

  /// The maximum number of ``problems``, and of ``notes``.
  public static let maximumMessageCount = 100

  /// Creates a summary in which all counts are 0.
  public init() {}

  /// Adds the counts, problems and notes of a part of the import.
  mutating func add(_ part: CouchbaseLiteImportSummary) {
    deletedCount += part.deletedCount
    expiredCount += part.expiredCount
    let uncounted = part.problemCount - part.problems.count
    part.problems.forEach { addProblem($0) }
    problemCount += uncounted
    noteCount += part.noteCount - part.notes.count
    part.notes.forEach { addNote($0) }
  }

  mutating func addProblem(_ problem: String) {
    problemCount += 1
    if problems.count < CouchbaseLiteImportSummary.maximumMessageCount { problems.append(problem) }
  }

  mutating func addNote(_ note: String) {
    noteCount += 1
    if notes.count < CouchbaseLiteImportSummary.maximumMessageCount { notes.append(note) }
  }
}
