import Foundation
import GRDB
import SQLiteAccess
import VersionVectors

/// Verifies the schema of a file, the references between rows of its tables, and its counters.
struct CatalogVerification {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the objects in the schema that this library does not create, and the missing ones.
  func schemaFindings(isIndexObject: (SchemaObject) -> Bool) throws -> [IntegrityFinding] {
    let schema = try FileSchema(db, isIndexObject: isIndexObject)
    let foreign = schema.foreignObjects.map {
      "\($0) was not created by Concordance; remove it, or do not use the file"
    }
    let missing = schema.missingStatements.map { statement in
      let words = statement.prefix { $0 != "(" }.split(whereSeparator: \.isWhitespace)
      return "the object that `\(words.joined(separator: " "))` creates is missing or was changed; "
        + "restore a copy of the file"
    }
    let unlisted = schema.unlistedCollections.map {
      "\($0) contains documents of a collection that the catalog does not list; restore a copy of the file"
    }
    let orphans = schema.unlistedIndexTables.map {
      "\($0) belongs to an index that the catalog does not list; rebuilding the indexes removes the table, after which the "
        + "index can be created again"
    }
    return (foreign + unlisted + orphans + missing).map { IntegrityFinding(location: "schema", problem: $0) }
  }

  /// Returns references to missing rows, and indexes of unknown kinds.
  func referenceFindings(indexKinds: Set<String>) throws -> [IntegrityFinding] {
    let violations = try Row.fetchAll(
      db,
      sql: """
        SELECT "table", parent, count(*), min(rowid) FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY 1, 2
        """)
    let references = violations.map { row in
      let (table, parent): (String, String) = (row[0], row[1])
      let (count, first): (Int64, Int64?) = (row[2], row[3])
      let rows = count == 1 ? "1 row of \(table) refers" : "\(count) rows of \(table) refer"
      let location = first.map { count == 1 ? " (row \($0))" : " (the first is row \($0))" } ?? ""
      return "\(rows) to rows of \(parent) that do not exist\(location); restore a copy of the file"
    }
    let kinds = try Row.fetchAll(
      db, sql: "SELECT DISTINCT kind, quote(kind) AS quoted FROM concordance_index ORDER BY 1"
    ).filter { row in
      String.fromDatabaseValue(row["kind"]).map { !indexKinds.contains($0) } ?? true
    }.map { (row: Row) -> String in
      let kind: String = row["quoted"]
      return
        "an index is of the kind \(kind), which this version does not support; update Concordance, or restore a copy "
        + "of the file"
    }
    return (references + kinds).map { IntegrityFinding(location: "catalog", problem: $0) }
  }

  /// Returns collections with invalid names, a missing default collection, and invalid values in the sources and in the
  /// file's identity.
  func valueFindings() throws -> [IntegrityFinding] {
    var problems: [String] = []
    let collections = try CollectionCatalog.all(db)
    for collection in collections where !hasValidName(collection) {
      problems.append(
        "the table \(collection.tableName) is listed for the collection \(collection.name), but the names do not match; "
          + "restore a copy of the file")
    }
    // If there are no collections, the process that created the file was killed before it created the default one. The
    // next writer creates it.
    if !collections.isEmpty, !collections.contains(where: { $0.name == .default }) {
      problems.append("the collection \(CollectionName.default) is missing; restore a copy of the file")
    }
    let sources = try Int64.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM concordance_source
        WHERE typeof(size) <> 'integer' OR size < 0 OR typeof(modified) <> 'integer' OR typeof(path) <> 'text'
          OR typeof(settings) <> 'text' OR typeof(is_complete) <> 'integer' OR is_complete NOT IN (0, 1)
        """)
    if let sources, sources > 0 {
      problems.append(
        "a path, size, time or setting is invalid in \(sources) of the rows of concordance_source; restore a copy of the file"
      )
    }
    let uuid = try value("SELECT value FROM concordance_meta WHERE key = 'uuid'").flatMap(String.fromDatabaseValue)
    if uuid?.utf8.count != 32 {
      problems.append("the identity of the file (uuid) is missing or damaged; restore a copy of the file")
    }
    return (problems + (try replicationProblems())).map { IntegrityFinding(location: "catalog", problem: $0) }
  }

  /// Returns problems in the data of replications. Files in earlier formats contain no such data.
  private func replicationProblems() throws -> [String] {
    guard try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0 >= 3 else { return [] }
    var problems: [String] = []
    do { _ = try SourceIdentity(db) } catch let error as StoreError { problems.append(error.message) }
    for table in ["concordance_version", "concordance_conflict"] {
      let vectors = try Data.fetchCursor(db, sql: "SELECT CAST(vector AS BLOB) FROM \(table)")
      var count = 0
      while let vector = try vectors.next() {
        if (try? VersionVector(bytes: vector)) == nil { count += 1 }
      }
      if count > 0 {
        problems.append("a version vector is damaged in \(count) of the rows of \(table); restore a copy of the file")
      }
    }
    return problems
  }

  /// Returns whether the table of a collection has a name that ``WriteTransaction/createCollection(_:)`` could have
  /// given it.
  private func hasValidName(_ collection: CollectionRecord) -> Bool {
    guard (try? CollectionName(collection.name.name, scope: collection.name.scope)) != nil else { return false }
    return CollectionTable.isName(collection.tableName, for: collection.name)
  }

  /// Returns counters with invalid values. ``CollectionVerification`` compares those of collections with the documents.
  func counterFindings() throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    for (key, range) in [
      ("last_revision", CounterLimits.revisions), ("catalog_version", CounterLimits.counts),
    ] {
      let value = try value("SELECT value FROM concordance_meta WHERE key = '\(key)'")
      guard let number = value.flatMap(Int64.fromDatabaseValue), range.contains(number) else {
        findings.append(
          IntegrityFinding(
            location: "catalog",
            problem:
              "the counter \(key) is \(value.map(\.description) ?? "missing"); rebuild the indexes to recount"
          ))
        continue
      }
    }
    for table in ["concordance_collection", "concordance_index", "concordance_source"] {
      let last = try value("SELECT seq FROM sqlite_sequence WHERE name = '\(table)'")
      let highest = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)")
      // SQLite has no row for a table that was never written.
      guard last != nil || highest != nil else { continue }
      let number = last.flatMap(Int64.fromDatabaseValue) ?? -1
      if number < (highest ?? 0) || !CounterLimits.counts.contains(number) {
        findings.append(
          IntegrityFinding(
            location: "catalog",
            problem:
              "the last id of \(table) is \(last.map(\.description) ?? "missing"); restore a copy of the file"))
      }
    }
    return findings
  }

  private func value(_ sql: String) throws -> DatabaseValue? { try DatabaseValue.fetchOne(db, sql: sql) }
}
