/// Maps the characters of a text to numbers that are equal if the collation treats the characters as equal, so that
/// text can be searched by the rules of a collation.
///
/// With ``CollationOptions/isUnicode``, a character is a grapheme cluster, so that an accent stays with its letter;
/// otherwise it is a code point. Characters that the collation ignores have no number. Expansions and contractions are
/// not supported: `ß` and `ss` differ here, although the collation may treat them as equal.
public final class CollationUnits {
  private let collator: Collator
  private var numbers: [[UInt8]: Int32] = [:]
  private var known: [Character: Int32] = [:]
  /// The numbers of ASCII characters; -2 if not computed yet.
  private var ascii = [Int32](repeating: -2, count: 128)
  private static let ignored: Int32 = -1

  /// Creates the mapping for a collation.
  public init(_ collator: Collator) { self.collator = collator }

  /// Returns the numbers of the characters of a text. Numbers are comparable only if the same instance returned them.
  public func units(of text: UnsafeRawBufferPointer) -> [Int32] {
    var units: [Int32] = []
    units.reserveCapacity(text.count)
    if text.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) {
      for byte in text {
        var unit = ascii[Int(byte)]
        if unit == -2 {
          unit = number(of: Character(Unicode.Scalar(byte)))
          ascii[Int(byte)] = unit
        }
        if unit != CollationUnits.ignored { units.append(unit) }
      }
      return units
    }
    let string = String(decoding: text, as: UTF8.self)
    if collator.options.isUnicode {
      for character in string {
        let unit = number(of: character)
        if unit != CollationUnits.ignored { units.append(unit) }
      }
    } else {
      for scalar in string.unicodeScalars { units.append(number(of: Character(scalar))) }
    }
    return units
  }

  private func number(of character: Character) -> Int32 {
    if collator.options.isUnicode, let unit = known[character] { return unit }
    let key = collator.sortKey(String(character))
    // A key without weights consists of separators only.
    let unit: Int32
    if collator.options.isUnicode, key.allSatisfy({ $0 <= 1 }) {
      unit = CollationUnits.ignored
    } else {
      unit = numbers[key] ?? Int32(numbers.count)
      numbers[key] = unit
    }
    // Bounded, because a text may contain any number of characters.
    if known.count < 10_000 { known[character] = unit }
    return unit
  }
}
