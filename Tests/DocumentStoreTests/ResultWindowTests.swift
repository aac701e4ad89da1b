import Testing

@testable import DocumentStore

@Suite struct ResultWindowTests {
  /// Starts parts until none may be started now.
  private func startAll(in window: inout ResultWindow) -> [Int] {
    var parts: [Int] = []
    while let part = window.start() { parts.append(part) }
    return parts
  }

  @Test func partsAreStartedInOrderUpToTheLimit() {
    var window = ResultWindow(count: 100)
    let first = startAll(in: &window)
    #expect(first == Array(0..<ResultWindow.maximumPartCount))
    window.add(size: 0)
    window.deliver(size: 0)
    let next = startAll(in: &window)
    #expect(next == [ResultWindow.maximumPartCount])
    #expect(window.nextToDeliver == 1)
    #expect(!window.isStarted && !window.isDelivered)
  }

  @Test func largeResultsThatWaitPreventFurtherParts() {
    var window = ResultWindow(count: 100)
    let first = window.start()
    let second = window.start()
    #expect(first == 0)
    #expect(second == 1)
    window.add(size: ResultWindow.maximumSize - 1)
    let third = window.start()
    #expect(third == 2)
    window.add(size: 1)
    let none = startAll(in: &window)
    #expect(none == [])
    window.deliver(size: 1)
    let fourth = window.start()
    #expect(fourth == 3)
  }

  /// Each result is larger than the limit.
  @Test func oversizedResultsAreDeliveredOneByOne() {
    let size = 2 * ResultWindow.maximumSize
    var window = ResultWindow(count: 3)
    let running = window.start()
    #expect(running == 0)
    for part in 1...3 {
      window.add(size: size)
      let blocked = startAll(in: &window)
      #expect(blocked == [])
      window.deliver(size: size)
      let next = window.start()
      #expect(next == (part < 3 ? part : nil))
    }
    #expect(window.isStarted && window.isDelivered)
  }
}
