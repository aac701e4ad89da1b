import Testing

@testable import MapReduce

struct SumReducerTests {
  /// Documents may contain a key twice.
  @Test func equalKeysOfTheSecondObjectAreAdded() throws {
    let sum = try SumReducer().rereduce([#"{"a":1}"#, #"{"b":1,"b":2}"#].map { Array($0.utf8) })
    #expect(String(decoding: sum, as: UTF8.self) == #"{"a":1,"b":3}"#)
  }
}
