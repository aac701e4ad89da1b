import CorpusReader
import Foundation
import JSONText
import Testing

/// Tags with more attributes than libxml2 reads in reasonable time.
@Suite struct HTMLAttributeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ page: String) throws -> JSONValue? { try folder.read("f.html", page)["text"] }

  /// With a comparison of each attribute with all others this takes minutes.
  @Test(.timeLimit(.minutes(1)))
  func aTagWithManyAttributesIsReadInLinearTime() throws {
    let attributes = (0..<300_000).map { "a\($0)=x" }.joined(separator: " ")
    #expect(try text("<p>one<a \(attributes)>two</a> three</p>") == .string("onetwo three"))
  }

  @Test func attributesPastTheLimitDoNotChangeTheText() throws {
    let many = (0..<400).map { "a\($0)='<b>>' b\($0)=\"/>\" c\($0)=d/e / @\($0)" }.joined(separator: "\n")
    #expect(try text("<p \(many)>one</p><br \(many)/><p>two</p>") == .string("one\ntwo"))
  }

  @Test func textThatLooksLikeAttributesIsKept() throws {
    let words = (0..<400).map { "w\($0)" }.joined(separator: " ")
    for page in [
      "a < \(words) > b", "<!-- <a \(words) --> \(words) \"", "<script>if (a<b \(words) '</script>\(words)",
      "<p>\(words)",
    ] {
      guard case .string(let text) = try text("<body>" + page) else { return #expect(Bool(false)) }
      #expect(text.contains("w0 w1 ") && text.contains("w398 w399"), "\(page.prefix(20))")
    }
  }

  @Test(arguments: ["<a", "<a b", "<a b=", "<a b='", "<a b=\"x", "<", "</", "<!--", "<script", "<script>", "<a /"])
  func cutTagsEnd(end: String) throws {
    let many = (0..<300).map { "a\($0)" }.joined(separator: " ")
    for page in ["text\(end)", "text<p \(many) \(end)"] {
      guard case .string(let text) = try text(page) else { return #expect(Bool(false)) }
      #expect(text.hasPrefix("text"))
    }
  }
}
