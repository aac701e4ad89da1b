/// Maps the characters of a text to numbers that are equal if the collation treats the characters as equal, so that
/// text can be searched for literals by the rules of a collation. All characters that are in no literal have the same
/// number, so that the memory does not grow with the texts.
///
/// With ``CollationOptions/isUnicode``, a character is a grapheme cluster, so that an accent stays with its letter;
/// otherwise it is a code point. Characters that the collation ignores have no number. Expansions and contractions are
/// not supported: `ß` and `ss` differ here, although the collation may treat them as equal.
public final class CollationUnits {
  private let collator: Collator
  /// The numbers of the characters of literals, by sort key.
  private var numbers: [[UInt8]: Int32] = [:]
  private var known: [Character: Int32] = [:]
  /// The numbers of ASCII characters; -2 if not computed yet.
  private var ascii = CollationUnits.unknownASCII
  private static let unknownASCII = [Int32](repeating: -2, count: 128)
  private static let ignored: Int32 = -1
  /// The number of the characters that are in no literal.
  private static let other = Int32.max

  /// Creates the mapping for a collation.
  public init(_ collator: Collator) { self.collator = collator }

  /// Returns the numbers of the characters of a literal.
  public func units(ofLiteral literal: UnsafeRawBufferPointer) -> [Int32] {
    let text = String(decoding: literal, as: UTF8.self)
    let characters = collator.options.isUnicode ? Array(text) : text.unicodeScalars.map { Character($0) }
    for character in characters {
      let key = collator.sortKey(String(character))
      if !isIgnored(key), numbers[key] == nil { numbers[key] = Int32(numbers.count) }
    }
    // The characters may be known as characters that are in no literal.
    known.removeAll()
    ascii = CollationUnits.unknownASCII
    return units(of: literal)
  }

  /// Returns the numbers of the characters of a text. They are comparable with the numbers that the same instance
  /// returned for literals before.
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
    let unit = isIgnored(key) ? CollationUnits.ignored : numbers[key] ?? CollationUnits.other
    // Bounded, because a text may contain any number of characters.
    if known.count < 10_000 { known[character] = unit }
    return unit
  }

  /// Returns whether the collation ignores a character: its key has no weights and consists of separators only.
  private func isIgnored(_ key: [UInt8]) -> Bool { collator.options.isUnicode && key.allSatisfy { $0 <= 1 } }
}
