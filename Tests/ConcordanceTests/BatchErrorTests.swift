import Concordance
import Foundation
import Testing

/// Errors thrown inside batches, as in Couchbase Lite.
@Suite struct BatchErrorTests {
  struct Refusal: Error, Equatable { var reason = 7 }

  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private func batchError(_ block: () throws -> Void) -> CBLError? {
    #expect(throws: CBLError.self) { try files.database.inBatch(using: block) }
  }

  @Test func errorOfTheBlockIsTheUnderlyingErrorOfAnUnexpectedError() {
    let error = batchError {
      try files.save("x", "{}")
      throw Refusal()
    }
    #expect(error?.code == CBLError.unexpectedError)
    #expect(error?.domain == "CouchbaseLite")
    #expect(error?.userInfo[NSUnderlyingErrorKey] as? Refusal == Refusal())
    #expect(error?.underlyingError as? Refusal == Refusal())
    #expect(files.collection.count == 0)
  }

  @Test func errorOfTheLibraryIsWrappedLikeAnyOther() {
    let error = batchError { try files.collection.purge(id: "missing") }
    #expect(error?.code == CBLError.unexpectedError)
    #expect((error?.underlyingError as? CBLError)?.code == CBLError.notFound)
    #expect(error?.message.contains("there is no document \"missing\"") == true)
  }

  @Test func nestedBatchesKeepTheOriginalUnderlyingError() {
    let error = batchError { try files.database.inBatch { throw Refusal() } }
    #expect(error?.underlyingError is Refusal)
  }

  @Test func errorOfTheBatchItselfHasItsOwnCode() throws {
    let readOnly = try files.again(readOnly: true)
    expectError(CBLError.notWriteable) { try readOnly.inBatch {} }
    try files.database.close()
    expectError(CBLError.notOpen) { try files.database.inBatch {} }
  }

  @Test func networkConstantsHaveTheValuesOfCouchbaseLite() {
    let codes: [(Int, Int)] = [
      (CBLError.networkBase, 5000), (CBLError.dnsFailure, 5001), (CBLError.timeout, 5003),
      (CBLError.unknownInterface, 5027), (CBLError.httpBase, 10000), (CBLError.httpAuthRequired, 10401),
      (CBLError.httpServiceUnavailable, 10503), (CBLError.webSocketBase, 11000), (CBLError.webSocketGoingAway, 11001),
      (CBLError.webSocketCantFulfill, 11011),
    ]
    for (code, value) in codes { #expect(code == value) }
  }
}
