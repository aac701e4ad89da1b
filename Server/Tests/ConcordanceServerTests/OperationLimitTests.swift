@testable import ConcordanceServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(10))) struct OperationLimitTests {
  private let limit = OperationLimit("tests", running: 1, waiting: 1)

  @Test func operationsWaitForAPermitAndAreRefusedIfManyWait() async throws {
    var first: OperationLimit.Permit? = try await limit.permit()
    let second = Task { [limit] in _ = try await limit.permit() }
    // Until the second operation waits, another one would wait in its place; it is cancelled.
    while await refusal() == nil { await Task.yield() }
    #expect(await refusal()?.status == .serviceUnavailable)
    #expect(await refusal()?.headers[.retryAfter] == "1")
    withExtendedLifetime(first) {}
    first = nil
    try await second.value
    _ = try await limit.permit()
  }

  @Test func aWaitingOperationCanBeCancelled() async throws {
    let first = try await limit.permit()
    let second = Task { [limit] in _ = try await limit.permit() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    withExtendedLifetime(first) {}
  }

  /// Returns the problem of a further operation; nil if it would wait.
  private func refusal() async -> Problem? {
    let task = Task { [limit] in _ = try await limit.permit() }
    task.cancel()
    do {
      try await task.value
    } catch {
      return error as? Problem
    }
    return nil
  }
}
