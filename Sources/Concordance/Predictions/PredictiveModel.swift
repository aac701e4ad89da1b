/// A model of machine learning that queries and indexes may ask, with `PREDICTION` in SQL++ and
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
/// What a model has to bear: it is called by the thread that runs the query or saves the document, and by several at a time
/// where several do, so what it changes must be under a lock. It is called inside of a transaction: it may read blobs of the
/// input, and must not save documents or close the database: while a document is saved, an index made or a batch is open, that
/// throws ``CBLError/transactionNotClosed``. The same input must give the same output, for indexes keep it; when a model has
/// learnt something, make its indexes anew with ``Collection/rebuildIndex(forName:progress:)``.
public protocol PredictiveModel {
  /// What the model says of an input.
  ///
  /// - Parameter input: what the query gives. A blob of a document is a ``Blob`` whose content can be read.
  /// - Returns: the output; nil for none, which is MISSING in queries.
  func predict(input: DictionaryObject) -> DictionaryObject?
}
