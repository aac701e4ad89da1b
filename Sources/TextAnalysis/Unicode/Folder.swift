import CICU

/// Folds words for comparison: removes differences in case, width and compatibility variants, and accents unless the
/// configuration keeps them.
///
/// The first step is NFKC_Casefold (Unicode 15, section 5.18). With ``AnalyzerConfiguration/Accents/fold``, the next
/// steps are NFD, the removal of marks and the replacement of letters that do not decompose (``LetterFolding``), and
/// NFC. The result never contains bytes 0x00 to 0x20: spaces that NFKC creates, such as that from `¨`, are removed.
///
/// In Turkish, the lowercase form of `I` is `ı`, and that of `İ` is `i`.
final class Folder {
  /// The word after NFKC_Casefold with accents kept, the input of the stemmer. Valid until the next call.
  private(set) var casefolded: UnsafeMutableBufferPointer<UInt8>
  /// The folded word. Valid until the next call.
  private(set) var folded: UnsafeMutableBufferPointer<UInt8>

  let normalizers: Normalizers
  let foldsAccents: Bool
  private let isTurkish: Bool
  let units: (UnsafeMutablePointer<UInt16>, UnsafeMutablePointer<UInt16>)
  private let storage: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)

  /// The maximum length of the input in bytes.
  static let maximumInput = 256
  /// NFKC produces at most 18 code units from one, NFD at most 4 from each of these (UAX #15), and LetterFolding at
  /// most 2.
  private static let unitCapacity = maximumInput * 18 * 4
  private static let byteCapacity = unitCapacity * 3

  init(_ normalizers: Normalizers, accents: AnalyzerConfiguration.Accents, isTurkish: Bool = false) {
    self.normalizers = normalizers
    self.isTurkish = isTurkish
    foldsAccents = accents == .fold
    units = (.allocate(capacity: Self.unitCapacity), .allocate(capacity: Self.unitCapacity))
    storage = (.allocate(capacity: Self.byteCapacity), .allocate(capacity: Self.byteCapacity))
    casefolded = UnsafeMutableBufferPointer(start: storage.0, count: 0)
    folded = UnsafeMutableBufferPointer(start: storage.1, count: 0)
  }

  deinit {
    units.0.deallocate()
    units.1.deallocate()
    storage.0.deallocate()
    storage.1.deallocate()
  }

  /// Sets ``casefolded`` and ``folded`` for a word of at most ``maximumInput`` bytes.
  func fold(_ word: UnsafeBufferPointer<UInt8>) {
    var count = decode(word)
    count = normalize(normalizers.nfkcCasefold, units.0, count, into: units.1)
    count = unifyPunctuation(units.1, count)
    casefolded = UnsafeMutableBufferPointer(start: storage.0, count: encode(units.1, count, into: storage.0))
    if foldsAccents { count = removeAccents(count) }
    folded = UnsafeMutableBufferPointer(start: storage.1, count: encode(units.1, count, into: storage.1))
  }

  /// Sets ``folded`` for a word that is already in NFKC_Casefold form, such as a stem.
  func foldAccents(_ word: UnsafeBufferPointer<UInt8>) {
    var count = decode(word)
    units.1.update(from: units.0, count: count)
    if foldsAccents { count = removeAccents(count) }
    folded = UnsafeMutableBufferPointer(start: storage.1, count: encode(units.1, count, into: storage.1))
  }

  /// Sets ``folded`` for an emoji of at most ``maximumInput`` bytes.
  func foldEmoji(_ word: UnsafeBufferPointer<UInt8>) {
    let count = foldEmojiUnits(decode(word))
    folded = UnsafeMutableBufferPointer(start: storage.1, count: encode(units.1, count, into: storage.1))
  }
}

// MARK: - Steps

extension Folder {
  /// Removes the accents of the first `count` code units in `units.1`, in place, and returns the new count.
  private func removeAccents(_ count: Int) -> Int {
    let decomposed = normalize(normalizers.nfd, units.1, count, into: units.0)
    let kept = LetterFolding.apply(units.0, decomposed, into: units.1)
    units.0.update(from: units.1, count: kept)
    return normalize(normalizers.nfc, units.0, kept, into: units.1)
  }

