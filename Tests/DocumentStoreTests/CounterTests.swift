import Foundation
import GRDB
import SQLiteAccess
import Testing

@testable import DocumentStore

/// Counters and clocks at the limits of their ranges.
@Suite struct CounterTests {
  @Test(
    arguments: [
      (-1, 0), (.min, 0), (0, 5), (1_700_000_000, 1_700_000_000_000_000_005),
      // 2262-04-11T23:47:17 and later.
      (9_223_372_037, Int64.max - (1 << 32)), (253_402_300_799, Int64.max - (1 << 32)), (.max, Int64.max - (1 << 32)),
    ] as [(Int, Int64)]) func clocksOutsideTheRangeAreClamped(seconds: Int, nanoseconds: Int64)
  {
    #expect(CounterLimits.nanoseconds(timespec(tv_sec: seconds, tv_nsec: 5)) == nanoseconds)
  }

  @Test func revisionsIncreaseBeyondTheMaximumClockValue() throws {
    let files = try TemporaryStore()
    let last = Int64.max - (1 << 32)
    try files.store.write {
      try $0.db.execute(sql: "UPDATE concordance_meta SET value = ? WHERE key = 'last_revision'", arguments: [last])
    }
    #expect(try [files.save("a", "{}").revision, files.save("b", "{}").revision] == [last + 1, last + 2])
  }

  @Test(arguments: [
    "UPDATE concordance_meta SET value = 9223372036854775807 WHERE key = 'last_revision'",
    "UPDATE concordance_meta SET value = -1 WHERE key = 'last_revision'",
    "UPDATE concordance_collection SET last_sequence = 9223372036854775807",
    "UPDATE concordance_collection SET last_sequence = -9223372036854775808",
    "UPDATE concordance_collection SET document_count = 9223372036854775807",
    "UPDATE concordance_collection SET document_count = -9223372036854775808",
  ]) func damagedCountersThrowUntilTheyAreRecounted(damage: String) throws {
    let files = try TemporaryStore()
    try files.save("a", "{}")
    try files.store.write { try $0.db.execute(sql: damage) }
    #expect(try !files.store.read { try StoreVerification.run($0) }.isEmpty)
    #expect(try (0...1).contains(files.store.documentCount(of: files.collection)) || damage.contains("= 92"))
    let error = #expect(throws: StoreError.self) { try files.save("b", "{}") }
    #expect(error?.kind == .corrupt)
    try files.store.write { try $0.recount(files.collection) }
    #expect(try files.store.read { try StoreVerification.run($0) } == [])
    try files.save("b", "{}")
    #expect(try files.store.documentCount(of: files.collection) == 2)
  }

  @Test(arguments: ["9223372036854775807", "-1", "'many'"])
  func damagedCatalogVersionIsReplacedByTheNextChange(value: String) throws {
    let files = try TemporaryStore()
    try files.store.write {
      try $0.db.execute(sql: "UPDATE concordance_meta SET value = \(value) WHERE key = 'catalog_version'")
    }
    #expect(try files.store.read { try StoreVerification.run($0) }.count == 1)
    let before = try files.store.read { try CollectionCatalog.version($0) }
    try files.store.write { try $0.catalogDidChange() }
    #expect(try files.store.read { try CollectionCatalog.version($0) } != before)
    #expect(try files.store.read { try StoreVerification.run($0) } == [])
  }
}
