import Concordance
import Foundation

/// Saves a blob from a stream and reads it back, and reports the peak memory of the process after each.
func measureBlob(mebibytes: Int, path: String) throws {
  let database = try Database(path: path)
  let start = try peakMemory()
  let blob = Blob(contentType: "application/octet-stream", contentStream: GeneratedStream(count: mebibytes << 20))
  let saving = try seconds { try database.saveBlob(blob: blob) }
  let saved = try peakMemory()
  var bytes = 0
  let reading = try seconds {
    guard let stream = blob.contentStream else { throw CocoaError(.fileReadUnknown) }
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 { bytes += count }
  }
  guard bytes == mebibytes << 20 else { throw CocoaError(.fileReadCorruptFile) }
  try report([
    "bytes": bytes, "digest": blob.digest ?? "", "saveSeconds": saving, "readSeconds": reading,
    "peakMiB": ["start": start, "saved": saved, "read": try peakMemory()],
  ])
}

/// A stream of bytes without repetition, generated on demand.
private final class GeneratedStream: InputStream {
  private var left: Int
  private var state: UInt64 = 42

  init(count: Int) {
    left = count
    super.init(data: Data())
  }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    // Whole words, because the generator produces eight bytes at a time.
    let count = min(left, len) & ~7
    UnsafeMutableRawPointer(buffer).withMemoryRebound(to: UInt64.self, capacity: count / 8) { words in
      for index in 0..<(count / 8) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        words[index] = state
      }
    }
    left -= count
    return count
  }
}
