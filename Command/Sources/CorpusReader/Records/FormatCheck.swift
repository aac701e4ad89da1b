import Foundation

/// Finds out whether a file of records parses as its format.
///
/// A file that is being written may end in the middle of a line of JSON: that line is a fault of the line and not of the file.
struct FormatCheck {
  private let reader: DocumentReader
  private let source: SourceFile
  /// The largest file that can be one document. A larger one stays a file of records whatever is in it.
  private let maximumSize: Int

  /// Thrown to end the reading at the first fault.
  private struct Stop: Error {}

  init(_ reader: DocumentReader, _ source: SourceFile, maximumSize: Int) {
    self.reader = reader
    self.source = source
    self.maximumSize = maximumSize
  }

  /// The first fault, or nil for a file that parses, or that cannot be read at all.
  func fault() -> CorpusProblem? {
    guard source.size <= Int64(maximumSize) else { return nil }
    var faults: [CorpusProblem] = []
    var documentCount = 0
    var size = 0
    do {
      try reader.read(source) { document in
        documentCount += 1
        // Of a compressed file only this tells how much is in it.
        size += document.json.count
        if size > maximumSize { faults = [] }
        if size > maximumSize || !faults.isEmpty { throw Stop() }
      } problem: {
        // Two tell a last line from another; a file of nothing else must not fill the memory.
        if faults.count < 2, isOfFormat($0) { faults.append($0) }
      }
    } catch {
      // Nothing but `Stop` is thrown: what cannot be read is a problem.
      return faults.first
    }
    guard let fault = faults.first else { return nil }
    let isLastLine = source.format == .jsonl && documentCount > 0 && faults.count == 1 && !endsWithLineBreak
    return isLastLine ? nil : fault
  }

  private func isOfFormat(_ problem: CorpusProblem) -> Bool {
    problem.kind == .invalidRecord || problem.kind == .incomplete
  }

  private var endsWithLineBreak: Bool {
    let descriptor = open(source.absolutePath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var last: UInt8 = 0
    return source.isCompressed || pread(descriptor, &last, 1, Int(clamping: source.size - 1)) != 1
      || last == UInt8(ascii: "\n")
  }
}
