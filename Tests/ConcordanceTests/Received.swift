import Foundation
import Testing

/// Collects elements that other threads deliver, and waits for them.
///
/// `@unchecked Sendable`: `elements` is accessed only under the lock of `condition`.
final class Received<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var elements: [Element] = []

  var all: [Element] { condition.withLock { elements } }

  func add(_ element: Element) {
    condition.withLock {
      elements.append(element)
      condition.broadcast()
    }
  }

  /// Waits until a condition is true. If that takes too long, the test fails.
  @discardableResult
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until isEnough: ([Element]) -> Bool
  ) -> [Element] {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: 60)
      while !isEnough(elements) {
        guard condition.wait(until: limit) else {
          Issue.record("no more elements were received; there are \(elements)", sourceLocation: sourceLocation)
          break
        }
      }
      return elements
    }
  }
}

extension Received<String> {
  /// Waits until all of these elements have been received.
  @discardableResult
  func wait(for wanted: String..., sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    wait(sourceLocation: sourceLocation) { Set($0).isSuperset(of: wanted) }
  }
}
