import Foundation

/// A stream of pieces of one byte that calls a closure before each read.
final class ObservedStream: InputStream {
  private let count: Int
  private let willRead: () -> Void
  private var position = 0

  init(count: Int, _ willRead: @escaping () -> Void) {
    self.count = count
    self.willRead = willRead
    super.init(data: Data())
  }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    willRead()
    guard position < count, len > 0 else { return 0 }
    buffer[0] = UInt8(truncatingIfNeeded: position)
    position += 1
    return 1
  }
}
