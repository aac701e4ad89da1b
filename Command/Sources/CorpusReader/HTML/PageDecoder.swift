/// Decodes HTML: files, and parts of mail messages without a named character set.
struct PageDecoder {
  let decoder: TextDecoder

  /// Decodes a page. A page that is not UTF-8, or that contains escape sequences, may declare its character set.
  ///
  /// - Returns: bytes that are valid as long as `page` is and until the decoder is used again, or the reason why the
  ///   page is not text.
  func decode(_ page: UnsafeRawBufferPointer) -> Result<UnsafeRawBufferPointer, UndecodableText> {
    if let text = PageDecoder.declaredText(page) { return .success(decoder.keep(text)) }
    let result = decoder.decode(page)
    // Text that cannot be in another character set is in the declared one, with damaged characters.
    guard case .failure(let fault) = result, fault.kind == .notUTF8, TextEncoding(sniffing: page) == .bytes(mark: 0),
      let name = HTMLCharacterSet.declared(in: page), NamedCharacterSet.isUTF8(name)
    else { return result }
    return .success(decoder.keep(Array(String(decoding: page, as: UTF8.self).utf8)))
  }

  /// Returns the text of a page in the character set that it declares; nil if it declares none, or if the declaration
  /// is not needed or wrong.
  static func declaredText(_ page: UnsafeRawBufferPointer) -> [UInt8]? {
    let isUTF8 = page.isUTF8
    guard !isUTF8 || HTMLCharacterSet.hasEscapeSequences(page), TextEncoding(sniffing: page) == .bytes(mark: 0),
      let name = HTMLCharacterSet.declared(in: page), !isUTF8 || HTMLCharacterSet.usesEscapeSequences(name)
    else { return nil }
    return NamedCharacterSet.decode(page, name: name)
  }
}
