public import GRDB
import JSONText

/// What a check of a file found to be wrong.
public struct IntegrityFinding: Hashable, Sendable, CustomStringConvertible {
  /// The part of the file: a collection, an index, or the file itself.
  public let place: String
  /// What is wrong with it.
  public let problem: String

  /// Both, for a line of output.
  public var description: String { "\(place): \(problem)" }

  /// Makes a finding.
  public init(place: String, problem: String) {
    self.place = place
    self.problem = problem
  }
}

/// Checks the documents of a file against the catalog, its blobs against their digests, and the file against SQLite's own check.
public enum StoreVerification {
  /// Runs every check. Call it in a read transaction.
  ///
  /// - Returns: what is wrong; empty for a whole file.
  /// - Complexity: O(n): reads the whole file.
  public static func run(_ db: Database) throws -> [IntegrityFinding] {
    var findings = try reportingDamage(in: "file") {
      try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        .map { IntegrityFinding(place: "file", problem: $0) }
    }
    let collections = try reportingDamage(in: "catalog", &findings) { try CollectionCatalog.all(db) } ?? []
    for collection in collections {
      findings += try reportingDamage(in: "collection \(collection.name)") { try check(collection, db) }
    }
    findings += try reportingDamage(in: "blobs") { try BlobVerification(db).check() }
    return findings
  }

  /// Runs a check; damage that keeps it from going on is a finding, too.
  private static func reportingDamage(
    in place: String, _ check: () throws -> [IntegrityFinding]
  ) throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    return (try reportingDamage(in: place, &findings, check) ?? []) + findings
  }

  private static func reportingDamage<T>(
    in place: String, _ findings: inout [IntegrityFinding], _ check: () throws -> T
  ) throws -> T? {
    do {
      return try check()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      findings.append(IntegrityFinding(place: place, problem: error.message ?? "damaged"))
      return nil
    }
  }

  private static func check(_ collection: CollectionRecord, _ db: Database) throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    func report(_ problem: String) {
      findings.append(IntegrityFinding(place: "collection \(collection.name)", problem: problem))
    }
    let parser = try JSONParser()
    let blobs = BlobVerification(db)
    let lastSequence = try CollectionCatalog.lastSequence(collection, db)
    var count: Int64 = 0
    let reader = DocumentReader(collection, db)
    try reader.forEach(includingDeleted: true) { document in
      if document.sequence > lastSequence {
        report("document \"\(document.id)\" has sequence \(document.sequence), above the last, \(lastSequence)")
      }
      guard !document.isDeleted else { return true }
      count += 1
      do {
        _ = try DocumentBody(checking: document.body, parser: parser) { root in
          guard let digest = try blobs.missingBlob(referredToIn: root) else { return }
          report("document \"\(document.id)\" refers to the blob \(digest), which is not stored")
        }
      } catch let error as StoreError {
        report("document \"\(document.id)\": \(error.message)")
      }
      return true
    }
    let counted = try CollectionCatalog.documentCount(collection, db)
    if counted != count { report("\(count) documents, but the catalog counts \(counted)") }
    return findings
  }
}
