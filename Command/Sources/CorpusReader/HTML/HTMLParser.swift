import CLibXML2
import Foundation

/// Takes the text out of HTML with libxml2's parser, which repairs what browsers repair.
///
/// The parser calls back with elements and text (SAX) and builds no tree, so that memory stays in proportion to the
/// text. Not `Sendable`: one for each thread.
final class HTMLParser {
  private let context: htmlParserCtxtPtr
  private let sink = HTMLTextSink()

  /// libxml2 has global tables that must be made before threads use it (<http://xmlsoft.org/threads.html>).
  private static let library: Void = xmlInitParser()

  init() throws(SystemError) {
    _ = HTMLParser.library
    // Only a lack of memory makes this fail.
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
    // Scripts and styles come this way; the sink knows that it is in one.
    handlers.pointee.cdataBlock = { context, text, count in
      HTMLTextSink.at(context)?.builder.append(text, count)
    }
  }

  deinit { htmlFreeParserCtxt(context) }

  /// The text and the title of a page in UTF-8, whatever the page says about itself.
  func parse(_ page: UnsafeRawBufferPointer) -> HTMLText {
    sink.builder = HTMLTextBuilder()
    if page.isEmpty { return sink.builder.result }
    // The parser takes a NUL byte for the end; HTML has U+FFFD in its place.
    if page.hasNUL {
      let replaced = page.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
      return replaced.withUnsafeBytes { parse($0) }
    }
    if let bounded = HTMLAttributeLimit.applied(to: page) {
      return bounded.withUnsafeBytes { parseBounded($0) }
    }
    return parseBounded(page)
  }

  /// Parses a page that has no NUL byte and no tag with too many attributes.
  private func parseBounded(_ page: UnsafeRawBufferPointer) -> HTMLText {
    let options =
      Int32(HTML_PARSE_RECOVER.rawValue) | Int32(HTML_PARSE_NOERROR.rawValue)
      | Int32(HTML_PARSE_NOWARNING.rawValue) | Int32(HTML_PARSE_NONET.rawValue)
      | Int32(HTML_PARSE_IGNORE_ENC.rawValue)
    // The user data is set behind the context's reset, which the next call begins with and which keeps it.
    context.pointee.userData = Unmanaged.passUnretained(sink).toOpaque()
    let bytes = page.assumingMemoryBound(to: CChar.self)
    withExtendedLifetime(sink) {
      // There are no tree callbacks and so there is no document to free.
      _ = htmlCtxtReadMemory(context, bytes.baseAddress, Int32(clamping: bytes.count), nil, "UTF-8", options)
    }
    return sink.builder.result
  }
}
