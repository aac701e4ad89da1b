import Concordance
import Foundation
import Testing

/// Dates in `Codable` types are equal after a round trip, and queries can read them.
@Suite struct CodableDateTests {
  struct Event: Codable {
    @DocumentID var id: String?
    var at: Date
  }

  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  /// Returns the stored text and the decoded date.
  private func stored(_ date: Date) throws -> (text: String, date: Date) {
    try files.collection.save(from: Event(id: "e", at: date))
    let text = try #require(try files.collection.document(id: "e")?.string(forKey: "at"))
    return (text, try #require(try files.collection.document(id: "e", as: Event.self)).at)
  }

  @Test(arguments: [0, 1_700_000_000.25, 1_763_856_967.123, 1_763_856_967.999, -0.001, -1_000_000_000.5])
  func millisecondsAreStoredAsThreeDigits(seconds: Double) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let (text, read) = try stored(date)
    #expect(read == date)
    #expect(text.contains(/:\d\d\.\d{3}Z$/), "\(text)")
  }

  @Test(arguments: [
    785_549_767.123_456_7, 785_549_767.000_000_1, 785_549_767.123, 0.1, 1e-12, -0.25, -0.000_000_1, -1.5,
    -63_113_904_000 + 0.1, 252_423_993_599.5, -1e9 - 0.123_456_7,
  ])
  func otherDatesAreEqualAfterARoundTrip(sinceReferenceDate seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let (text, read) = try stored(date)
    #expect(read == date, "\(text)")
  }

  @Test func randomDatesAreEqualAfterARoundTrip() throws {
    var dates = [Date(), Date.distantPast]
    for _ in 0..<300 { dates.append(Date(timeIntervalSinceReferenceDate: .random(in: -6e10...2.5e11))) }
    for _ in 0..<300 { dates.append(Date(timeIntervalSinceReferenceDate: .random(in: 6e8...9e8))) }
    struct Log: Codable {
      @DocumentID var id: String?
      var dates: [Date]
    }
    try files.collection.save(from: Log(id: "log", dates: dates))
    #expect(try files.collection.document(id: "log", as: Log.self)?.dates == dates)
  }

  @Test func queriesReadTheDigits() throws {
    let date = Date(timeIntervalSinceReferenceDate: 785_549_767.123_456_7)
    #expect(try stored(date).text == "2025-11-23T00:16:07.1234567Z")
    let row = try #require(
      try files.database.createQuery("SELECT STR_TO_MILLIS(at), STR_TO_UTC(at) FROM _").execute().next())
    #expect(row.int64(at: 0) == 1_763_856_967_123)
    #expect(row.date(at: 1) == Date(timeIntervalSince1970: 1_763_856_967.123))
  }

  @Test func predicatesCompareTheStoredDate() throws {
    let date = Date(timeIntervalSinceReferenceDate: 785_549_767.123_456_7)
    _ = try stored(date)
    let query = try files.collection.createQuery(where: #Predicate<Event> { $0.at == date })
    #expect(try query.execute().allResults().count == 1)
  }

  @Test func dateOutsideTheYears0To9999IsAnError() throws {
    for seconds in [3e11, -7e10, .infinity, .nan] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      expectError(CBLError.encodingError, "at: the date is outside") {
        try files.collection.save(from: Event(id: "e", at: date))
      }
      expectError(CBLError.invalidParameter) {
        try files.collection.save(document: MutableDocument(id: "d").setDate(date, forKey: "at"))
      }
    }
  }
}
