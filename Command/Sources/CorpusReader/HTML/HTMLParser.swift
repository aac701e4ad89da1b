import CLibXML2
import Foundation

/// Extracts the text of HTML with libxml2's parser, which repairs malformed markup as browsers do.
///
/// The parser reports elements and text to callbacks (SAX) and builds no tree, so memory is proportional to the text.
/// Not `Sendable`: each thread needs its own.
final class HTMLParser {
  private let context: htmlParserCtxtPtr
  private let sink = HTMLTextSink()

  /// Initializes the global tables of libxml2 before threads use it (<http://xmlsoft.org/threads.html>).
  private static let library: Void = xmlInitParser()

  init() throws(SystemError) {
    _ = HTMLParser.library
    // Fails only if memory cannot be allocated.
    guard let context = htmlNewParserCtxt() else { throw SystemError(code: ENOMEM) }
    self.context = context
    guard let handlers = context.pointee.sax else { return }
    handlers.pointee = htmlSAXHandler()
    handlers.pointee.startElement = { context, name, _ in HTMLTextSink.at(context)?.builder.start(name) }
    handlers.pointee.endElement = { context, name in HTMLTextSink.at(context)?.builder.end(name) }
    handlers.pointee.characters = { context, text, count in
      HTMLTextSink.at(context)?.builder.append(text, count)
    }
    handlers.pointee.ignorableWhitespace = { context, text, count in
      HTMLTextSink.at(context)?.builder.append(text, count)
    }
    // The parser passes scripts and styles to this callback; the builder ignores text inside these elements.
    handlers.pointee.cdataBlock = { context, text, count in
      HTMLTextSink.at(context)?.builder.append(text, count)
    }
  }

  deinit { htmlFreeParserCtxt(context) }

  /// Returns the text and the title of a page in UTF-8, regardless of the character set that the page declares.
  func parse(_ page: UnsafeRawBufferPointer) -> HTMLText {
    sink.builder = HTMLTextBuilder()
    if page.isEmpty { return sink.builder.result }
    // The parser treats a NUL byte as the end; HTML replaces it with U+FFFD.
    if page.hasNUL {
      let replaced = page.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
      return replaced.withUnsafeBytes { parse($0) }
    }
    if let rewritten = HTMLRewriter.rewritten(page) {
      return rewritten.withUnsafeBytes { parseBounded($0) }
    }
    return parseBounded(page)
  }

  /// Parses a page without NUL bytes that does not exceed the limits of ``HTMLRewriter``.
  private func parseBounded(_ page: UnsafeRawBufferPointer) -> HTMLText {
    let options =
      Int32(HTML_PARSE_RECOVER.rawValue) | Int32(HTML_PARSE_NOERROR.rawValue)
      | Int32(HTML_PARSE_NOWARNING.rawValue) | Int32(HTML_PARSE_NONET.rawValue)
      | Int32(HTML_PARSE_IGNORE_ENC.rawValue)
    // Set before the call, which resets the context but keeps the user data.
    context.pointee.userData = Unmanaged.passUnretained(sink).toOpaque()
    let bytes = page.assumingMemoryBound(to: CChar.self)
    withExtendedLifetime(sink) {
      // Without tree callbacks there is no document to free.
      _ = htmlCtxtReadMemory(context, bytes.baseAddress, Int32(clamping: bytes.count), nil, "UTF-8", options)
    }
    return sink.builder.result
  }
}
