import Foundation
import Testing

@testable import Concordance
@testable import DocumentStore
@testable import TextIndex

/// Errors contain the action that repairs a problem.
@Suite struct ErrorRecoveryTests {
  @Test func publicErrorHasTheRecoveryOfTheInternalError() throws {
    let store = StoreError(.corrupt, "damaged", recovery: .rebuildIndexes)
    let error = try #require(CBLError.wrapping(store) as? CBLError)
    #expect(error.code == CBLError.corruptData && error.message == "damaged" && error.recovery == .rebuildIndexes)
    let index = try #require(CBLError.wrapping(TextIndexError(.outdated, "old", recovery: .verify)) as? CBLError)
    #expect(index.recovery == .verify)
    #expect((CBLError.wrapping(StoreError(.busy, "busy")) as? CBLError)?.recovery == nil)
  }
}
