import DocumentStore
import TestSupport
import Testing

@testable import MapReduce

struct SumReducerTests {
  /// Documents may contain a key twice.
  @Test func equalKeysOfTheSecondObjectAreAdded() throws {
    let sum = try SumReducer().rereduce([#"{"a":1}"#, #"{"b":1,"b":2}"#].map { Array($0.utf8) })
    #expect(String(decoding: sum, as: UTF8.self) == #"{"a":1,"b":3}"#)
  }

  @Test func membersOfNestedObjectsAreAdded() throws {
    let texts = [#"{"a":{"n":1,"m":[1]}}"#, #"{"a":{"n":2,"m":[1,5]},"b":3}"#, #"{"a":{"m":4}}"#]
    let sum = try SumReducer().rereduce(texts.map { Array($0.utf8) })
    #expect(String(decoding: sum, as: UTF8.self) == #"{"a":{"n":3,"m":[6,5]},"b":3}"#)
  }

  @Test func objectsWithManyKeysAreAddedInLinearTime() throws {
    let isLinear = try takesLinearTime(10_000) { count in
      let sum = try SumReducer().rereduce((0..<count).map { Array("{\"k\($0)\":1}".utf8) })
      #expect(sum.count { $0 == UInt8(ascii: ",") } == count - 1)
    }
    #expect(isLinear)
  }

  @Test(arguments: [(11, true), (12, false)]) func aSumThatIsTooLargeIsAnError(maximumSize: Int, isError: Bool) throws {
    let texts = [#"{"a":1}"#, #"{"a":2}"#, #"{"b":3}"#].map { Array($0.utf8) }
    for partials in [texts, [try SumReducer().rereduce(texts)]] {
      let sum = try SumReducer(maximumSize: maximumSize).rereduce(partials)
      #expect(String(decoding: sum, as: UTF8.self).contains(ReduceError.name) == isError)
    }
  }

  @Test func anInterruptedSumEnds() throws {
    let interruption = Interruption()
    interruption.interrupt()
    let values = [[UInt8]](repeating: Array("1".utf8), count: 1000)
    Interruption.$current.withValue(interruption) {
      #expect(throws: CancellationError.self) { try SumReducer().rereduce(values) }
    }
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
