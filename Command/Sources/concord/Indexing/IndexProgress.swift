import Foundation

/// The progress line of an indexing run, drawn only on a terminal and at most ten times per second.
final class IndexProgress {
  /// The total number of bytes to read; nil if it is unknown.
  var totalBytes: Int64?
  private var documentCount = 0
  private var finishedBytes: Int64 = 0
  private var fileBytes: Int64 = 0
  private var fileSize: Int64?
  private let messages: Messages
  private let start = ContinuousClock.now
  private var lastDrawing: ContinuousClock.Instant?

  init(_ messages: Messages) { self.messages = messages }

  /// Begins a file.
  ///
  /// - Parameter size: its size in bytes; nil if it is unknown.
  func beginFile(size: Int64?) {
    fileSize = size
    fileBytes = 0
  }

  /// Adds a document.
  ///
  /// - Parameter size: the bytes of the document, an estimate of the progress in its file.
  func addDocument(size: Int) {
    documentCount += 1
    fileBytes = min(fileBytes + Int64(size), fileSize ?? .max)
    draw()
  }

  func endFile() {
    finishedBytes = .saturatingSum(finishedBytes, fileSize ?? fileBytes)
    fileSize = nil
    fileBytes = 0
    draw()
  }

  /// Shows the progress of rebuilding an index.
  func showRebuild(done: Int, total: Int) {
    guard messages.showsProgress, isDue else { return }
    messages.status("rebuilding the index: \(Quantity.count(done)) of \(Quantity.count(total, "document"))")
  }

  private func draw() {
    guard messages.showsProgress, isDue else { return }
    let seconds = start.duration(to: .now) / .seconds(1)
    let bytes = Int64.saturatingSum(finishedBytes, fileBytes)
    let speed = Double(bytes) / max(seconds, 0.001)
    var parts = [
      Quantity.count(documentCount, "document"), Quantity.bytes(Int(bytes)),
      Quantity.speed(bytes, seconds: seconds),
    ]
    if let totalBytes, totalBytes > 0 {
      let share = min(Double(bytes) / Double(totalBytes), 1)
      parts.insert(IndexProgress.bar(share), at: 0)
      // An estimate in the first second would be unreliable.
      if seconds > 1, speed > 0 {
        parts.append("\(Quantity.seconds(max(Double(totalBytes - bytes) / speed, 1).rounded())) left")
      }
    }
    messages.status(parts.joined(separator: "  "))
  }

  private var isDue: Bool {
    let now = ContinuousClock.now
    if let lastDrawing, lastDrawing.duration(to: now) < .milliseconds(100) { return false }
    lastDrawing = now
    return true
  }

  private static func bar(_ share: Double) -> String {
    let filled = Int((share * 20).rounded(.down))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
      + " \(Int((share * 100).rounded(.down))) %"
  }
}
