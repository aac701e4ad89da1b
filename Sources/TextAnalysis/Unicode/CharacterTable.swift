import CICU

/// A table of the class and script of code points. It consists of pages of 256 code points, which are computed on first
/// use, so that only the scripts that occur take time and memory.
struct CharacterTable: ~Copyable {
  private let pages: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>?>
  private static let pageCount = 0x110000 >> 8

  init() {
    pages = .allocate(capacity: Self.pageCount)
    pages.initialize(repeating: nil, count: Self.pageCount)
  }

  deinit {
    for page in 0..<Self.pageCount { pages[page]?.deallocate() }
    pages.deallocate()
  }

  /// The stored properties of a code point: its ``CharacterClass`` and its script (a `UScriptCode`, 0 to 199 in ICU
  /// 72).
  struct Entry {
    let rawValue: UInt16
    @inline(__always) var characterClass: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
    /// 0 (Common) and 1 (Inherited) take the script of the preceding character.
    @inline(__always) var script: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  }

  @inline(__always)
  subscript(_ value: UInt32) -> Entry {
    let page = pages[Int(value >> 8)] ?? compute(page: Int(value >> 8))
    return Entry(rawValue: page[Int(value & 0xFF)])
  }

  @inline(never)
  private func compute(page: Int) -> UnsafeMutablePointer<UInt16> {
    let entries = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
    for offset in 0..<256 {
      let value = UInt32(page << 8 | offset)
      let script = UInt16(truncatingIfNeeded: min(cicu_script(Int32(bitPattern: value)).rawValue, 255))
      entries[offset] = script << 8 | UInt16(CharacterClass(computing: value).rawValue)
    }
    pages[page] = entries
    return entries
  }
}
