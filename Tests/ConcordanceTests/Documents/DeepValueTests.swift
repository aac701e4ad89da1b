import Concordance
import Foundation
import Testing

/// Values that are nested deeper than a document may be cannot be saved, and no operation with them overflows the
/// stack.
@Suite struct DeepValueTests {
  let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  private static let message = "\"a\" contains arrays and dictionaries nested deeper than 1000 levels"

  /// Returns a number in nested Swift arrays.
  private func nested(_ levels: Int) -> Any {
    var value: Any = 1
    for _ in 0..<levels { value = [value] }
    return value
  }

  /// Returns an empty array in nested arrays. They are nested so deeply that one stack frame per level does not fit in
  /// the stack.
  private func nestedObjects(_ levels: Int = 30_000) -> MutableArrayObject {
    var outer = MutableArrayObject()
    for _ in 1..<levels { outer = MutableArrayObject().addArray(outer) }
    return outer
  }

  @Test func deepSwiftArrayFailsTheSave() throws {
    let value = nested(5000)
    let documents = [
      MutableDocument(id: "x", data: ["a": value]), MutableDocument(id: "x").setValue(value, forKey: "a"),
      MutableDocument(id: "x").setData(["a": ["k": value]]),
    ]
    for document in documents {
      expectError(CBLError.invalidParameter, DeepValueTests.message) { try files.collection.save(document: document) }
      #expect(document.toJSON() == #"{"a":null}"#)
    }
    #expect(files.collection.count == 0)
  }

  @Test func deepSwiftDictionaryFailsTheSave() throws {
    var value: Any = 1
    for _ in 0..<3000 { value = ["k": value] }
    let document = MutableDocument(id: "x", data: ["a": [value]])
    expectError(CBLError.invalidParameter, DeepValueTests.message) { try files.collection.save(document: document) }
  }

  @Test func maximumDepthIncludesTheDocument() throws {
    try files.collection.save(document: MutableDocument(id: "x", data: ["a": nested(999)]))
    var fragment = try #require(try files.collection.document(id: "x"))["a"]
    for _ in 0..<999 { fragment = fragment[0] }
    #expect(fragment.int == 1)
    expectError(CBLError.invalidParameter, "deeper than 1000 levels") {
      try files.collection.save(document: MutableDocument(id: "y", data: ["a": nested(1000)]))
    }
  }

  @Test func deepParameterIsRefused() throws {
    let query = try files.database.createQuery("SELECT $list FROM _")
    query.parameters = Parameters().setValue(nested(5000), forName: "list")
    expectError(CBLError.invalidQueryParam, "nested deeper than 1000 levels") { _ = try query.execute() }
    query.parameters = Parameters().setArray(nestedObjects(), forName: "list")
    expectError(CBLError.invalidQueryParam, "nested deeper than 1000 levels") { _ = try query.execute() }
  }

  @Test func deepObjectsAreConvertedComparedAndReleased() throws {
    let array = nestedObjects()
    #expect(array.toJSON() == "null")
    #expect(array.toArray().count == 1)
    #expect(array == nestedObjects(31_000) && array != MutableArrayObject())
    #expect(Set([array, nestedObjects()]).count == 1)
    let copy = array.toMutable()
    copy.addInt(1)
    #expect(copy.count == 2 && array.count == 1)
    let document = MutableDocument(id: "x").setArray(array, forKey: "a").setArray(copy, forKey: "b")
    #expect(document.toDictionary().count == 2 && document != MutableDocument(id: "x"))
    expectError(CBLError.invalidParameter, "deeper than 1000 levels") { try files.collection.save(document: document) }
  }

  @Test func objectsNestedFromTheOutsideAreReleased() {
    let outer = MutableDictionaryObject()
    var inner = outer
    for number in 0..<30_000 {
      let next = MutableDictionaryObject()
      if number.isMultiple(of: 2) {
        inner.setDictionary(next, forKey: "k")
      } else {
        inner.setValue([next], forKey: "k")
      }
      inner = next
    }
    #expect(outer.count == 1)
    // An object that is still used keeps its items.
    let kept = MutableDictionaryObject(data: ["n": 1])
    _ = MutableArrayObject().addDictionary(kept)
    #expect(kept.int(forKey: "n") == 1)
  }

  /// A tree, of which each node is two levels: a dictionary and an array.
  struct Tree: Codable {
    var children: [Tree] = []

    init(depth: Int) {
      for _ in 1..<depth { children = [Tree(children)] }
    }

    private init(_ children: [Tree]) { self.children = children }
  }

  @Test func deepEncodableFailsTheSave() throws {
    struct Log: Codable {
      @DocumentID var id: String?
      var tree: Tree
    }
    try files.collection.save(from: Log(id: "x", tree: Tree(depth: 400)))
    #expect(try files.collection.document(id: "x", as: Log.self) != nil)
    expectError(CBLError.encodingError, "tree: arrays and dictionaries are nested deeper than 1000 levels") {
      try files.collection.save(from: Log(id: "y", tree: Tree(depth: 2000)))
    }
  }

  /// A value that is encoded as another one of its type, without a key or an array.
  struct Chain: Codable {
    var length: Int

    init(length: Int) { self.length = length }

    init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Chain.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if length == 0 { try container.encode(1) } else { try container.encode(Chain(length: length - 1)) }
    }
  }

  @Test func chainOfSingleValuesIsLimited() throws {
    struct Log: Codable {
      @DocumentID var id: String?
      var chain: Chain
    }
    try files.collection.save(from: Log(id: "x", chain: Chain(length: 100)))
    #expect(try files.collection.document(id: "x")?.int(forKey: "chain") == 1)
    expectError(CBLError.encodingError, "chain: values are nested deeper than 2000 levels") {
      try files.collection.save(from: Log(id: "y", chain: Chain(length: 1_000_000)))
    }
    expectError(CBLError.decodingError, "values are nested deeper than 2000 levels") {
      _ = try files.collection.document(id: "x", as: Log.self)
    }
  }

  @Test func deepObjectIsNotDecoded() {
    var node = MutableDictionaryObject().setArray(MutableArrayObject(), forKey: "children")
    for _ in 0..<2000 {
      let children = MutableArrayObject().addDictionary(node)
      node = MutableDictionaryObject().setArray(children, forKey: "children")
    }
    let document = MutableDocument(id: "x").setArray(MutableArrayObject().addDictionary(node), forKey: "children")
    expectError(CBLError.decodingError, "nested deeper than 1000 levels") { _ = try document.data(as: Tree.self) }
  }
}
