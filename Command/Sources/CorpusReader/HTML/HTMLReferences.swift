/// Finds the character references in the text of a page that libxml2, which knows only HTML 4, decodes differently from
/// browsers (<https://html.spec.whatwg.org/#character-reference-state>):
///
/// - numbers from 0x80 to 0x9F, which mean the characters of Windows-1252: `&#146;`;
/// - the older names without a semicolon: `caf&eacute`;
/// - names that HTML 5 added: `Dvo&rcaron;&aacute;k`. Only those of Latin letters and of ASCII are known.
enum HTMLReferences {
  /// Returns how to change the reference that begins with the `&` at an offset; nil if libxml2 decodes it, or if it is
  /// text.
  ///
  /// - Complexity: O(1), since names and numbers are limited.
  static func edit(at start: Int, in page: UnsafeRawBufferPointer) -> HTMLEdit? {
    let rest = page[(start + 1)...].prefix(maximumCount)
    if rest.first == UInt8(ascii: "#") { return numberEdit(at: start, rest.dropFirst()) }
    let name = rest.prefix { $0.isReferencePart }
    guard !name.isEmpty else { return nil }
    if name.endIndex < page.count, page[name.endIndex] == UInt8(ascii: ";") {
      return added[String(decoding: name, as: UTF8.self)].map {
        HTMLEdit(range: start..<(name.endIndex + 1), replacement: $0)
      }
    }
    // The longest name counts: `&notes` is `¬es`, and `&frac12` is not `&frac1` and `2`.
    for count in stride(from: min(name.count, longestLegacyName), to: 1, by: -1)
    where legacy.contains(String(decoding: name.prefix(count), as: UTF8.self)) {
      let end = start + 1 + count
      return HTMLEdit(range: end..<end, replacement: ";")
    }
    return nil
  }

  /// - Parameter text: the bytes after `&#`.
  private static func numberEdit(at start: Int, _ text: Slice<UnsafeRawBufferPointer>) -> HTMLEdit? {
    let isHexadecimal = text.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = text.dropFirst(isHexadecimal ? 1 : 0).prefix {
      $0 &- 0x30 < 10 || isHexadecimal && ($0 | 0x20) &- 0x61 < 6
    }
    guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      let replacement = Windows1252.character(ofControl: value)
    else { return nil }
    let isClosed = text[digits.endIndex...].first == UInt8(ascii: ";")
    return HTMLEdit(range: start..<(digits.endIndex + (isClosed ? 1 : 0)), replacement: replacement)
  }

  /// The maximum length of a reference in bytes.
  private static let maximumCount = 32
  private static let longestLegacyName = 6

  /// The names that are valid without a semicolon and that HTML 4 contains.
  private static let legacy: Set<String> = Set(
    """
    AElig Aacute Acirc Agrave Aring Atilde Auml Ccedil ETH Eacute Ecirc Egrave Euml Iacute Icirc Igrave Iuml Ntilde
    Oacute Ocirc Ograve Oslash Otilde Ouml THORN Uacute Ucirc Ugrave Uuml Yacute aacute acirc acute aelig agrave amp
    aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12 frac14 frac34
    gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde oacute ocirc ograve ordf ordm
    oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3 szlig thorn times uacute ucirc ugrave
    uml uuml yacute yen yuml
    """.split { $0.isWhitespace }.map { String($0) })

  /// The characters of names that HTML 4 does not contain, as HTML.
  private static let added: [String: String] = {
    let words = """
      Amacr Ā amacr ā Abreve Ă abreve ă Aogon Ą aogon ą Cacute Ć cacute ć Ccirc Ĉ ccirc ĉ Cdot Ċ cdot ċ Ccaron Č
      ccaron č Dcaron Ď dcaron ď Dstrok Đ dstrok đ Emacr Ē emacr ē Edot Ė edot ė Eogon Ę eogon ę Ecaron Ě ecaron ě
      Gcirc Ĝ gcirc ĝ Gbreve Ğ gbreve ğ Gdot Ġ gdot ġ Gcedil Ģ gacute ǵ Hcirc Ĥ hcirc ĥ Hstrok Ħ hstrok ħ Itilde Ĩ
      itilde ĩ Imacr Ī imacr ī Iogon Į iogon į Idot İ imath ı inodot ı IJlig Ĳ ijlig ĳ Jcirc Ĵ jcirc ĵ Kcedil Ķ
      kcedil ķ kgreen ĸ Lacute Ĺ lacute ĺ Lcedil Ļ lcedil ļ Lcaron Ľ lcaron ľ Lmidot Ŀ lmidot ŀ Lstrok Ł lstrok ł
      Nacute Ń nacute ń Ncedil Ņ ncedil ņ Ncaron Ň ncaron ň napos ŉ ENG Ŋ eng ŋ Omacr Ō omacr ō Odblac Ő odblac ő
      Racute Ŕ racute ŕ Rcedil Ŗ rcedil ŗ Rcaron Ř rcaron ř Sacute Ś sacute ś Scirc Ŝ scirc ŝ Scedil Ş scedil ş
      Tcedil Ţ tcedil ţ Tcaron Ť tcaron ť Tstrok Ŧ tstrok ŧ Utilde Ũ utilde ũ Umacr Ū umacr ū Ubreve Ŭ ubreve ŭ
      Uring Ů uring ů Udblac Ű udblac ű Uogon Ų uogon ų Wcirc Ŵ wcirc ŵ Ycirc Ŷ ycirc ŷ Zacute Ź zacute ź Zdot Ż
      zdot ż Zcaron Ž zcaron ž fflig ﬀ filig ﬁ fllig ﬂ ffilig ﬃ ffllig ﬄ AMP &amp; LT &lt; GT &gt; QUOT " COPY ©
      REG ® TRADE ™ apos ' num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ;
      equals = quest ? excl ! commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] lowbar _ grave ` lcub { lbrace { vert |
      verbar | rcub } rbrace } hyphen ‐ dash ‐ numero № check ✓
      """.split { $0.isWhitespace }
    var characters: [String: String] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      characters[String(words[index])] = String(words[index + 1])
    }
    return characters
  }()
}

extension UInt8 {
  fileprivate var isReferencePart: Bool { (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 }
}
