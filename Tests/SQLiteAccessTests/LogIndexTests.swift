import Foundation
import SQLiteAccess
import Testing

struct LogIndexTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func connect(_ journal: String) throws -> DirectConnection {
    let connection = try DirectConnection(folder.appendingPathComponent("data.db").path, .creating)
    try connection.execute("PRAGMA journal_mode = \(journal); CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY)")
    return connection
  }

  @Test func aCommitChangesTheState() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let reader = try connect("WAL")
    let writer = try connect("WAL")
    var state = try #require(try LogState(reader))
    for _ in 0..<20 {
      state.note()
      #expect(state.isCurrent())
      try reader.execute("SELECT * FROM rows")
      #expect(state.isCurrent())
      try writer.execute("BEGIN; INSERT INTO rows DEFAULT VALUES; ROLLBACK")
      #expect(state.isCurrent())
      try writer.execute("INSERT INTO rows DEFAULT VALUES")
      #expect(!state.isCurrent())
      // The log is overwritten.
      _ = try writer.checkpointPassively()
    }
  }

  @Test func aFileWithoutALogHasNoState() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let connection = try connect("DELETE")
    #expect(try LogState(connection) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("data.db-shm").path))
  }
}
