import Foundation
import GRDB
import SQLiteAccess
import Testing

@Suite struct TableNameTests {
  @Test func tablesOfOtherConnectionsAreFound() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("concordance-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (one, two) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path))
    #expect(try one.read { try !$0.hasTable("t") })
    try two.write { try $0.execute(sql: "CREATE TABLE t (x)") }
    #expect(try one.read { try $0.hasTable("t") })
    try two.write { try $0.execute(sql: "DROP TABLE t") }
    #expect(try one.read { try !$0.hasTable("t") })
  }
}
