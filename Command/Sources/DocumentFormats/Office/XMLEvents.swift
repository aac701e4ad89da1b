import CLibXML2

/// Receives the elements and the text of an XML document.
protocol XMLHandler: AnyObject {
  /// Called at the start of an element. Namespace prefixes are removed from names, except that of relationships in
  /// attribute names, which is `r:`.
  func start(_ name: String, _ attributes: [String: String])
  /// Called at the end of an element.
  func end(_ name: String)
  /// Called with text, which may be split across several calls.
  func text(_ text: String)
}

/// Parses XML with libxml2's SAX interface. External entities are not loaded, and declared entities are not expanded.
enum XMLEvents {
  /// Initializes the global tables of libxml2.
  private static let library: Void = xmlInitParser()

  /// Parses a document and calls the handler.
  ///
  /// - Throws: ``ExtractionFailure`` if the document is not well-formed; the handler has received everything before the
  ///   error.
  static func parse(_ document: [UInt8], _ handler: any XMLHandler) throws {
    _ = library
    guard !document.isEmpty else { return }
    guard document.count < Int32.max else { throw ExtractionFailure(.tooLarge, "the XML is larger than 2 GiB") }
    var events = xmlSAXHandler()
    events.initialized = 0xDEED_BEAF  // XML_SAX2_MAGIC
    events.startElementNs = { context, name, _, _, _, _, count, _, attributes in
      guard let name else { return }
      XMLSink.at(context)?.handler.start(String(cString: name), XMLSink.attributes(attributes, Int(count)))
    }
    events.endElementNs = { context, name, _, _ in
      guard let name else { return }
      XMLSink.at(context)?.handler.end(String(cString: name))
    }
    events.characters = { context, text, count in XMLSink.at(context)?.append(text, Int(count)) }
    events.ignorableWhitespace = events.characters
    events.cdataBlock = events.characters
    let sink = XMLSink(handler)
    let status = withExtendedLifetime(sink) {
      document.withUnsafeBytes { bytes in
        xmlSAXUserParseMemory(
          &events, Unmanaged.passUnretained(sink).toOpaque(), bytes.assumingMemoryBound(to: CChar.self).baseAddress,
          Int32(bytes.count))
      }
    }
    guard status == 0 else { throw ExtractionFailure(.damaged, "malformed XML (libxml2 error \(status))") }
  }

  /// Runs a closure and returns the failure that it throws, for parts of which the text before the error is kept.
  static func fault(_ body: () throws -> Void) -> ExtractionFailure? {
    do {
      try body()
      return nil
    } catch let failure as ExtractionFailure {
      return failure
    } catch {
      return ExtractionFailure(.damaged, "\(error)")
    }
  }

  /// The version of libxml2, such as `2.9.14`.
  static var version: String { LIBXML_DOTTED_VERSION }
}

/// The object that libxml2's user data points to.
private final class XMLSink {
  let handler: any XMLHandler

  init(_ handler: any XMLHandler) { self.handler = handler }

  static func at(_ context: UnsafeMutableRawPointer?) -> XMLSink? {
    context.map { Unmanaged<XMLSink>.fromOpaque($0).takeUnretainedValue() }
  }

  func append(_ text: UnsafePointer<xmlChar>?, _ count: Int) {
    guard let text, count > 0 else { return }
    handler.text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
  }

  /// Returns the attributes of an element. libxml2 passes five pointers for each: local name, prefix, namespace, and
  /// the start and the end of the value.
  static func attributes(
    _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) -> [String: String] {
    guard let pointers, count > 0 else { return [:] }
    var result: [String: String] = [:]
    for index in 0..<count {
      guard let name = pointers[index * 5], let begin = pointers[index * 5 + 3], let end = pointers[index * 5 + 4]
      else { continue }
      var key = String(cString: name)
      // An element may have both `r:id` and `id`.
      if let prefix = pointers[index * 5 + 1],
        isRelationshipPrefix(prefix) || key == "id" && isRelationshipNamespace(pointers[index * 5 + 2])
      {
        key = "r:" + key
      }
      let value = String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
      result[key] = value
    }
    return result
  }

  /// Returns whether a namespace is that of relationships in Office Open XML, transitional or strict.
  private static func isRelationshipNamespace(_ namespace: UnsafePointer<xmlChar>?) -> Bool {
    namespace.map { String(cString: $0).hasSuffix("/relationships") } ?? false
  }

  private static func isRelationshipPrefix(_ prefix: UnsafePointer<xmlChar>) -> Bool {
    prefix[0] == UInt8(ascii: "r") && prefix[1] == 0
  }
}
