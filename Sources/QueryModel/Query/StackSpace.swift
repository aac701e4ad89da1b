import CStack

/// The room on the current thread's stack, for recursion that is as deep as a query is nested.
///
/// ``SQLParser/maximumDepth`` bounds that recursion for the stack of a main thread, but the thread of a program may have a
/// small one, and running out of it ends the process. It is asked only from a depth on that queries of people seldom have:
/// finding the end of the stack takes some microseconds. It belongs to one thread.
public final class StackSpace {
  /// Levels for which no thread's stack is too small.
  private static let freeLevels = 8

  /// What must be left.
  private static let reserve: UInt = 96 << 10

  /// What compiling a query takes of the stack for each level, as measured, and somewhat more.
  #if DEBUG
    private static let bytesPerLevel: UInt = 8 << 10
  #else
    private static let bytesPerLevel: UInt = 2 << 10
  #endif

  /// The lowest address that may be in use; nil until it is asked for.
  private var lowest: UInt?

  /// Makes an object for the current thread.
  public init() {}

  /// Whether there is room for reading one level more of a query, of which so many are open.
  func hasRoom(at level: Int) -> Bool { level < StackSpace.freeLevels || room > 0 }

  /// Whether there is room for compiling a query of so many levels.
  public func hasRoom(forLevels levels: Int) -> Bool {
    levels < StackSpace.freeLevels || room > UInt(levels) * StackSpace.bytesPerLevel
  }

  private var room: UInt {
    let lowest = self.lowest ?? cstack_lowest_address() + StackSpace.reserve
    self.lowest = lowest
    var here: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    return address > lowest ? address - lowest : 0
  }
}
