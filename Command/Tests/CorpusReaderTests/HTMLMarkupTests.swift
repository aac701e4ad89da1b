import JSONText
import Testing

@testable import CorpusReader

/// Markup that libxml2 reads differently from browsers.
struct HTMLMarkupTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    ("<p><![if !supportLists]><span>1.</span><![endif]>Item one</p>", "1.Item one"),
    ("<p>a <![CDATA[x < y & z]]> b</p>", "a x < y & z b"),
    ("<!DOCTYPE html [<!ENTITY e \"f\">]><p>text</p>", "text"),
    ("<p>a</p><![if x", "a"), ("<p>a <![CDATA[b", "a"),
    (
      "<p>a <![CDATA[ foo <b>bold</b></p><script>var x=1;</script><p>next</p><p><![CDATA[x>y</p>",
      "a bold\nnext\ny"
    ),
    ("<!DOCTYPE html [ <html><body><p>one</p><p>see a[b[0]]> two</p>", "one\nsee a[b[0]]> two"),
    ("<!DOCTYPE html [<!-- ]> --> %e; <?p ]?><!ENTITY e \"]>\"> ] ><p>text</p>", "text"),
  ])
  func declarationsAreNotText(page: String, text: String) throws {
    #expect(try folder.read("f.html", page)["text"] == .string(text))
  }

  @Test(arguments: [
    ("Dvo&rcaron;&aacute;k, &Lstrok;&oacute;d&zacute;", "Dvořák, Łódź"), ("caf&eacute hidden", "café hidden"),
    ("L'&#156;uvre, don&#146;t, &#x8A;koda, 1&#150t", "L'œuvre, don’t, Škoda, 1–t"), ("a &lt b &amp c", "a < b & c"),
    ("&notes &frac12 &unknown; x&y", "¬es ½ &unknown; x&y"), ("&#233; &#x2014;", "é —"),
  ])
  func references(text: String, expected: String) throws {
    #expect(try folder.read("f.html", "<p>\(text)</p>")["text"] == .string(expected))
  }

  /// References in attributes, scripts and comments are not text.
  @Test func referencesOutsideTextAreUnchanged() {
    let page = "<a title='&rcaron;&eacute x'>y</a><script>&eacute </script><!-- &#146; --><style>&eacute </style>"
    let edited = Array(page.utf8).withUnsafeBytes { HTMLRewriter.rewritten($0) }
    #expect(edited == nil)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["<![", "<![CDATA[", "<!DOCTYPE [", "<b>&", "&", "<b>"])
  func markupWithoutAnEndIsReadInLinearTime(markup: String) {
    let page = Array(String(repeating: markup, count: 500_000).utf8) + Array("&eacute ".utf8)
    let edited = page.withUnsafeBytes { HTMLRewriter.rewritten($0) }
    #expect(edited != nil)
  }

  @Test(arguments: [
    ("<svg><path><p>visible</p><h2>more</h2>", "visible\nmore"), ("<p>a<svg><text>b</text></svg>c</p>", "ac"),
    ("<math><mi>x</mi><div>visible</div>", "visible"), ("<object data=x><p>fallback</p></object>", "fallback"),
    (
      "<svg><foreignObject><div>Label</div></foreignObject><text>Label</text><metadata>secret</metadata></svg><p>x</p>",
      "x"
    ),
    ("<math><annotation-xml><p>a</p></annotation-xml><mi>b</mi></math><p>x</p>", "x"),
    ("<svg><foreignObject><p>a</svg><svg><path><p>visible</p>", "visible"),
  ])
  func pictures(page: String, text: String) throws {
    #expect(try folder.read("f.html", page)["text"] == .string(text))
  }

  @Test(arguments: [
    ("<p><ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>です</p><p>次</p>", "漢字です\nかん じ\n次"),
    ("<p><ruby>a<rp>(<rt>b<rp>)</ruby>c", "ac\nb"),
    ("<p><ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>c</p>", "ac\nb"), ("<ruby>a<rt>b<p>c</p>", "a\nb\nc"),
    ("<p><ruby>a<rt>\n  b\n  c\n</rt><rtc> <rt>d </rt></rtc></ruby></p><p>e</p>", "a\nb c d\ne"),
    ("<p><ruby>a<rt> </rt></ruby></p><p>b</p>", "a\nb"),
  ])
  func rubyTextFollowsItsParagraph(page: String, text: String) throws {
    #expect(try folder.read("f.html", page)["text"] == .string(text))
  }
}
