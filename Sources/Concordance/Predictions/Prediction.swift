import Synchronization

/// The models of the process that queries can call, by name. See ``Database/prediction``.
public final class Prediction: Sendable {
  private let models = Mutex<[String: RegisteredModel]>([:])

  init() {}

  /// Registers a model. It replaces a model with the same name.
  ///
  /// Queries that begin afterwards call it, in every database of the process. Indexes that lack documents because the
  /// model was not registered are completed when the database is opened for writing, when they are created again, or by
  /// ``Collection/rebuildIndex(forName:progress:)``.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - name: its name in queries.
  public func registerModel(_ model: any PredictiveModel, withName name: String) {
    let registered = RegisteredModel(model: model)
    // The one before is let go outside of the lock: its end may do anything.
    _ = models.withLock { $0.updateValue(registered, forKey: name) }
  }

  /// Unregisters a model. Does nothing if it is not registered.
  ///
  /// Queries that call it fail with ``CBLError/invalidQuery``, unless a predictive index contains its outputs.
  /// Documents can be saved; an index that needs the model for one of them is not used until the model is registered
  /// again, see ``registerModel(_:withName:)``.
  ///
  /// - Parameter name: its name in queries.
  public func unregisterModel(withName name: String) {
    _ = models.withLock { $0.removeValue(forKey: name) }
  }

  /// The model with this name.
  func model(named name: String) -> (any PredictiveModel)? { models.withLock { $0[name] }?.model }

  /// Whether all of these are registered.
  func hasModels(_ names: Set<String>) -> Bool { models.withLock { models in names.allSatisfy { models[$0] != nil } } }
}

/// A model, which may be a class of which the compiler knows nothing.
///
/// `@unchecked Sendable`: the reference never changes, so it needs no lock; that the model itself is called by several
/// threads is what ``PredictiveModel`` asks of it.
private struct RegisteredModel: @unchecked Sendable {
  let model: any PredictiveModel
}

extension Database {
  /// The models that queries can call, shared by all databases of the process.
  ///
  /// ```swift
  /// Database.prediction.registerModel(ImageClassifierModel(), withName: "ImageClassifier")
  /// ```
  public static let prediction = Prediction()
}
