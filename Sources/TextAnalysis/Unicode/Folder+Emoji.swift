import CICU

extension Folder {
  /// Folds the emoji in the first `count` code units of `units.0` into `units.1`, and returns the new count.
  ///
  /// NFKC_Casefold is applied to each code point. It removes variation selectors and other invisible characters.
  /// Joiners and the tags of flags are kept: without them, the term would be another text, which is not found if it is
  /// typed. If accents are folded, skin tones and marks are removed as well.
  func foldEmojiUnits(_ count: Int) -> Int {
    var kept = 0
    var index = 0
    while index < count {
      let start = index
      let scalar = decodeUTF16(units.0, &index, count)
      if kept > 0, foldsAccents, isSkinToneOrMark(scalar) { continue }
      if scalar == zeroWidthJoiner || (0xE0020...0xE007F).contains(scalar) {
        for unit in start..<index {
          units.1[kept] = units.0[unit]
          kept += 1
        }
      } else {
        kept += normalize(normalizers.nfkcCasefold, units.0 + start, index - start, into: units.1, at: kept)
      }
    }
    while kept > 0, UInt32(units.1[kept - 1]) == zeroWidthJoiner { kept -= 1 }
    return kept
  }

  private func isSkinToneOrMark(_ scalar: UInt32) -> Bool {
    if (0x1F3FB...0x1F3FF).contains(scalar) { return true }
    let category = cicu_category(Int32(bitPattern: scalar))
    return category == .nonspacingMark || category == .enclosingMark
  }
}

private let zeroWidthJoiner: UInt32 = 0x200D