  /// Writes the normalized form of some code units to `target`, from `offset` on, and returns its length.
  func normalize(
    _ normalizer: OpaquePointer, _ source: UnsafePointer<UInt16>, _ count: Int,
    into target: UnsafeMutablePointer<UInt16>, at offset: Int = 0
  ) -> Int {
    // -1 means that the target is too small, which cannot happen with this capacity.
    let capacity = Int32(Self.unitCapacity - offset)
    return Int(max(0, cicu_normalize(normalizer, source, Int32(count), target + offset, capacity)))
  }

  /// Replaces typographic apostrophes and modifier letters with their form, such as the okina of `Hawaiʻi`, with `'`,
  /// gershayim and typographic quotation marks with `"`, and the separators of Arabic numbers with `.` and `,`, and
  /// removes the dot that NFKC_Casefold keeps after the i of `İ`: writers mix these forms, and none of them is an
  /// accent. Modifier letters at the beginning or end are removed because an apostrophe neither begins nor ends a word.
  /// Composes the vowel sign AM of Thai and Lao, which NFKC decomposes, because ICU's dictionaries contain the composed
  /// form. Also removes spaces.
  private func unifyPunctuation(_ text: UnsafeMutablePointer<UInt16>, _ count: Int) -> Int {
    var kept = 0
    // The count without modifier letters at the end. The geresh of Hebrew is part of its word.
    var end = 0
    for index in 0..<count {
      let original = text[index]
      switch original {
      case 0...0x20: continue
      case 0x02BB...0x02BD where kept == 0: continue
      case 0x2018, 0x2019, 0x02BB...0x02BD, 0x05F3: text[kept] = 0x27
      case 0x05F4, 0x201C, 0x201D: text[kept] = 0x22
      case 0x066B: text[kept] = 0x2E
      case 0x066C: text[kept] = 0x2C
      case 0x0307 where kept > 0 && text[kept - 1] == 0x69: continue
      case 0x0E32 where kept > 0 && text[kept - 1] == 0x0E4D:
        text[kept - 1] = 0x0E33
        continue
      case 0x0EB2 where kept > 0 && text[kept - 1] == 0x0ECD:
        text[kept - 1] = 0x0EB3
        continue
      case let unit: text[kept] = unit
      }
      kept += 1
      if !(0x02BB...0x02BD).contains(original) { end = kept }
    }
    return end
  }

  private func decode(_ word: UnsafeBufferPointer<UInt8>) -> Int {
    guard let bytes = word.baseAddress else { return 0 }
    let end = min(word.count, Self.maximumInput)
    var index = 0
    var count = 0
    while index < end {
      var scalar = decodeScalar(bytes, index, end)
      index += scalar.length
      if isTurkish {
        let next = index < end ? decodeScalar(bytes, index, end).value : 0
        scalar.value = turkishLowercase(scalar.value, before: next)
      }
      if scalar.value >= 0x10000 {
        units.0[count] = UInt16(truncatingIfNeeded: 0xD7C0 + scalar.value >> 10)
        units.0[count + 1] = UInt16(truncatingIfNeeded: 0xDC00 | scalar.value & 0x3FF)
        count += 2
      } else {
        units.0[count] = UInt16(scalar.value)
        count += 1
      }
    }
    return count
  }

  /// Returns the lowercase form of `I` and `İ`, and other code points unchanged. `I` before U+0307, a combining dot, is
  /// a decomposed `İ`.
  private func turkishLowercase(_ value: UInt32, before next: UInt32) -> UInt32 {
    switch value {
    case 0x49: next == 0x0307 ? 0x69 : 0x131
    case 0x130: 0x69
    default: value
    }
  }

  private func encode(
    _ source: UnsafePointer<UInt16>, _ count: Int, into target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var index = 0
    var length = 0
    while index < count {
      let scalar = decodeUTF16(source, &index, count)
      length += encodeScalar(scalar, into: target + length)
    }
    return length
  }
}

/// Returns the code point at `index` and advances the index. The text comes from ICU, so it is well-formed.
@inline(__always)
func decodeUTF16(_ units: UnsafePointer<UInt16>, _ index: inout Int, _ count: Int) -> UInt32 {
  let first = UInt32(units[index])
  index += 1
  guard first & 0xFC00 == 0xD800, index < count else { return first }
  let second = UInt32(units[index])
  index += 1
  return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
}
