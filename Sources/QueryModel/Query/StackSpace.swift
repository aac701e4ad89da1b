import CStack

/// The free space on the current thread's stack, for recursion whose depth is the nesting depth of a query.
///
/// ``SQLParser/maximumDepth`` limits the recursion to what fits on the stack of a main thread, but other threads may
/// have small stacks, and a stack overflow ends the process. The check starts at a depth that typical queries do not
/// reach, because finding the end of the stack takes a few microseconds. Use an instance on one thread only.
public final class StackSpace {
  /// The number of levels that fit on any thread's stack.
  private static let freeLevels = 8

  /// The number of bytes that must stay free.
  private static let reserve: UInt = 96 << 10

  /// The measured stack use of the compiler for one level, rounded up.
  #if DEBUG
    private static let bytesPerLevel: UInt = 8 << 10
  #else
    private static let bytesPerLevel: UInt = 2 << 10
  #endif

  /// The lowest usable address; nil until first used.
  private var lowest: UInt?

  /// Creates an object for the current thread.
  public init() {}

  /// Returns whether the stack has room to parse one more level of a query that is nested `level` levels deep.
  func hasRoom(at level: Int) -> Bool { level < StackSpace.freeLevels || available > 0 }

  /// Returns whether the stack has room to compile a query with this many levels.
  public func hasRoom(forLevels levels: Int) -> Bool {
    levels < StackSpace.freeLevels || available > UInt(levels) * StackSpace.bytesPerLevel
  }

  private var available: UInt {
    let lowest = self.lowest ?? cstack_lowest_address() + StackSpace.reserve
    self.lowest = lowest
    var here: UInt8 = 0
    let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    return address > lowest ? address - lowest : 0
  }
}
