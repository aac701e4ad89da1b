import Foundation
import Testing

/// What was told from other threads, and waiting for it.
///
/// `@unchecked Sendable`: `elements` are reached only under `condition`'s lock.
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

  /// Waits until a condition holds; it fails the test when that takes very long.
  @discardableResult
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, until isEnough: ([Element]) -> Bool
  ) -> [Element] {
    condition.withLock {
      let limit = Date(timeIntervalSinceNow: 60)
      while !isEnough(elements) {
        guard condition.wait(until: limit) else {
          Issue.record("nothing more came; there are \(elements)", sourceLocation: sourceLocation)
          break
        }
      }
      return elements
    }
  }
}

extension Received<String> {
  /// Waits until each of these has come.
  @discardableResult
  func wait(for wanted: String..., sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    wait(sourceLocation: sourceLocation) { Set($0).isSuperset(of: wanted) }
  }
}
