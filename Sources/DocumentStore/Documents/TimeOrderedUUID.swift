/// UUIDs of version 7, which begin with the time of their creation (RFC 9562, section 5.7).
///
/// Documents that are created one after another get ids that are adjacent in the index of ids. With random ids, each
/// transaction of an import would write most pages of this index again.
public enum TimeOrderedUUID {
  /// Returns a new UUID in lower case, for example `019acd55-4a5b-7c3e-9f11-0a6cbd7c41e8`.
  ///
  /// 48 bits are the time in milliseconds since 1970, 12 bits the fraction of the millisecond, and 62 bits are random.
  public static func make() -> String {
    make(nanoseconds: UInt64(clamping: CounterLimits.currentNanoseconds()), random: .random(in: 0 ... .max))
  }

  /// Returns the UUID for a time and random bits.
  static func make(nanoseconds: UInt64, random: UInt64) -> String {
    let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let fraction = rest << 12 / 1_000_000
    let version: UInt64 = 7
    let variant: UInt64 = 0b10
    return text(milliseconds << 16 | version << 12 | fraction, variant << 62 | random >> 2)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 36) { bytes in
      var end = 0
      for number in 0..<16 {
        if number == 4 || number == 6 || number == 8 || number == 10 {
          bytes[end] = UInt8(ascii: "-")
          end += 1
        }
        let byte = (number < 8 ? high : low) >> (56 - 8 * UInt64(number & 7)) & 0xFF
        bytes[end] = digits.utf8Start[Int(byte >> 4)]
        bytes[end + 1] = digits.utf8Start[Int(byte & 0xF)]
        end += 2
      }
      return end
    }
  }
}
