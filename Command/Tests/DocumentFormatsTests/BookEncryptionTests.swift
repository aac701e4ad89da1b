import DocumentFormats
import Testing

/// Books with encrypted files: only encrypted chapters are lost.
struct BookEncryptionTests {
  /// Returns a book with the chapters `a b` and `c`.
  private func extract(encrypted paths: [String]) throws -> Extracted {
    let items = "<item id='a' href='a%20b.xhtml'/><item id='c' href='c.xhtml'/>"
    let references = paths.map {
      "<e:EncryptedData><e:CipherData><e:CipherReference URI='\($0)'/></e:CipherData></e:EncryptedData>"
    }
    return try Extracted(
      [
        ("META-INF/container.xml", "<c><rootfile full-path='OPS/a.opf'/></c>"),
        (
          "META-INF/encryption.xml",
          "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#' about='application/xhtml+xml'>\(references.joined())"
            + "</encryption>"
        ),
        (
          "OPS/a.opf",
          "<package><manifest>\(items)</manifest><spine><itemref idref='a'/><itemref idref='c'/></spine></package>"
        ), ("OPS/a b.xhtml", "<p>one</p>"), ("OPS/c.xhtml", "<p>two</p>"),
      ], named: "a.epub")
  }

  @Test func obfuscatedFontsDoNotAffectTheChapters() throws {
    let extracted = try extract(encrypted: ["OPS/fonts/serif.otf"])
    #expect(extracted.fault == nil && extracted.failures.isEmpty && extracted.texts == ["<p>one</p>", "<p>two</p>"])
  }

  @Test func anEncryptedChapterIsASkippedMember() throws {
    let extracted = try extract(encrypted: ["OPS/a%20b.xhtml"])
    #expect(extracted.fault == nil && extracted.texts == ["<p>two</p>"])
    #expect(extracted.failures.map(\.member) == ["OPS/a b.xhtml"] && extracted.failures.map(\.kind) == [.encrypted])
  }

  @Test func aBookOfEncryptedChaptersIsEncrypted() throws {
    let extracted = try extract(encrypted: ["OPS/a%20b.xhtml", "OPS/c.xhtml"])
    #expect(extracted.fault?.kind == .encrypted && extracted.parts.isEmpty)
  }
}
