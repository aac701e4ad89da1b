import Concordance
import Foundation
import Synchronization

/// A model with a unique name, registered until this object is released. It counts its calls.
final class TestModel: Sendable {
  let name = "model-\(UUID().uuidString)"
  private let model: CountingModel

  /// Separate from `TestModel`, because the registry must not keep that object alive.
  private final class CountingModel: PredictiveModel, Sendable {
    let callCount = Mutex(0)
    let body: @Sendable (DictionaryObject) -> DictionaryObject?

    init(_ body: @escaping @Sendable (DictionaryObject) -> DictionaryObject?) { self.body = body }

    func predict(input: DictionaryObject) -> DictionaryObject? {
      callCount.withLock { $0 += 1 }
      return body(input)
    }
  }

  init(_ body: @escaping @Sendable (DictionaryObject) -> DictionaryObject?) {
    model = CountingModel(body)
    register()
  }

  /// A model of numbers: the sum, the count, and whether the sum is large. It returns nil for an empty array.
  static func ofNumbers() -> TestModel {
    TestModel { input in
      guard let numbers = input.array(forKey: "numbers"), numbers.count > 0 else { return nil }
      let sum = (0..<numbers.count).reduce(0) { $0 + numbers.int(at: $1) }
      return MutableDictionaryObject(data: [
        "sum": sum, "count": numbers.count, "large": sum > 10, "all": numbers.toArray(),
        "nested": ["list": [["sum": sum]]],
      ])
    }
  }

  deinit { unregister() }

  func register() { Database.prediction.registerModel(model, withName: name) }

  func unregister() { Database.prediction.unregisterModel(withName: name) }

  /// Returns the number of calls to the model since this function was last called.
  func takeCallCount() -> Int {
    model.callCount.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}

extension Concordance.Collection {
  func save(_ id: String, _ json: String) throws { try save(document: MutableDocument(id: id, json: json)) }
}
