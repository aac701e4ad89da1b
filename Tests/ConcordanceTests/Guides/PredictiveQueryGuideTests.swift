import Concordance
import Foundation
import Testing

// swift-format-ignore
/// Example 29, with a classifier that reads its answer from the picture: `car 0.9`.
private class myMLModel {
  static func predictImage(data: Data) -> [String: AnyObject] {
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    return ["label": String(words[0]) as AnyObject, "probablity": NSNumber(value: Double(words[1]) ?? 0)]
  }
}

// swift-format-ignore: NeverForceUnwrap
private class ImageClassifierModel: PredictiveModel {
  func predict(input: DictionaryObject) -> DictionaryObject? {
    guard let blob = input.blob(forKey: "photo") else {
      return nil
    }

    let imageData = blob.content!
    // `myMLModel` is a fake implementation
    // this would be the implementation of the ml model you have chosen
    let modelOutput = myMLModel.predictImage(data: imageData)

    let output = MutableDictionaryObject(data: modelOutput)
    return output
  }
}

/// The examples of the guide to predictive queries, 29 to 34, as they are written there. One test: they all name one
/// model.
@Suite struct PredictiveQueryGuideTests {
  @Test func examples() throws {
    let files = try TemporaryDatabase()
    let collection = try files.database.createCollection(name: "photos")
    func save(_ id: String, _ picture: String?) throws {
      let document = MutableDocument(id: id)
      if let picture { document.setBlob(Blob(contentType: "image/jpeg", data: Data(picture.utf8)), forKey: "photo") }
      try collection.save(document: document)
    }
    for (id, picture) in [("a", "car 0.9"), ("b", "car 0.5"), ("c", "cat 0.95"), ("d", "car 0.8")] {
      try save(id, picture)
    }
    try save("e", nil)

    // Example 30
    let model = ImageClassifierModel()
    Database.prediction.registerModel(model, withName: "ImageClassifier")

    // Example 33
    let query = GuideQueries.prediction(collection)
    func count() throws -> Int { try query.execute().allResults().count }
    #expect(try count() == 2)

    // Example 31
    let input = Expression.dictionary(["photo": Expression.property("photo")])
    let prediction = Function.prediction(model: "ImageClassifier", input: input)

    let valueIndex = IndexBuilder.valueIndex(items: ValueIndexItem.expression(prediction.property("label")))
    try collection.createIndex(valueIndex, name: "value-index-image-classifier")
    #expect(try count() == 2)
    #expect(try query.explain().contains("value index \"value-index-image-classifier\" is searched for PREDICTION("))

    // Example 32
    let predictiveIndex = IndexBuilder.predictiveIndex(model: "ImageClassifier", input: input)
    try collection.createIndex(predictiveIndex, name: "predictive-index-image-classifier")
    #expect(try collection.indexes() == ["predictive-index-image-classifier", "value-index-image-classifier"])
    #expect(try count() == 2)
    try save("f", "car 1")
    #expect(try count() == 3)

    // Example 34
    Database.prediction.unregisterModel(withName: "ImageClassifier")
    #expect(try count() == 3, "the indexes hold all predictions")
    for name in try collection.indexes() { try collection.deleteIndex(forName: name) }
    expectError(CBLError.invalidQuery, "there is no model \"ImageClassifier\"") { _ = try count() }
  }
}
