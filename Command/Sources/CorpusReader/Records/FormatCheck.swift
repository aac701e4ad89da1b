import Foundation

/// Checks whether a file of records parses as its format.
///
/// A JSON Lines file that is being written may end in the middle of a line. Only this line is then malformed, and the
/// file remains a file of records. So does a file in which some records contain NUL bytes: it cannot be read as text.
struct FormatCheck {
  private let reader: CorpusFileReader
  private let source: SourceFile
  /// The maximum size of a file that can be one document. A larger file remains a file of records, regardless of its
  /// content.
  private let maximumSize: Int

  /// Thrown to stop reading.
  private struct Stop: Error {}

  init(_ reader: CorpusFileReader, _ source: SourceFile, maximumSize: Int) {
    self.reader = reader
    self.source = source
    self.maximumSize = maximumSize
  }

  /// Returns the first error in the format; nil if the file parses or cannot be read at all.
  func fault() -> CorpusProblem? {
    guard source.size <= Int64(maximumSize) else { return nil }
    var faults: [CorpusProblem] = []
    var nulFault: CorpusProblem?
    var documentCount = 0
    var size = 0
    do {
      try reader.read(source) { document, _ in
        documentCount += 1
        // For a compressed file, only this counter limits the size of the content.
        size += document.json.count
        if size > maximumSize { faults = [] }
        if size > maximumSize || !faults.isEmpty { throw Stop() }
      } problem: {
        // Two errors are enough to determine whether the first one is in the last line; more would only use memory.
        if $0.isNULByte {
          nulFault = nulFault ?? $0
        } else if faults.count < 2, isOfFormat($0) {
          faults.append($0)
        }
      }
    } catch {
      // Only `Stop` is thrown: read errors are reported as problems.
      return faults.first
    }
    guard let fault = faults.first else { return documentCount == 0 ? nulFault : nil }
    let isLastLine = source.format == .jsonl && documentCount > 0 && faults.count == 1 && !endsWithLineBreak
    return isLastLine ? nil : fault
  }

  private func isOfFormat(_ problem: CorpusProblem) -> Bool {
    problem.kind == .invalidRecord || problem.kind == .incomplete
  }

  private var endsWithLineBreak: Bool {
    guard let descriptor = try? FileSystem.openForReading(source.absolutePath, allowsPipe: source.isPipe) else {
      return true
    }
    defer { close(descriptor) }
    var last: UInt8 = 0
    return source.isCompressed || pread(descriptor, &last, 1, Int(clamping: source.size - 1)) != 1
      || last == UInt8(ascii: "\n")
  }
}
