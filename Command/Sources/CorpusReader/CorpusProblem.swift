/// A file or record that was not read, or not wholly, and why.
///
/// Problems are told and the reading goes on: one broken line costs that line only.
public struct CorpusProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of problem it is.
  public enum Kind: Sendable, Hashable {
    /// There is no such file.
    case missing
    /// The system does not let us read the file.
    case unreadable
    /// The file is not text.
    case binary
    /// The text is in a character set that cannot be told.
    case notUTF8
    /// The file or record is above the limit of the options.
    case tooLarge
    /// The file could not be read to its end: it is being written, or broken. What was read of it is good.
    case incomplete
    /// A record is malformed or has an id that cannot be used.
    case invalidRecord
    /// The compressed data of the file is damaged.
    case damaged
    /// The front matter is not YAML. The document is kept, front matter and all, as text.
    case frontMatter
    /// The file does not parse as the format that its name stands for. It is read as text.
    case otherFormat
  }

  /// The path of the file, as shown.
  public let path: String
  /// The line that the problem is on, counted from 1, where it is on one.
  public let line: Int?
  /// What kind of problem it is.
  public let kind: Kind
  /// What is wrong.
  public let reason: String

  /// Makes a description of a problem.
  public init(path: String, line: Int? = nil, kind: Kind, reason: String) {
    self.path = path
    self.line = line
    self.kind = kind
    self.reason = reason
  }

  /// Whether the user asked for something that could not be done. A binary, oversized, damaged or undecodable file is a
  /// skip and not an error, and neither is what was kept as text.
  public var isError: Bool {
    switch kind {
    case .missing, .unreadable, .incomplete, .invalidRecord: true
    case .binary, .notUTF8, .tooLarge, .damaged, .frontMatter, .otherFormat: false
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
