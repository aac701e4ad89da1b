import Testing

@testable import MapReduce

struct SumReducerTests {
  /// Documents may contain a key twice.
  @Test func equalKeysOfTheSecondObjectAreAdded() throws {
    let sum = try SumReducer().rereduce([#"{"a":1}"#, #"{"b":1,"b":2}"#].map { Array($0.utf8) })
    #expect(String(decoding: sum, as: UTF8.self) == #"{"a":1,"b":3}"#)
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
