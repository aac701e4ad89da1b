import Concordance
import Foundation
import Testing

/// Documents and queries convert strings to dates in the same way.
@Suite struct DateTextTests {
  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  @Test(arguments: [
    ("2026-02-28T00:00:00Z", 1_772_236_800_000), ("2026-02-28Z", 1_772_236_800_000),
    ("2026-02-28 12:30:00.250+01:00", 1_772_278_200_250), ("2026-02-28t12:30:00,25z", 1_772_281_800_250),
    ("2026-02-28T12:30-2330", 1_772_366_400_000), ("2026-02-28T00:00:00.123456789Z", 1_772_236_800_123),
    // The Gregorian calendar for all years.
    ("1500-03-01T00:00:00Z", -14_826_672_000_000),
  ])
  func dateIsConverted(text: String, milliseconds: Int) throws {
    #expect(try dates(text) == [milliseconds, milliseconds])
  }

  @Test(arguments: ["2026-02-28", "2026-07-01T12:30", "2026-07-01 12:30:00.5", "1969-12-31T23:59:59.999"])
  func localTimeIsConverted(text: String) throws {
    let found = try dates(text)
    #expect(found[0] != nil && found[0] == found[1])
  }

  @Test(arguments: [
    "2026-02-30", "2026-02-28T24:00Z", "2026-02-28T12:30:60Z", "2026-02-28T12Z", "2026-02-28T12:30:00.Z",
    "2026-02-28T12:30:00+24:00", "12026-02-28", "2026-2-28", "2026-02-28T12:30:00Z ", "",
  ])
  func textThatIsNotADateIsNil(text: String) throws {
    #expect(try dates(text) == [nil, nil])
  }

  /// Returns the results of a getter and of an SQL++ function, in milliseconds since 1970.
  private func dates(_ text: String) throws -> [Int?] {
    let document = MutableDocument(id: "d").setString(text, forKey: "date")
    try files.collection.save(document: document)
    let query = try files.database.createQuery("SELECT STR_TO_MILLIS(date) AS m FROM _ WHERE META().id = 'd'")
    let rows = try query.execute().allResults()
    let getter = document.date(forKey: "date").map { Int(($0.timeIntervalSince1970 * 1000).rounded()) }
    return [getter, try #require(rows.first).number(forKey: "m")?.intValue]
  }
}
