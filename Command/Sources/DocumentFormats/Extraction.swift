import Foundation

/// Extracts files in this process. For untrusted files, use a ``WorkerExtractor``.
public final class InProcessExtractor: DocumentExtracting {
  /// Creates an extractor.
  public init() {}

  public func extract(
    path: String, name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      try withoutActuallyEscaping(failure) { failure in
        let extraction = Extraction(limits: limits, body: body, failure: failure)
        try extraction.extractFile(path: path, name: name)
      }
    }
  }

  public func extract(
    content: [UInt8], name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      try withoutActuallyEscaping(failure) { failure in
        try Extraction(limits: limits, body: body, failure: failure).extractContent(content, name: name)
      }
    }
  }
}

/// The extraction of one file: its limits, and the callbacks that receive its parts and failures.
final class Extraction {
  let limits: ExtractionLimits
  private let body: (ExtractedPart) throws -> Void
  private let report: (ExtractionFailure) -> Void
  private var remainingBytes: Int
  private var remainingMembers: Int
  private var fileSize = 0

  init(
    limits: ExtractionLimits, body: @escaping (ExtractedPart) throws -> Void,
    failure: @escaping (ExtractionFailure) -> Void
  ) {
    self.limits = limits
    self.body = body
    report = failure
    remainingBytes = limits.totalSize
    remainingMembers = limits.memberCount
  }

  /// Extracts a file on disk.
  func extractFile(path: String, name: String) throws {
    let descriptor: Int32
    do {
      descriptor = try InputFile.openForReading(path, allowsPipe: false)
    } catch {
      throw ExtractionFailure(.unreadable, error.reason)
    }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0 { fileSize = Int(status.st_size) }
    let inner = CompressedName.inner(of: name)
    let format = ExtractedFormat(name: inner ?? name)
    if inner == nil, format == .audio { return try MediaExtractor.extractAudio(path: path, self) }
    if inner == nil, format == .sqlite, Extraction.isSQLite(descriptor) {
      return try SQLiteExtractor.extract(path: path, self)
    }
    if format == .archive {
      return try Archives.extract(try ArchiveReader(descriptor: descriptor), member: "", depth: 1, self)
    }
    let bytes =
      inner == nil
      ? try Extraction.contents(of: descriptor, limit: limits.totalSize)
      : try Archives.decompressed(try ArchiveReader(descriptor: descriptor, isRaw: true), self)
    if inner == nil, format == .image { return try MediaExtractor.extractImage(bytes, self) }
    try extract(bytes, format: format, member: "", depth: 0)
  }

  /// Returns whether a file is a SQLite database: other programs also use the extension `.db`.
  private static func isSQLite(_ descriptor: Int32) -> Bool {
    var head = [UInt8](repeating: 0, count: SQLiteExtractor.signature.count)
    return head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) } == head.count
      && head == SQLiteExtractor.signature
  }

  /// Extracts a file in memory that is not a member of an archive.
  func extractContent(_ content: [UInt8], name: String) throws {
    fileSize = content.count
    try Archives.extractContent(content, named: name, path: "", depth: 0, self)
  }

  /// Extracts a file in memory: the file itself, or a member of an archive.
  func extract(_ bytes: [UInt8], format: ExtractedFormat?, member: String, depth: Int) throws {
    switch format {
    // The content of optional formats is only read from files that the user selected.
    case nil, .sqlite, .image, .audio: try emit(ExtractedPart(member: member, content: bytes, isFile: true))
    case .archive:
      guard depth < limits.depth else {
        throw ExtractionFailure(.tooLarge, "archives are nested more than \(limits.depth) levels deep")
      }
      try Archives.extract(try ArchiveReader(bytes: bytes), member: member, depth: depth + 1, self)
    case .pdf: try PDFExtractor.extract(bytes, member: member, self)
    case .rtf: try RTFExtractor.extract(bytes, member: member, self)
    case .epub: try EPUBExtractor.extract(try OfficePackage(bytes, self, isBook: true), member: member, self)
    case .docx: try WordExtractor.extract(try OfficePackage(bytes, self), member: member, self)
    case .xlsx: try WorkbookExtractor.extract(try OfficePackage(bytes, self), member: member, self)
    case .pptx: try PresentationExtractor.extract(try OfficePackage(bytes, self), member: member, self)
    case .odt, .ods, .odp:
      try OpenDocumentExtractor.extract(
        try OfficePackage(bytes, self), format: format ?? .odt, member: member, self)
    }
  }

  /// Passes a part to `body`.
  func emit(_ part: ExtractedPart) throws {
    guard part.content.count <= limits.partSize else {
      throw ExtractionFailure(
        .tooLarge, "a part has \(part.content.count) bytes, more than the limit of \(limits.partSize)")
    }
    try body(part)
  }

  /// Reports a member that is not extracted.
  func skip(_ failure: ExtractionFailure) { report(failure) }

  /// Counts a member of an archive.
  func countMember() throws {
    remainingMembers -= 1
    guard remainingMembers >= 0 else {
      throw ExtractionFailure(.tooLarge, "the archives have more than \(limits.memberCount) members")
    }
  }

  /// The number of decompressed bytes up to which the compression ratio is not checked.
  private static let uncheckedSize = 64 << 20

  /// Counts decompressed bytes.
  func count(_ bytes: Int) throws {
    remainingBytes -= bytes
    guard remainingBytes >= 0 else {
      throw ExtractionFailure(.tooLarge, "the file has more than \(limits.totalSize) bytes when it is decompressed")
    }
    let used = limits.totalSize - remainingBytes
    let (allowed, overflow) = fileSize.multipliedReportingOverflow(by: limits.ratio)
    guard used <= Extraction.uncheckedSize || overflow || used <= allowed else {
      throw ExtractionFailure(.tooLarge, "the file is more than \(limits.ratio) times as large when it is decompressed")
    }
  }

  private static func contents(of descriptor: Int32, limit: Int) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ExtractionFailure(.unreadable, String(cString: strerror(errno)))
    }
    guard status.st_size <= limit else {
      throw ExtractionFailure(.tooLarge, "the file has \(status.st_size) bytes, more than the limit of \(limit)")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
      }
      if count == 0 { break }
      guard count > 0 || errno == EINTR else {
        throw ExtractionFailure(.unreadable, String(cString: strerror(errno)))
      }
      filled += max(count, 0)
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }
}
