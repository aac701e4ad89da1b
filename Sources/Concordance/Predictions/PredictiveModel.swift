/// A machine-learning model that queries and indexes can call, with `PREDICTION` in SQL++ and
/// ``Function/prediction(model:input:)`` in the query builder.
///
/// ```swift
/// final class ImageClassifierModel: PredictiveModel {
///   func predict(input: DictionaryObject) -> DictionaryObject? {
///     guard let photo = input.blob(forKey: "photo")?.content else { return nil }
///     return MutableDictionaryObject(data: classify(photo))   // ["label": "car", "probability": 0.9]
///   }
/// }
/// Database.prediction.registerModel(ImageClassifierModel(), withName: "ImageClassifier")
/// ```
///
/// Requirements:
///
/// - The model is called on the thread that runs the query or saves the document. Several threads may call it at the
///   same time, so its mutable state needs a lock.
/// - The model is called inside a transaction. It may read blobs of the input, but must not save documents or close the
///   database: these calls throw ``CBLError/transactionNotClosed`` while a document is being saved, an index is being
///   created or a batch is open.
/// - The same input must always produce the same output, because indexes store the output. After the model has changed,
///   rebuild the indexes that use it with ``Collection/rebuildIndex(forName:progress:)``.
public protocol PredictiveModel {
  /// Returns the output of the model for an input.
  ///
  /// - Parameter input: the object that the query passes. A blob of a document is a ``Blob`` whose content can be read.
  /// - Returns: the output; nil if there is none. In queries, nil becomes MISSING.
  func predict(input: DictionaryObject) -> DictionaryObject?
}
