import JSONText
import Testing

@testable import DocumentStore

/// The search for blob references in the text of a document, which must not miss any.
@Suite struct BlobReferenceSearchTests {
  private static let keys = [
    #""@type":"blob""#, #""_cbltype": "blob""#, #""\u0040type":"blob""#, #""@typ\u0065":"blob""#,
    #""_cbl\u0074ype":"blob""#, #""\u005Fcbltype":"blob""#,
  ]
  private static let others = [
    #""type":"blob""#, #""@tape":"blob""#, #""cbltype":"blob""#, #""a":"\u00e9""#, #""b":"\n@ _cbl t\"""#,
    #""\u0100type":1"#, #""t":"\u2028""#,
  ]

  /// Every offset relative to the blocks of the search, and every distance to the end of the text.
  @Test(arguments: keys) func aReferenceIsFoundAtEachOffset(key: String) throws {
    for before in 0..<70 {
      for after in [0, 1, 2, 3, 4, 5, 30, 31, 32, 33, 40] {
        let json =
          #"{"p":"\#(String(repeating: "x", count: before))",\#(key),"q":"\#(String(repeating: "t", count: after))"}"#
        #expect(try DocumentBody(object: Array(json.utf8)).mayReferenceBlobs, "\(before) \(after)")
      }
    }
    #expect(try DocumentBody(object: Array("{\(key)}".utf8)).mayReferenceBlobs)
  }

  @Test(arguments: others) func otherKeysAreNotReferences(key: String) throws {
    for before in 0..<70 {
      let json = #"{"p":"\#(String(repeating: "t", count: before))",\#(key)}"#
      #expect(try !DocumentBody(object: Array(json.utf8)).mayReferenceBlobs, "\(before)")
    }
  }
}
