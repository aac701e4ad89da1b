@testable import Replication
import Testing

@Suite struct RevisionBudgetTests {
  @Test func theNumberOfRevisionsIsLimited() {
    let budget = RevisionBudget()
    for _ in 0..<RevisionBudget.maximumCount { #expect(budget.take(1)) }
    #expect(!budget.take(1))
    budget.release(1)
    #expect(budget.take(1))
    #expect(!budget.take(1))
  }

  /// A revision that is larger than the limit is sent alone.
  @Test func theSizeOfRevisionsIsLimited() {
    let budget = RevisionBudget()
    #expect(budget.take(RevisionBudget.maximumSize * 2))
    #expect(!budget.take(0))
    budget.release(RevisionBudget.maximumSize * 2)
    #expect(budget.take(0))
  }

  @Test func waitingSendersContinueInTurns() {
    let budget = RevisionBudget()
    for _ in 0..<RevisionBudget.maximumCount { #expect(budget.take(1)) }
    var resumed: [String] = []
    func send(_ name: String) {
      guard budget.take(1) else { return budget.wait { send(name) } }
      resumed.append(name)
      send(name)
    }
    send("a")
    send("b")
    for _ in 0..<4 { budget.release(1) }
    #expect(resumed == ["a", "b", "a", "b"])
    #expect(budget.count == RevisionBudget.maximumCount)
  }
}
