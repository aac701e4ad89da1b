import Foundation

/// A cache of folded and stemmed words. A few words make up most of a text, so ICU and Snowball are rarely called.
///
/// A hash table with open addressing, and one block of bytes for the words, about 1.5 MB in total. When either is full,
/// all entries are removed: the frequent words are cached again after a few lines of text.
final class WordCache {
  /// A cached result. Its fragment is stored in the format of ``TokenBuffer/stream``: the folded word (surface form)
  /// and, if the stem differs, 0x1F and the stem. An empty surface form means that folding removed the whole word.
  struct Entry {
    fileprivate var hash: UInt32
    fileprivate var offset: UInt32
    fileprivate var keyLength: UInt16
    var surfaceLength: UInt16
    var fragmentLength: UInt16

    @inline(__always)
    var stemLength: Int { max(0, Int(fragmentLength) - Int(surfaceLength) - 1) }
  }

  private let slots: UnsafeMutablePointer<Entry>
  private let arena: UnsafeMutablePointer<UInt8>
  private var used = 0
  private var arenaUsed = 0

  private static let slotCount = 1 << 15
  private static let mask = slotCount - 1
  private static let arenaCapacity = 1 << 20

  init() {
    arena = .allocate(capacity: Self.arenaCapacity)
    // An unused slot is zero. The system provides its memory when it is first used: a search uses few slots.
    if let zeros = calloc(Self.slotCount, MemoryLayout<Entry>.stride) {
      slots = zeros.bindMemory(to: Entry.self, capacity: Self.slotCount)
    } else {
      slots = .allocate(capacity: Self.slotCount)
      removeAll()
    }
  }

  deinit {
    slots.deallocate()
    arena.deallocate()
  }

  @inline(__always)
  func fragment(of entry: Entry) -> UnsafePointer<UInt8> {
    UnsafePointer(arena + Int(entry.offset) + Int(entry.keyLength))
  }

  @inline(__always)
  func find(_ key: UnsafePointer<UInt8>, _ length: Int, hash: UInt32) -> Entry? {
    var slot = Int(hash) & Self.mask
    while true {
      let entry = slots[slot]
      if entry.keyLength == 0 { return nil }
      if entry.hash == hash, Int(entry.keyLength) == length, isEqual(arena + Int(entry.offset), key, length) {
        return entry
      }
      slot = (slot &+ 1) & Self.mask
    }
  }

  /// Adds a word that is not in the table. Key and fragment together take at most a few hundred bytes.
  @inline(never)
  func insert(
    _ key: UnsafePointer<UInt8>, _ length: Int, hash: UInt32, fragment: UnsafeBufferPointer<UInt8>,
    surfaceLength: Int
  ) -> Entry {
    if used >= Self.slotCount / 4 * 3 || arenaUsed + length + fragment.count > Self.arenaCapacity {
      removeAll()
    }
    let entry = Entry(
      hash: hash, offset: UInt32(arenaUsed), keyLength: UInt16(length), surfaceLength: UInt16(surfaceLength),
      fragmentLength: UInt16(fragment.count))
    (arena + arenaUsed).update(from: key, count: length)
    if let bytes = fragment.baseAddress {
      (arena + arenaUsed + length).update(from: bytes, count: fragment.count)
    }
    arenaUsed += length + fragment.count
    var slot = Int(hash) & Self.mask
    while slots[slot].keyLength != 0 { slot = (slot + 1) & Self.mask }
    slots[slot] = entry
    used += 1
    return entry
  }

  private func removeAll() {
    slots.update(
      repeating: Entry(hash: 0, offset: 0, keyLength: 0, surfaceLength: 0, fragmentLength: 0),
      count: Self.slotCount)
    used = 0
    arenaUsed = 0
  }
}

/// Returns a hash of `length` bytes, which is at least 1. Multiplication mixes eight bytes at a time, as in wyhash.
@inline(__always)
func wordHash(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
  var state = UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15
  var index = 0
  while index &+ 8 < length {
    state = mix(state ^ load(bytes + index, as: UInt64.self))
    index &+= 8
  }
  state = mix(state ^ lastBlock(bytes + index, length &- index))
  return UInt32(truncatingIfNeeded: state ^ state >> 32)
}

@inline(__always)
private func isEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ length: Int) -> Bool {
  var index = 0
  while index &+ 8 < length {
    if load(left + index, as: UInt64.self) != load(right + index, as: UInt64.self) { return false }
    index &+= 8
  }
  return lastBlock(left + index, length &- index) == lastBlock(right + index, length &- index)
}

@inline(__always)
private func mix(_ value: UInt64) -> UInt64 {
  let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
  return product.high ^ product.low
}

/// Returns one to eight bytes as a number, without a loop: overlapping loads read each byte at least once.
@inline(__always)
private func lastBlock(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
  if count >= 4 {
    let first = UInt64(load(bytes, as: UInt32.self))
    return first << 32 | UInt64(load(bytes + (count &- 4), as: UInt32.self))
  }
  return UInt64(bytes[0]) << 16 | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count &- 1])
}

@inline(__always)
private func load<T: BitwiseCopyable>(_ bytes: UnsafePointer<UInt8>, as type: T.Type) -> T {
  UnsafeRawPointer(bytes).loadUnaligned(as: type)
}
