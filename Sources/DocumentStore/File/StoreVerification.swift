public import GRDB
import JSONText

/// A problem that verification found.
public struct IntegrityFinding: Hashable, Sendable, CustomStringConvertible {
  /// The part of the file: a collection, an index, or the file itself.
  public let location: String
  /// A description of the problem.
  public let problem: String

  /// The location and the problem, for a line of output.
  public var description: String { "\(location): \(problem)" }

  /// Creates a finding.
  public init(location: String, problem: String) {
    self.location = location
    self.problem = problem
  }
}

/// Verifies a file: its pages with SQLite's integrity check, its schema and catalog, the documents against the catalog,
/// and its blobs against their digests.
public enum StoreVerification {
  /// Runs all checks. Call it in a read transaction.
  ///
  /// - Parameters:
  ///   - db: a connection to the file.
  ///   - indexKinds: the kinds of indexes that the catalog may list.
  ///   - isIndexObject: returns whether a schema object belongs to an index; see ``StoreConfiguration/isIndexObject``.
  ///   - cause: returns the error of another database that caused an error of a statement, or nil. Such an error is
  ///     thrown.
  /// - Returns: The findings; empty for an intact file.
  /// - Complexity: O(n): reads the whole file.
  public static func run(
    _ db: Database, indexKinds: Set<String> = [], isFile: Bool = true,
    isIndexObject: (SchemaObject) -> Bool = { _ in false }, cause: (DatabaseError) -> (any Error)? = { _ in nil }
  ) throws -> [IntegrityFinding] {
    guard isFile else { return try documentFindings(db, cause) }
    var findings = try reportingCorruption(in: "file", cause) {
      try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        .map { IntegrityFinding(location: "file", problem: $0) }
    }
    let catalog = CatalogVerification(db)
    findings += try reportingCorruption(in: "schema", cause) {
      try catalog.schemaFindings(isIndexObject: isIndexObject)
    }
    findings += try reportingCorruption(in: "catalog", cause) { try catalog.referenceFindings(indexKinds: indexKinds) }
    findings += try reportingCorruption(in: "catalog", cause) { try catalog.valueFindings() }
    findings += try reportingCorruption(in: "catalog", cause) { try catalog.counterFindings() }
    return try findings + documentFindings(db, cause)
  }

  private static func documentFindings(
    _ db: Database, _ cause: (DatabaseError) -> (any Error)?
  ) throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    let collections =
      try reportingCorruption(in: "catalog", &findings, cause) { try CollectionCatalog.all(db) } ?? []
    for collection in collections {
      findings += try reportingCorruption(in: "collection \(collection.name)", cause) {
        try CollectionVerification(collection, db).check()
      }
    }
    findings += try reportingCorruption(in: "blobs", cause) { try BlobVerification(db).check() }
    return findings
  }

  /// Runs a check. If damage to the file ends the check, returns the error as a finding.
  private static func reportingCorruption(
    in location: String, _ cause: (DatabaseError) -> (any Error)?, _ check: () throws -> [IntegrityFinding]
  ) throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    return (try reportingCorruption(in: location, &findings, cause, check) ?? []) + findings
  }

  private static func reportingCorruption<T>(
    in location: String, _ findings: inout [IntegrityFinding], _ cause: (DatabaseError) -> (any Error)?,
    _ check: () throws -> T
  ) throws -> T? {
    do {
      return try check()
    } catch let error as DatabaseError where error.isCausedByFile {
      if let remoteError = cause(error) { throw remoteError }
      findings.append(IntegrityFinding(location: location, problem: error.message ?? "damaged"))
      return nil
    }
  }
}

extension DatabaseError {
  /// Whether the content of the file caused this error in one of the library's statements: the file is damaged, or a
  /// table or column is missing. Disk errors, lock conflicts and failed memory allocations have other causes.
  public var isCausedByFile: Bool {
    switch resultCode {
    case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT: true
    default: false
    }
  }
}
