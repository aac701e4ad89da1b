import Foundation
import TestSupport
import Testing

@testable import QueryCompiler

@Suite struct DateFunctionTests {
  private func call(_ name: String, _ arguments: QueryValue...) throws -> String {
    try #require(QueryFunctions.named(name)).call(arguments).testText
  }

  @Test func millisecondsAreFormattedInUTC() throws {
    #expect(try call("MILLIS_TO_UTC", .integer(0)) == "\"1970-01-01T00:00:00Z\"")
    #expect(try call("MILLIS_TO_UTC", .integer(1_540_319_581_123)) == "\"2018-10-23T18:33:01.123Z\"")
    #expect(try call("MILLIS_TO_UTC", .integer(-1)) == "\"1969-12-31T23:59:59.999Z\"")
    #expect(try call("MILLIS_TO_UTC", .double(1000.9)) == "\"1970-01-01T00:00:01Z\"")
    #expect(try call("MILLIS_TO_UTC", .integer(.max)) == "null")
    #expect(try call("MILLIS_TO_UTC", .integer(253_402_300_800_000)) == "null")
    #expect(try call("MILLIS_TO_UTC", .missing) == "MISSING")
    #expect(try call("MILLIS_TO_UTC", .string("x")) == "null")
    #expect(
      try call("MILLIS_TO_UTC", .integer(0), .string("%d.%m.%Y %T.%s %z %Ez %%"))
        == "\"01.01.1970 00:00:00.000 +0000 +00:00 %\"")
    #expect(try call("MILLIS_TO_UTC", .integer(0), .string("1111-11-11")) == "\"1970-01-01\"")
    #expect(try call("MILLIS_TO_UTC", .integer(0), .string("1111-11-11 00:00")) == "\"1970-01-01 00:00\"")
    #expect(try call("MILLIS_TO_UTC", .integer(0), .string("%Q")) == "null")
  }

  @Test func millisecondsAreFormattedInTimeZone() throws {
    let summer = QueryValue.integer(1_530_000_000_000)
    #expect(try call("MILLIS_TO_TZ", summer, .string("Europe/Berlin")) == "\"2018-06-26T10:00:00+02:00\"")
    #expect(try call("MILLIS_TO_TZ", summer, .string("-0330")) == "\"2018-06-26T04:30:00-03:30\"")
    #expect(try call("MILLIS_TO_TZ", summer, .integer(-480)) == "\"2018-06-26T00:00:00-08:00\"")
    #expect(try call("MILLIS_TO_TZ", summer, .string("Nowhere/Else")) == "null")
    #expect(
      try call("STR_TO_TZ", .string("2018-06-26T08:00:00Z"), .string("Asia/Tokyo")) == "\"2018-06-26T17:00:00+09:00\"")
  }

  @Test(arguments: [
    ("2018-10-23T18:33:01Z", 1_540_319_581_000), ("2018-10-23T18:33:01.5Z", 1_540_319_581_500),
    ("2018-10-23T18:33:01+02:00", 1_540_312_381_000), ("2018-10-23T18:33:01-0100", 1_540_323_181_000),
    ("2018-10-23 18:33Z", 1_540_319_580_000), ("2018-10-23Z", 1_540_252_800_000), ("0001-01-01Z", -62_135_596_800_000),
  ]) func datesAreParsed(text: String, milliseconds: Int64) throws {
    #expect(try call("STR_TO_MILLIS", .string(text)) == "\(milliseconds)")
  }

  @Test(arguments: [
    "2018-13-01", "2018-02-29", "2018-1-1", "2018-01-01T24:00:00Z", "2018-01-01T10", "2018-01-01T10:00:00.Z", "", "x",
    "2018-01-01T10:00:00+2:00", "2018-01-01T10:00:00Zx", "20180101",
  ]) func invalidDatesAreNull(text: String) throws {
    #expect(try call("STR_TO_MILLIS", .string(text)) == "null")
  }

  /// Compares the local time zone with that of Foundation.
  @Test func localTimeAgreesWithFoundation() throws {
    for milliseconds in stride(from: -3_000_000_000_000 as Int64, to: 3_000_000_000_000, by: 86_413_000_123) {
      let offset = TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      let text = try #require(try QueryFunctions.named("MILLIS_TO_STR")?.call([.integer(milliseconds)]).string)
      #expect(DateText(text)?.milliseconds == milliseconds, "\(text)")
      #expect(ZoneRule.local.offset(at: milliseconds) == Int64(offset), "\(text)")
    }
    let text = "2018-10-23T18:33:01"
    let local = try #require(DateText(text))
    #expect(local.shape.zone == .none)
    #expect(local.milliseconds == 1_540_319_581_000 - ZoneRule.local.offset(at: 1_540_319_581_000) * 1000)
  }

  @Test func datesAreParsedInFormat() throws {
    #expect(
      try call("STR_TO_MILLIS", .string("23.10.2018 18:33 +0200"), .string("%d.%m.%Y %H:%M %z")) == "1540312380000")
    #expect(try call("STR_TO_UTC", .string("23.10.2018Z"), .string("%d.%m.%Y%z")) == "\"23.10.2018+0000\"")
    #expect(try call("STR_TO_UTC", .string("2018-10-23T20:33:01+02:00")) == "\"2018-10-23T18:33:01Z\"")
    #expect(try call("STR_TO_MILLIS", .string("99:99"), .string("%H:%M")) == "null")
  }

  @Test func unitsAreAdded() throws {
    func add(_ text: String, _ count: Int64, _ part: String) throws -> String {
      try call("DATE_ADD_STR", .string(text), .integer(count), .string(part))
    }
    #expect(try add("2018-01-31", 1, "month") == "\"2018-02-28\"")
    #expect(try add("2020-02-29T10:00:00Z", -1, "years") == "\"2019-02-28T10:00:00Z\"")
    #expect(try add("2018-12-31T23:00+02:00", 2, "hour") == "\"2019-01-01T01:00+02:00\"")
    #expect(try add("2018-01-01T00:00:00.000Z", 1, "millisecond") == "\"2018-01-01T00:00:00.001Z\"")
    #expect(try add("2018-01-01", 1, "century") == "\"2118-01-01\"")
    #expect(try add("2018-01-01", 9, "millennium") == "null")
    #expect(try add("2018-01-01", .max, "week") == "null")
    #expect(try add("2018-01-01", 1, "moment") == "null")
    #expect(try call("DATE_ADD_MILLIS", .integer(0), .integer(2), .string("day")) == "172800000")
    #expect(try call("DATE_ADD_MILLIS", .integer(0), .missing, .string("day")) == "MISSING")
  }

  @Test func differencesCountWholeUnits() throws {
    func difference(_ one: String, _ other: String, _ part: String) throws -> String {
      try call("DATE_DIFF_STR", .string(one), .string(other), .string(part))
    }
    #expect(try difference("2018-03-01Z", "2018-02-01Z", "day") == "28")
    #expect(try difference("2018-02-01Z", "2018-03-01Z", "week") == "-4")
    #expect(try difference("2018-03-30Z", "2018-01-31Z", "month") == "1")
    #expect(try difference("2018-03-31Z", "2018-01-31Z", "month") == "2")
    #expect(try difference("2018-01-01T10:00:00+02:00", "2018-01-01T07:00:00Z", "hour") == "1")
    #expect(try difference("2118-01-01Z", "2018-01-02Z", "century") == "0")
    #expect(try call("DATE_DIFF_MILLIS", .integer(90_000), .integer(0), .string("minute")) == "1")
  }

  @Test func civilTimeAgreesWithFoundation() throws {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      // From 1600 on: Foundation's calendar is Julian before 1582.
      let milliseconds = Int64.random(in: -11_676_096_000_000...253_402_300_799_999, using: &generator)
      let civil = CivilTime(milliseconds: milliseconds)
      let seconds = CivilTime.floorDivide(milliseconds, 1000)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(
        [civil.year, civil.month, civil.day]
          == [parts.year, parts.month, parts.day].map { Int64($0 ?? 0) }, "\(milliseconds)")
      #expect(civil.milliseconds == milliseconds)
    }
  }
}
