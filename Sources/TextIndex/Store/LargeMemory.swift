import Foundation

/// Memory for a large table, which the system provides and gets back. Its elements are not initialized.
///
/// `malloc` keeps large blocks in its heaps after the first of them was freed, and blocks of different sizes from several
/// threads leave gaps there: while a million documents were indexed, the process took half as much memory again.
///
/// The memory is in huge pages of the processor if possible. The system clears one of them faster than it provides 512
/// small pages, and the processor finds the addresses of random reads without walking page tables.
struct LargeMemory<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>
  let count: Int
  /// The number of bytes that the system provided for it; 0 if it is from `malloc`.
  private let mappedSize: Int

  /// - Parameter isSoonFilled: whether most of the memory will be used. If not, it is from `malloc`, so that several
  ///   short-lived tables in turn get the same pages.
  init(count: Int, isSoonFilled: Bool = true) {
    self.count = count
    let size = count * MemoryLayout<Element>.stride
    let needed = isSoonFilled && size >= HugePages.smallestSize ? HugePages.rounded(size) : 0
    let pages = needed > 0 ? HugePages.map(needed) : nil
    mappedSize = pages == nil ? 0 : needed
    // `malloc` may still have memory if the number of mappings is limited.
    start = pages?.bindMemory(to: Element.self, capacity: count) ?? .allocate(capacity: count)
  }

  func deallocate() {
    if mappedSize > 0 {
      munmap(start, mappedSize)
    } else {
      start.deallocate()
    }
  }

  subscript(position: Int) -> Element {
    get { start[position] }
    nonmutating set { start[position] = newValue }
  }
}

enum HugePages {
  /// The size of a huge page in bytes.
  static let size = 2 << 20
  /// The size of the smallest memory that takes a huge page. Smaller memory would waste more than a quarter of it, and
  /// is from `malloc`.
  fileprivate static let smallestSize = size / 4 * 3

  /// Returns the size of the pages for a number of bytes. A part of a huge page would not be one.
  fileprivate static func rounded(_ byteCount: Int) -> Int { (byteCount + size - 1) & ~(size - 1) }

  /// Maps memory that starts at a huge page.
  ///
  /// - Parameter byteCount: a multiple of ``size``.
  /// - Returns: nil if the system refuses it.
  fileprivate static func map(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    guard let mapped = mmap(nil, byteCount + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      mapped != MAP_FAILED
    else { return nil }
    let unused = -Int(bitPattern: mapped) & (size - 1)
    let start = mapped + unused
    if unused > 0 { munmap(mapped, unused) }
    munmap(start + byteCount, size - unused)
    #if os(Linux)
      // If the system has no huge pages, it provides small ones.
      _ = madvise(start, byteCount, MADV_HUGEPAGE)
    #endif
    return start
  }
}
