/// A file or record that was not read completely, and the reason.
///
/// Reading continues after a problem: if a line of a file is malformed, only that line is skipped.
public struct CorpusProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a problem.
  public enum Kind: Sendable, Hashable {
    /// The file does not exist.
    case missing
    /// The system denies access to the file.
    case unreadable
    /// The file is binary. `format` is the name of its format, such as PNG, or nil if its signature is unknown.
    case binary(format: String?)
    /// The character set of the text cannot be determined.
    case notUTF8
    /// The file or record exceeds the limit in the options.
    case tooLarge
    /// The file could not be read to its end: it is being written, or damaged. The documents read before that point are
    /// valid.
    case incomplete
    /// A record is malformed or has an invalid id.
    case invalidRecord
    /// The compressed data of the file is damaged.
    case damaged
    /// The front matter is not YAML. The document is kept as text, including the front matter.
    case frontMatter
    /// The file does not parse as the format that its name indicates. It is read as text.
    case otherFormat
    /// A document or an archive was not extracted, or only partially. The value is a short reason, such as "encrypted".
    case notExtracted(String)
    /// A member of an archive was skipped, such as a picture.
    case skippedMember
  }

  /// The path of the file, as displayed.
  public let path: String
  /// The line of the problem, counted from 1; nil if it concerns the whole file.
  public let line: Int?
  public let kind: Kind
  /// The description of the problem.
  public let reason: String

  /// Creates a problem.
  public init(path: String, line: Int? = nil, kind: Kind, reason: String) {
    self.path = path
    self.line = line
    self.kind = kind
    self.reason = reason
  }

  /// Whether the problem is an error: a file or record that the user requested could not be read. Skipping a binary,
  /// oversized, damaged or undecodable file is not an error, and neither is reading a file as text.
  public var isError: Bool {
    switch kind {
    case .missing, .unreadable, .incomplete, .invalidRecord: true
    case .binary, .notUTF8, .tooLarge, .damaged, .frontMatter, .otherFormat, .notExtracted, .skippedMember: false
    }
  }

  /// The problem as `path:line: reason`.
  public var description: String {
    line.map { "\(path):\($0): \(reason)" } ?? "\(path): \(reason)"
  }
}

extension CorpusProblem {
  static func tooLarge(
    _ path: String, line: Int? = nil, what: String, size: Int64, limit: Int64
  ) -> CorpusProblem {
    CorpusProblem(
      path: path, line: line, kind: .tooLarge,
      reason: "\(what) has \(size) bytes, more than the limit of \(limit)")
  }
}
