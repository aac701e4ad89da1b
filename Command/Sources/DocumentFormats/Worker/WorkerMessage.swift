/// A message between a program and its worker: a kind, and fields of bytes.
///
/// On the wire: the kind (1 byte), the number of fields (1 byte), the total length (4 bytes, little-endian), and each
/// field as its length (4 bytes) and its bytes.
struct WorkerMessage: Equatable {
  enum Kind: UInt8 {
    /// A file to extract: path, name, limits.
    case request = 1
    case part = 2
    /// A member that was not extracted.
    case failure = 3
    /// The file was extracted completely.
    case end = 4
    /// The file was not extracted, or only up to this point.
    case fault = 5
    /// A file in memory to extract: an empty path, name, limits, content.
    case content = 6
  }

  var kind: Kind
  var fields: [[UInt8]]

  static let headerSize = 6

  /// The maximum size of a message: a part, and its metadata.
  static func maximumSize(_ limits: ExtractionLimits) -> Int { limits.partSize + (1 << 20) }

  init(_ kind: Kind, _ fields: [[UInt8]]) {
    self.kind = kind
    self.fields = fields
  }

  /// The size of the body in bytes.
  var size: Int { fields.reduce(0) { $0 + 4 + $1.count } }

  /// The message as bytes.
  var encoded: [UInt8] {
    var bytes: [UInt8] = [kind.rawValue, UInt8(clamping: fields.count)]
    bytes.reserveCapacity(WorkerMessage.headerSize + size)
    bytes += WorkerMessage.bytes(size)
    for field in fields {
      bytes += WorkerMessage.bytes(field.count)
      bytes += field
    }
    return bytes
  }

  /// Returns the length of the body; nil if the header is malformed or the length exceeds the maximum.
  static func bodySize(header: [UInt8], maximum: Int) -> Int? {
    guard header.count == headerSize, Kind(rawValue: header[0]) != nil else { return nil }
    let size = number(header[2...])
    return size <= maximum ? size : nil
  }

  /// Decodes a message; nil if it is malformed.
  init?(header: [UInt8], body: [UInt8]) {
    guard header.count == WorkerMessage.headerSize, let kind = Kind(rawValue: header[0]) else { return nil }
    var fields: [[UInt8]] = []
    var rest = body[...]
    for _ in 0..<header[1] {
      guard rest.count >= 4 else { return nil }
      let size = WorkerMessage.number(rest.prefix(4))
      rest = rest.dropFirst(4)
      guard size <= rest.count else { return nil }
      fields.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    guard rest.isEmpty else { return nil }
    self.init(kind, fields)
  }

  /// Returns a field as text; empty if it is missing.
  func text(_ index: Int) -> String {
    fields.indices.contains(index) ? String(decoding: fields[index], as: UTF8.self) : ""
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    let number = UInt32(clamping: number)
    return (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension WorkerMessage {
  static func request(path: String, name: String, _ limits: ExtractionLimits) -> WorkerMessage {
    WorkerMessage(.request, requestFields(path: path, name: name, limits))
  }

  static func content(_ content: [UInt8], name: String, _ limits: ExtractionLimits) -> WorkerMessage {
    WorkerMessage(.content, requestFields(path: "", name: name, limits) + [content])
  }

  private static func requestFields(path: String, name: String, _ limits: ExtractionLimits) -> [[UInt8]] {
    let numbers = [limits.partSize, limits.totalSize, limits.memberCount, limits.ratio, limits.depth, limits.seconds]
    return ([path, name] + numbers.map(String.init)).map { Array($0.utf8) }
  }

  /// The limits of a request; nil if it is malformed.
  var limits: ExtractionLimits? {
    let numbers = (2..<8).compactMap { Int(text($0)) }
    guard kind == .request && fields.count == 8 || kind == .content && fields.count == 9, numbers.count == 6,
      numbers.allSatisfy({ $0 >= 0 })
    else { return nil }
    var limits = ExtractionLimits()
    (limits.partSize, limits.totalSize, limits.memberCount) = (numbers[0], numbers[1], numbers[2])
    (limits.ratio, limits.depth, limits.seconds) = (numbers[3], numbers[4], numbers[5])
    return limits
  }

  init(_ part: ExtractedPart) {
    let metadata = part.metadata
    let texts = [
      part.member, part.format, part.isFile ? "1" : "", part.location?.kind.rawValue ?? "",
      part.location.map { String($0.number) } ?? "", part.location?.name ?? "", metadata.title ?? "",
      metadata.author ?? "", metadata.created ?? "", metadata.language ?? "",
    ]
    self.init(.part, texts.map { Array($0.utf8) } + [part.content])
  }

  /// The part of the message; nil if it is malformed.
  var part: ExtractedPart? {
    guard kind == .part, fields.count == 11 else { return nil }
    func value(_ index: Int) -> String? { fields[index].isEmpty ? nil : text(index) }
    var part = ExtractedPart(member: text(0), format: text(1), content: fields[10], isFile: !fields[2].isEmpty)
    if let name = value(3) {
      guard let kind = PartLocation.Kind(rawValue: name), let number = Int(text(4)) else { return nil }
      part.location = PartLocation(kind, number, name: value(5))
    }
    part.metadata.title = value(6)
    part.metadata.author = value(7)
    part.metadata.created = value(8)
    part.metadata.language = value(9)
    return part
  }

  init(_ failure: ExtractionFailure, _ kind: Kind) {
    self.init(kind, [failure.kind.rawValue, failure.member, failure.reason].map { Array($0.utf8) })
  }

  /// The failure of the message; nil if it is malformed.
  var extractionFailure: ExtractionFailure? {
    guard fields.count == 3, let kind = ExtractionFailure.Kind(rawValue: text(0)) else { return nil }
    return ExtractionFailure(kind, member: text(1), text(2))
  }
}
