import DocumentFormats
import Foundation

/// Reads a text file of any size line by line. Memory use is proportional to the longest line, up to the limit.
///
/// ```swift
/// try FileLines(path: "hotels.jsonl", limit: 1 << 20).forEach { line, number in
///   print(number, line.count)
/// } problem: { print($0) }
/// ```
///
/// UTF-16 is converted to UTF-8. A file with the name of a compressed file, such as `hotels.jsonl.gz`, is decompressed.
public struct FileLines {
  /// The path of the standard input.
  public static let standardInput = "-"

  private let path: String
  private let limit: Int

  /// The name of the file in messages.
  public var displayPath: String { isStandardInput ? "stdin" : path }

  /// Whether the lines are read from the standard input.
  public var isStandardInput: Bool { path == FileLines.standardInput }

  /// Whether the number of bytes to read is the size of the file.
  public var hasKnownSize: Bool { !isStandardInput && !isCompressed }

  private var isCompressed: Bool { CompressedName.inner(of: path) != nil }

  /// Creates a reader for the lines of a file.
  ///
  /// - Parameters:
  ///   - path: the file, or ``standardInput``.
  ///   - limit: the maximum length of a line in bytes. A longer line is reported as a problem, and reading continues.
  public init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Calls `body` with each line and its number, counted from 1.
  ///
  /// - Parameters:
  ///   - body: receives the line without its line feed; its bytes are valid during the call. An error that it throws
  ///     ends the reading.
  ///   - problem: called if the file cannot be read, and for lines that are too long.
  /// - Throws: only errors that `body` throws.
  public func forEach(
    _ body: (UnsafeRawBufferPointer, Int) throws -> Void, problem: (CorpusProblem) -> Void
  ) throws {
    let descriptor = path == FileLines.standardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return problem(SystemError.last.problem(displayPath)) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    do {
      let input: FileInput = isCompressed ? .compressed(try Decompressor(descriptor, limit: .max)) : .plain(descriptor)
      var lines = LineReader(try ByteSource(input), buffer: ByteBuffer(), limit: limit)
      while let line = try lines.next() {
        switch line {
        case .text(let text): try body(text, lines.number)
        case .tooLong(let size):
          problem(
            .tooLarge(displayPath, line: lines.number, what: "the line", size: size, limit: Int64(limit)))
        }
      }
    } catch let fault as SystemError {
      problem(fault.problem(displayPath))
    } catch let fault as UndecodableText {
      problem(fault.problem(displayPath))
    }
  }
}
