import Synchronization

/// The models of the process that queries can call, by name. See ``Database/prediction``.
public final class Prediction: Sendable {
  private let models = Mutex<[String: RegisteredModel]>([:])

  init() {}

  /// Registers a model. It replaces a model with the same name.
  ///
  /// Queries that start afterwards, in any database of the process, call this model. An index that lacks documents
  /// because the model was not registered is completed when the database is opened for writing, when the index is
  /// created again, or by ``Collection/rebuildIndex(forName:progress:)``.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - name: its name in queries.
  public func registerModel(_ model: any PredictiveModel, withName name: String) {
    let registered = RegisteredModel(model: model)
    // The replaced model is released outside the lock, because its deinitializer may run any code.
    _ = models.withLock { $0.updateValue(registered, forKey: name) }
  }

  /// Unregisters a model. Does nothing if it is not registered.
  ///
  /// Queries that call it fail with ``CBLError/invalidQuery``, unless a predictive index contains its outputs.
  /// Documents can still be saved. An index that needs the model for one of them is not used until the model is
  /// registered again and the index is completed. See ``registerModel(_:withName:)``.
  ///
  /// - Parameter name: its name in queries.
  public func unregisterModel(withName name: String) {
    _ = models.withLock { $0.removeValue(forKey: name) }
  }

  /// Returns the model with the given name.
  func model(named name: String) -> (any PredictiveModel)? { models.withLock { $0[name] }?.model }

  /// Returns whether a model is registered under each of these names.
  func hasModels(_ names: Set<String>) -> Bool { models.withLock { models in names.allSatisfy { models[$0] != nil } } }
}

/// A registered model, whose type need not be `Sendable`.
///
/// `@unchecked Sendable`: the reference never changes, so it needs no lock. ``PredictiveModel`` requires that several
/// threads can call the model at the same time.
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
