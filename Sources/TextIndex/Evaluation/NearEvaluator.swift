/// Finds the documents where phrases stand near each other: between the end of the one that ends first and the beginning of
/// the one that begins last there are at most so many terms, all in one column.
struct NearEvaluator {
  private let lengths: [Int]
  private let distance: Int
  private let columnCount: Int

  /// - Parameters:
  ///   - lengths: how many positions each phrase has.
  ///   - distance: how many terms may stand between them.
  ///   - columnCount: of the index.
  init(_ lengths: [Int], distance: Int, columnCount: Int) {
    self.lengths = lengths
    self.distance = distance
    self.columnCount = columnCount
  }

  /// The phrases, only with the documents and the places where all are near each other.
  func evaluate(_ leaves: [MatchLeaf]) -> [MatchLeaf] {
    leaves.indices.map {
      MatchLeaf(evaluate(leaves, resultOf: $0), documentFrequency: leaves[$0].documentFrequency)
    }
  }

  private func evaluate(_ leaves: [MatchLeaf], resultOf wanted: Int) -> Postings {
    var result = PostingsMemory(keepingPositions: false)
    var rows = RowIntersection(leaves.map(\.postings))
    while let row = rows.next() {
      var places: [[TermPlace]] = []
      for (number, leaf) in leaves.enumerated() {
        var list: [TermPlace] = []
        var cursor = PlaceCursor(
          leaf.postings.poslist(rows.positions[number]), columnCount: columnCount, leaf.postings.positionBytes)
        var place = cursor.next()
        while place != PlaceCursor.none {
          list.append(TermPlace(place))
          place = cursor.next()
        }
        places.append(list)
      }
      var frequencies: [(column: Int, count: UInt32)] = []
      for place in nearPlaces(places, of: wanted) {
        if frequencies.last?.column == place.column {
          frequencies[frequencies.count - 1].count += 1
        } else {
          frequencies.append((place.column, 1))
        }
      }
      if !frequencies.isEmpty {
        result.append(row, result.frequencies(frequencies), UnsafeBufferPointer(start: nil, count: 0))
      }
    }
    return Postings(result)
  }

  /// The places of a phrase that stand near one of each other phrase.
  ///
  /// One place of each phrase at a time: those too far in front of the foremost go on until all are near each other; then
  /// the phrase whose next place comes first goes on.
  private func nearPlaces(_ places: [[TermPlace]], of wanted: Int) -> [TermPlace] {
    var found: [TermPlace] = []
    var positions = Array(repeating: 0, count: places.count)
    while true {
      var last = Int(places[0][positions[0]].number)
      var isNear = false
      while !isNear {
        isNear = true
        for number in places.indices {
          let first = last - lengths[number] - distance
          var place = Int(places[number][positions[number]].number)
          guard place < first || place > last else { continue }
          isNear = false
          while place < first {
            positions[number] += 1
            guard positions[number] < places[number].count else { return found }
            place = Int(places[number][positions[number]].number)
          }
          last = max(last, place)
        }
      }
      let place = places[wanted][positions[wanted]]
      if found.last != place { found.append(place) }
      var next: (number: Int, place: Int)?
      for number in places.indices {
        let following = positions[number] + 1
        let place = following < places[number].count ? Int(places[number][following].number) : Int.max
        if next.map({ place < $0.place }) ?? true { next = (number, place) }
      }
      guard let next, next.place < Int.max else { return found }
      positions[next.number] += 1
    }
  }
}
