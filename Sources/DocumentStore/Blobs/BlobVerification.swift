import GRDB
import JSONText
import SQLiteAccess

/// Verifies that the content of every blob matches its digest, and that every referenced blob is stored.
struct BlobVerification {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Returns the findings about the blobs themselves. Only one chunk is in memory at a time.
  func check() throws -> [IntegrityFinding] {
    var findings: [IntegrityFinding] = []
    let blobs = try SQLStatement(sql: "SELECT id, digest, length FROM concordance_blob ORDER BY id", in: db)
    defer { blobs.reset() }
    while try blobs.step() {
      let digest = blobs.row.string(1)
      if let problem = try problem(id: blobs.row.int64(0), digest: digest, length: blobs.row.int64(2)) {
        findings.append(IntegrityFinding(location: "blob \(digest)", problem: problem))
      }
    }
    let orphans = try SQLStatement(
      sql: """
        SELECT blob, count(*) FROM concordance_blob_chunk WHERE blob NOT IN (SELECT id FROM concordance_blob) GROUP BY blob
        """, in: db)
    defer { orphans.reset() }
    while try orphans.step() {
      let row = orphans.row
      findings.append(
        IntegrityFinding(
          location: "blobs",
          problem: "\(row.int64(1)) chunks belong to the blob with the id \(row.int64(0)), which does not exist"))
    }
    return findings
  }

  /// Returns the digest of the first blob that a document refers to and that is not stored; nil if all are stored.
  func missingBlob(referencedIn root: JSONElement) throws -> String? {
    var missing: String?
    try BlobReference.forEach(in: root) { digest in
      if missing == nil, try Blobs.length(digest: digest, db) == nil { missing = digest }
    }
    return missing
  }

  private func problem(id: Int64, digest: String, length: Int64) throws -> String? {
    let hasher = try BlobHasher()
    let chunks = try SQLStatement(
      cached: "SELECT number, content FROM concordance_blob_chunk WHERE blob = ? ORDER BY number", in: db)
    defer { chunks.reset() }
    chunks.bind(1, id)
    var expected: Int64 = 0
    while try chunks.step() {
      let number = chunks.row.int64(0)
      guard number == expected else { return "its chunk \(expected) is missing; restore a copy of the file" }
      if let content = chunks.row.bytes(1) { try hasher.update(content) }
      expected += 1
    }
    guard hasher.length == length else {
      return "has \(hasher.length) bytes in \(expected) chunks, but should have \(length); restore a copy of the file"
    }
    let found = try hasher.finish()
    return found == digest ? nil : "its content has the digest \(found); restore a copy of the file"
  }
}
