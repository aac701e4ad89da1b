import PatternMatching

/// Finds the lines of a text that may match a pattern with lookarounds: those that contain a match of the pattern
/// without them (``LinePattern/filter``). Lines without one need not be matched. An instance must be used on one
/// thread.
///
/// Finding few lines in one search of the text is several times as fast as matching each line.
final class LineFilter {
  private let matcher: PatternMatcher
  /// The lines found in the text, and the bytes of the lines that were skipped.
  private var (foundCount, skippedBytes) = (0, 0)
  /// Whether the filter finds nearly all lines of the text, or exceeded a limit in this text or an earlier one.
  private var (isUseless, hasFailed) = (false, false)

  /// The number of found lines after which the filter is no longer used if it skips less than `usefulBytes` for each.
  private static let trialCount = 256
  private static let usefulBytes = 32

  init?(_ pattern: LinePattern) throws(PatternError) {
    guard let filter = pattern.filter else { return nil }
    matcher = try PatternMatcher(filter)
  }

  /// Begins a text. All its searches share one time limit.
  func beginText(size: Int, remaining: Duration?) {
    matcher.beginTexts(size: size, within: remaining)
    (foundCount, skippedBytes, isUseless) = (0, 0, false)
  }

  func text(_ bytes: UnsafeRawBufferPointer, isValidUTF8: Bool) -> PatternText {
    matcher.text(bytes, isValidUTF8: isValidUTF8)
  }

  /// Returns the start of the first line at or after `start` that may match; nil if there is none.
  ///
  /// - Parameter start: the start of a line.
  func firstLine(in text: PatternText, from start: Int) -> Int? {
    guard !isUseless, !hasFailed else { return start }
    do {
      guard let match = try matcher.firstMatch(in: text, from: start) else { return nil }
      let line = Lines.start(of: match.lowerBound, in: text.bytes, notBefore: start)
      foundCount += 1
      skippedBytes += line - start
      isUseless = foundCount >= LineFilter.trialCount && skippedBytes < foundCount * LineFilter.usefulBytes
      return line
    } catch {
      // Without its lookarounds, the pattern may need many more steps.
      hasFailed = true
      return start
    }
  }
}

@available(*, unavailable)
extension LineFilter: Sendable {}
