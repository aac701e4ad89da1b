import Testing

@testable import MapReduce

struct SumReducerTests {
  /// Documents may contain a key twice.
  @Test func equalKeysOfTheSecondObjectAreAdded() throws {
    let sum = try SumReducer().rereduce([#"{"a":1}"#, #"{"b":1,"b":2}"#].map { Array($0.utf8) })
    #expect(String(decoding: sum, as: UTF8.self) == #"{"a":1,"b":3}"#)
  }

  /// JSON keys are compared as bytes.
  @Test func keysWithDifferentBytesAreNotAdded() throws {
    let texts = ["{\"\u{E9}\":1}", "{\"e\u{301}\":2}", "{\"\u{E9}\":4}"]
    let sum = try SumReducer().rereduce(texts.map { Array($0.utf8) })
    #expect(sum == Array("{\"\u{E9}\":5,\"e\u{301}\":2}".utf8))
  }

  @Test func anOverflowIsTheSameErrorAloneAndCombined() throws {
    let values = ["1e308", "1e308"].map { Array($0.utf8) }
    for reducer in [SumReducer() as any ViewReducer, StatsReducer()] {
      let alone = try reducer.rereduce(values)
      #expect(String(decoding: alone, as: UTF8.self).contains(ReduceError.name))
      #expect(try reducer.rereduce([alone, Array("1".utf8)]) == alone)
    }
  }
}
