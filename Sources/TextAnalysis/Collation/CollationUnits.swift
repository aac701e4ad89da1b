/// Turns text into numbers, one a character, that are the same where a collation calls characters equal. So text can be
/// searched as a collation compares it.
///
/// A character is what Unicode calls a grapheme cluster, so that an accent stays with its letter; without Unicode's order it is
/// a code point. Characters that the collation ignores have no number. What a collation makes of several characters together
/// is not seen: `ß` and `ss` differ here, although the collation may call them equal.
public final class CollationUnits {
  private let collator: Collator
  private var numbers: [[UInt8]: Int32] = [:]
  private var known: [Character: Int32] = [:]
  /// Of a single ASCII character; -2 where nobody has asked yet.
  private var ascii = [Int32](repeating: -2, count: 128)
  private static let ignored: Int32 = -1

  /// Units for a collation.
  public init(_ collator: Collator) { self.collator = collator }

  /// The numbers of a text. They are comparable with those that the same object made before.
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
    // A key without weights is of separators alone.
    let unit: Int32
    if collator.options.isUnicode, key.allSatisfy({ $0 <= 1 }) {
      unit = CollationUnits.ignored
    } else {
      unit = numbers[key] ?? Int32(numbers.count)
      numbers[key] = unit
    }
    // There are too many characters in the world to keep all.
    if known.count < 10_000 { known[character] = unit }
    return unit
  }
}
