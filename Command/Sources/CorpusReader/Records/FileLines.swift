import Foundation

/// Reads a file of text line by line, whatever its size: memory is used for the longest line.
///
/// ```swift
/// try FileLines(path: "hotels.jsonl", limit: 1 << 20).forEach { line, number in
///   print(number, line.count)
/// } problem: { print($0) }
/// ```
///
/// UTF-16 is read as UTF-8.
public struct FileLines {
  /// The path that stands for the standard input.
  public static let standardInput = "-"

  private let path: String
  private let limit: Int

  /// What the file is called in messages.
  public var shownPath: String { path == FileLines.standardInput ? "stdin" : path }

  /// The lines of a file.
  ///
  /// - Parameters:
  ///   - path: the file, or ``standardInput``.
  ///   - limit: the longest line, in bytes. A longer one is a problem, and the reading goes on.
  public init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Calls `body` with each line and its number, counted from 1.
  ///
  /// - Parameters:
  ///   - body: gets the line without its line feed; its bytes are valid during the call. What it throws ends the reading.
  ///   - problem: called where the file cannot be read, and for lines that are too long.
  /// - Throws: what `body` throws, and nothing else.
  public func forEach(
    _ body: (UnsafeRawBufferPointer, Int) throws -> Void, problem: (CorpusProblem) -> Void
  ) throws {
    let descriptor = path == FileLines.standardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return problem(SystemError.last.problem(shownPath)) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    do {
      var lines = LineReader(try ByteSource(.plain(descriptor)), buffer: ByteBuffer(), limit: limit)
      while let line = try lines.next() {
        switch line {
        case .text(let text): try body(text, lines.number)
        case .tooLong(let size):
          problem(
            .tooLarge(shownPath, line: lines.number, what: "the line", size: size, limit: Int64(limit)))
        }
      }
    } catch let fault as SystemError {
      problem(fault.problem(shownPath))
    } catch let fault as UndecodableText {
      problem(fault.problem(shownPath))
    }
  }
}
