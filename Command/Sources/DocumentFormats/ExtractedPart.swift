/// A part of a file that becomes a document: a page, a sheet, a slide, a chapter, a member of an archive, or the whole
/// file.
public struct ExtractedPart: Sendable, Hashable {
  /// The path within the file, for archives: `letters/a.docx`; empty for the file itself. A member of an inner archive
  /// has the path `inner.zip/a.txt`.
  public var member: String
  /// The name of the format: `pdf`, `docx`. Empty if ``content`` is the bytes of a file.
  public var format: String
  /// The location within the file or the member; nil if the part is all of it.
  public var location: PartLocation?
  /// The title, author, creation date and language of the file or the member.
  public var metadata: DocumentMetadata
  /// The text in UTF-8, or the bytes of a file that the caller reads in the format that its name indicates.
  public var content: [UInt8]
  /// Whether ``content`` is the bytes of a file rather than extracted text.
  public var isFile: Bool

  /// Creates a part.
  public init(
    member: String = "", format: String = "", location: PartLocation? = nil,
    metadata: DocumentMetadata = DocumentMetadata(), content: [UInt8], isFile: Bool = false
  ) {
    self.member = member
    self.format = format
    self.location = location
    self.metadata = metadata
    self.content = content
    self.isFile = isFile
  }
}

/// A location within a document.
public struct PartLocation: Sendable, Hashable {
  /// The kind of a location, which is also the name of the document's member.
  public enum Kind: String, Sendable, CaseIterable {
    case page, sheet, slide, chapter, cell, section, cue, table

    /// The member that contains the name of the location: `sheetName`; `time` for a cue, whose name is its start time.
    public var nameMember: String { self == .cue ? "time" : "\(rawValue)Name" }
  }

  public var kind: Kind
  /// The number of the part, counted from 1.
  public var number: Int
  /// The name, for a sheet, a section, a cue or a table.
  public var name: String?

  /// Creates a location.
  public init(_ kind: Kind, _ number: Int, name: String? = nil) {
    self.kind = kind
    self.number = number
    self.name = name
  }

  /// The location as the end of an id: `12` for a page, `Prices` for a sheet, `00:01:02` for a cue.
  public var label: String { name ?? String(number) }
}

/// The metadata in a file. The date is the text in the file, which is ISO 8601 if the format requires it.
public struct DocumentMetadata: Sendable, Hashable {
  public var title: String?
  public var author: String?
  public var created: String?
  public var language: String?

  /// Creates metadata without values.
  public init() {}
}

/// The reason why a file, or a member of an archive, was not extracted, or was extracted only partially.
public struct ExtractionFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: String, Sendable, CaseIterable {
    /// The file is encrypted.
    case encrypted
    /// The file is malformed or truncated.
    case damaged
    /// The content exceeds a limit on size, number or nesting.
    case tooLarge
    /// The library that reads the format is not installed.
    case unsupported
    /// The extractor crashed, or exceeded its memory limit.
    case crashed
    /// The extractor could not be started, did not answer in time, or was ended from outside, for example because the
    /// system had too little memory. The file may be extracted later.
    case unavailable
    /// The extractor used too much processor time.
    case timedOut
    /// The file cannot be opened or read.
    case unreadable
    /// The content is in a format that is not read, although the name is that of a format that is read.
    case otherFormat
    /// A name in an archive points outside the archive.
    case unsafeName
  }

  public var kind: Kind
  /// The path within the file; empty if the failure concerns the whole file.
  public var member: String
  public var reason: String

  /// Creates a failure.
  public init(_ kind: Kind, member: String = "", _ reason: String) {
    self.kind = kind
    self.member = member
    self.reason = reason
  }

  public var description: String { member.isEmpty ? reason : "\(member): \(reason)" }
}

/// Limits on the extraction of one file. They bound memory and time, regardless of the sizes that the file declares.
public struct ExtractionLimits: Sendable, Hashable {
  /// The maximum size in bytes of a part, and of a member of an archive.
  public var partSize = 50 << 20
  /// The maximum number of bytes that are decompressed from one file.
  public var totalSize = 1 << 30
  /// The maximum ratio of decompressed to compressed bytes, for files that decompress to more than 64 MiB.
  public var ratio = 200
  /// The maximum number of members of all archives in one file.
  public var memberCount = 100_000
  /// The maximum nesting depth of archives.
  public var depth = 5
  /// The maximum processor time in seconds.
  public var seconds = 60
  /// The maximum size in bytes of all parts of one file, with their metadata, that are accepted from a worker process.
  public var outputSize = 2 << 30
  /// The maximum number of parts and skipped members of one file that are accepted from a worker process.
  public var outputCount = 1_000_000

  /// Creates the default limits.
  public init() {}

  /// The maximum elapsed time in seconds. It is longer than the limit on processor time, so that an expensive file
  /// reaches that limit first, even while other programs use the processors.
  var elapsedSeconds: Int { seconds * 3 }
}

/// A file to extract.
public struct ExtractionRequest: Sendable, Hashable {
  /// The path of the file.
  public var path: String
  /// The name that determines the format.
  public var name: String
  public var limits: ExtractionLimits

  /// Creates a request.
  public init(path: String, name: String, limits: ExtractionLimits) {
    self.path = path
    self.name = name
    self.limits = limits
  }
}

/// Extracts the parts of files.
public protocol DocumentExtracting: AnyObject {
  /// Announces the files that will be extracted, in this order, so that an extractor can extract several of them at the
  /// same time. Replaces the files of an earlier call. By default, it does nothing.
  func prepare(_ requests: [ExtractionRequest])

  /// Extracts the parts of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: the name that determines the format.
  ///   - body: called with each part in order. An error that it throws ends the extraction.
  ///   - failure: called for each member that is not extracted.
  /// - Throws: ``ExtractionFailure`` if the file is not extracted or only partially, and errors that `body` throws.
  func extract(
    path: String, name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws

  /// Extracts the parts of a file in memory, such as an attachment.
  ///
  /// - Parameter content: at most 50 MiB.
  func extract(
    content: [UInt8], name: String, limits: ExtractionLimits, body: (ExtractedPart) throws -> Void,
    failure: (ExtractionFailure) -> Void
  ) throws
}

extension DocumentExtracting {
  public func prepare(_ requests: [ExtractionRequest]) {}
}
