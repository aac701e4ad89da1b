@testable import CorpusReader
import Foundation
import JSONText
import Testing

/// Tags with more attributes, and more open elements, than libxml2 reads in reasonable time.
@Suite struct HTMLLimitTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ page: String) throws -> JSONValue? { try folder.read("f.html", page)["text"] }

  /// Comparing each attribute with all others would take minutes.
  @Test(.timeLimit(.minutes(10)))
  func tagWithManyAttributesIsReadInLinearTime() throws {
    let attributes = (0..<200_000).map { "a\($0)=x" }.joined(separator: " ")
    #expect(try text("<p>one<a \(attributes)>two</a> three</p>") == .string("onetwo three"))
  }

  /// Comparing each end tag with all open elements would take minutes.
  @Test(.timeLimit(.minutes(10)))
  func endTagsOfElementsThatAreNotOpenAreReadInLinearTime() throws {
    let count = 100_000
    let page = String(repeating: "<b>", count: count) + "one" + String(repeating: "</i>", count: count) + " two"
    #expect(try text(page) == .string("one two"))
  }

  @Test func tagsAboveTheDepthLimitSeparateLinesAndCells() throws {
    let deep = String(repeating: "<font>", count: 1000)
    #expect(try text(deep + "<div>a</div>b<table><tr><td>c<td>d</table><b>e</b>f") == .string("a\nb\nc d\nef"))
    #expect(try text(deep + "<script>1 < 2</script>a") == .string("a"))
  }

  /// Elements whose end tags are omitted are not nested.
  @Test func omittedEndTagsDoNotCountAsOpenElements() {
    let rows = String(repeating: "<tr><td><p>a<td>b<ul><li><p>c<li>d</ul>", count: 2000)
    #expect(boundedCount("<html><body><p>x<table>" + rows + "</table><wbr><img>") == nil)
    #expect(boundedCount(String(repeating: "<div><b>a</div>", count: 2000)) == nil)
  }

  /// Returns the size of a page after the limits are applied; nil if it does not exceed them.
  private func boundedCount(_ page: String) -> Int? {
    Array(page.utf8).withUnsafeBytes { HTMLRewriter.rewritten($0)?.count }
  }

  /// Everything that libxml2 recognizes as the start of a tag or an attribute must be recognized here.
  @Test(
    arguments: [
      "<!-- --!>", "<!--->-->", "<script/>", "<p 1=\">", "<p é='>", "<_:x>", "<?x>", "<!DOCTYPE a 'b>", "<p a=b'>",
    ])
  func everyTagIsBounded(before: String) throws {
    let attributes = (0..<3000).map { "a\($0)=x" }.joined(separator: " ")
    let count = try #require(boundedCount(before + "<a \(attributes)>two</a>"))
    #expect(count < 5000)
  }

  /// libxml2 reads a hundred bytes of a name at a time.
  @Test func longNameCountsAsManyAttributes() throws {
    let count = try #require(boundedCount("<a " + String(repeating: "x", count: 100_000) + ">two</a>"))
    #expect(count < 30_000)
  }

  @Test func attributesAboveTheLimitDoNotChangeTheText() throws {
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
  func truncatedTagsEnd(end: String) throws {
    let many = (0..<300).map { "a\($0)" }.joined(separator: " ")
    for page in ["text\(end)", "text<p \(many) \(end)"] {
      guard case .string(let text) = try text(page) else { return #expect(Bool(false)) }
      #expect(text.hasPrefix("text"))
    }
  }
}
