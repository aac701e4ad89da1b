@testable import Replication
import Testing

@Suite struct GatewayBodyTests {
  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#), (#"{ "a" : "_b" }"#, #"{ "a" : "_b" }"#), ("{\"_a\":", "{\"_a\":"), ("", ""),
    (#"{"_id":"x","a":{"_b":1},"_rev":"1-a","c":[]}"#, #"{"a":{"_b":1},"c":[]}"#),
    (#"{"_attachments":{"blob_/f":{"digest":"sha1-x","stub":true}},"f":{"@type":"blob"}}"#, #"{"f":{"@type":"blob"}}"#),
    (
      #"{"_attachments":{"blob_/f":{"stub":true},"photo.png":{"stub":true}},"f":1}"#,
      #"{"_attachments":{"photo.png":{"stub":true}},"f":1}"#
    ),
    (#"{"_removed":false,"a":1}"#, #"{"a":1}"#),
  ]) func addedPropertiesAreRemoved(body: String, text: String) {
    #expect(GatewayBody.content(of: Array(body.utf8)) == .document(Array(text.utf8)))
  }

  @Test func aRemovalIsRecognized() {
    #expect(GatewayBody.content(of: Array(#"{"_removed":true}"#.utf8)) == .removal)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#), ("{", "{"), (#"{"f":{"@type":"blob"}}"#, #"{"f":{"@type":"blob"}}"#),
    (
      #"{"f":{"@type":"blob","digest":"sha1-x","length":2}}"#,
      #"{"f":{"@type":"blob","digest":"sha1-x","length":2},"#
        + #""_attachments":{"blob_/f":{"digest":"sha1-x","length":2,"stub":true}}}"#
    ),
    (
      #"{"_attachments":{"a.png":{"stub":true}},"l":[0,{"f":{"@type":"blob","digest":"sha1-y"}}]}"#,
      #"{"l":[0,{"f":{"@type":"blob","digest":"sha1-y"}}],"#
        + #""_attachments":{"blob_/l/1/f":{"digest":"sha1-y","stub":true},"a.png":{"stub":true}}}"#
    ),
    (
      #"{"a":{"b":[[1],{"@type":"blob","digest":"sha1-x"}],"c":2},"d":[{"@type":"blob","digest":"sha1-y"}]}"#,
      #"{"a":{"b":[[1],{"@type":"blob","digest":"sha1-x"}],"c":2},"d":[{"@type":"blob","digest":"sha1-y"}],"#
        + #""_attachments":{"blob_/a/b/1":{"digest":"sha1-x","stub":true},"blob_/d/0":{"digest":"sha1-y","stub":true}}}"#
    ),
  ]) func blobsAreRepeatedAsAttachments(body: String, text: String) {
    let result = GatewayBody.addingAttachments(to: Array(body.utf8))
    #expect(String(decoding: result, as: UTF8.self) == text)
  }

  /// The text would be parsed into a tree that takes many times its memory.
  @Test func aHugeBodyIsNotParsed() {
    let text = [UInt8](repeating: UInt8(ascii: " "), count: GatewayBody.maximumSize)
    guard case .document(let content) = GatewayBody.content(of: Array(#"{"_removed":true}"#.utf8) + text) else {
      Issue.record("the body was parsed")
      return
    }
    #expect(content.count > GatewayBody.maximumSize)
  }

  @Test(arguments: [
    ("text/plain", true), ("TEXT/HTML; charset=utf-8", true), ("application/json", true), ("image/svg+xml", true),
    ("image/png", false), ("application/zip", false), ("application/pdf", false), (nil, false),
  ]) func textIsCompressible(type: String?, isCompressible: Bool) {
    #expect(MissingBlob(digest: "sha1-x", contentType: type).isCompressible == isCompressible)
  }
}
