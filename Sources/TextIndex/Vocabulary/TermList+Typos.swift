extension TermList {
  /// A term that is similar to a word.
  struct FuzzyMatch: Hashable {
    /// The number of the term.
    var number: Int
    /// The number of edits.
    var edits: Int
  }

  /// Returns the terms that a search accepts, in order; only some of them if `LongCall.shouldEnd()`. The caller calls
  /// `LongCall.check()`.
  func matches(_ search: TypoSearch) -> [FuzzyMatch] {
    var found: [FuzzyMatch] = []
    walk(search.automaton) { state, term, length in
      search.rejects(state, after: term, length)
    } accept: { number, _, isWhole, edits in
      if isWhole, search.accepts(bytes[range(number)], edits: edits) {
        found.append(FuzzyMatch(number: number, edits: edits))
      }
      return false
    }
    return found
  }

  /// Returns a list of the terms that a search accepts; only some of them if `LongCall.shouldEnd()`. The caller calls
  /// `LongCall.check()`.
  func accepted(by search: TypoSearch) -> TermList {
    var list = TermList()
    bytes.withUnsafeBufferPointer { bytes in
      for match in matches(search) {
        list.append(
          UnsafeBufferPointer(rebasing: bytes[range(match.number)]), frequency: frequencies[match.number])
      }
    }
    return list
  }

  /// Returns the numbers of the terms that begin with a string that an automaton accepts; only some of them if
  /// `LongCall.shouldEnd()`. The caller calls `LongCall.check()`.
  func numbers(withPrefixAcceptedBy automaton: LevenshteinAutomaton) -> [Range<Int>] {
    var found: [Range<Int>] = []
    walk(automaton) { state, _, _ in
      state.isDead
    } accept: { number, length, _, _ in
      found.append(number..<next(after: number, sharingLessThan: length))
      return true
    }
    return found
  }

  /// Calls `accept` for each prefix of a term that an automaton accepts: with the number of the first term that begins
  /// with it, its length, whether it is the whole term, and the number of edits. If it returns true, all terms with the
  /// prefix are skipped.
  ///
  /// Terms with a common prefix share the automaton's steps for it. If `rejects` returns true for a prefix, because no
  /// continuation can be accepted, all terms with the prefix are skipped; the next term with a shorter common prefix is
  /// found by comparing 64 terms at a time. Ends early if `LongCall.shouldEnd()`.
  @inline(__always)
  func walk(
    _ automaton: LevenshteinAutomaton,
    rejects: (_ state: LevenshteinAutomaton.State, _ term: UnsafeBufferPointer<UInt8>, _ length: Int) -> Bool,
    accept: (_ number: Int, _ length: Int, _ isWhole: Bool, _ edits: Int) -> Bool
  ) {
    let start = automaton.start
    bytes.withUnsafeBufferPointer { bytes in
      withUnsafeTemporaryAllocation(of: LevenshteinAutomaton.State.self, capacity: TermList.maximumLength + 1) {
        states in
        // The state after each prefix of the current term that ends with a complete letter.
        states.initialize(repeating: start)
        var known = 0
        var number = 0
        var check = RowCheck()
        while number < count {
          if check.shouldEnd() { return }
          let term = UnsafeBufferPointer(rebasing: bytes[range(number)])
          var position = min(known, Int(shared[number]))
          while position > 0, position < term.count, term[position] & 0xC0 == 0x80 { position -= 1 }
          var isSkipped = false
          while position < term.count, !isSkipped {
            let (letter, length) = term.letter(at: position)
            let state = automaton.step(states[position], letter)
            position += length
            states[position] = state
            isSkipped = rejects(state, term, position)
            if let edits = automaton.edits(at: state), accept(number, position, position == term.count, edits) {
              isSkipped = true
            }
          }
          known = position
          number = isSkipped ? next(after: number, sharingLessThan: position) : number + 1
        }
      }
    }
  }

  /// Returns the next term that shares fewer than `limit` bytes with its predecessor.
  private func next(after number: Int, sharingLessThan limit: Int) -> Int {
    let limit = UInt8(clamping: limit)
    return shared.withUnsafeBufferPointer { shared in
      var next = number + 1
      let limits = SIMD64<UInt8>(repeating: limit)
      while next + 64 <= shared.count, let start = shared.baseAddress {
        let block = UnsafeRawPointer(start + next).loadUnaligned(as: SIMD64<UInt8>.self)
        if any(block .< limits) { break }
        next += 64
      }
      while next < shared.count, shared[next] >= limit { next += 1 }
      return next
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the Unicode scalar at an offset and its length. Each byte that is not valid UTF-8 counts as a letter.
  @inline(__always)
  func letter(at position: Int) -> (letter: UInt32, length: Int) {
    let first = self[position]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC0, hasWholeLetter(at: position) else { return (UInt32(first) | 1 << 24, 1) }
    var letter = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { letter = letter << 6 | UInt32(self[position + offset] & 0x3F) }
    return (letter, length)
  }
  /// Returns whether the letter at an offset is complete.
  @inline(__always)
  func hasWholeLetter(at position: Int) -> Bool {
    let first = self[position]
    return first < 0xC0 || position + (first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2) <= count
  }
}
