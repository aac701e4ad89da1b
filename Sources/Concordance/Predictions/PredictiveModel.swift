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
/// - It is called by the thread that runs the query or saves the document, and by several threads at the same time, so
///   its mutable state needs a lock.
/// - It is called inside a transaction. It may read blobs of the input. It must not save documents or close the
///   database: while a document is saved, an index created or a batch open, that throws
///   ``CBLError/transactionNotClosed``.
/// - The same input must give the same output, because indexes store it. After the model has changed, rebuild its
///   indexes with ``Collection/rebuildIndex(forName:progress:)``.
public protocol PredictiveModel {
  /// Returns the output of the model for an input.
  ///
  /// - Parameter input: the object of the query. A blob of a document is a ``Blob`` whose content can be read.
  /// - Returns: the output; nil for none, which is MISSING in queries.
  func predict(input: DictionaryObject) -> DictionaryObject?
}
