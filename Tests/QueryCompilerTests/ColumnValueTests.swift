import QueryCompiler
import Testing

struct ColumnValueTests {
  @Test func stringsAreComparedByTheirBytes() {
    let composed = ColumnValue.string("\u{E9}")
    let decomposed = ColumnValue.string("e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
  }

  @Test func valuesOfDifferentTypesDiffer() {
    let values: [ColumnValue] = [
      .missing, .null, .boolean(false), .boolean(true), .integer(0), .integer(1), .double(0), .double(1), .string(""),
      .string("1"), .container([]), .container([49]),
    ]
    for (one, first) in values.enumerated() {
      for (other, second) in values.enumerated() { #expect((first == second) == (one == other)) }
    }
    #expect(Set(values + values).count == values.count)
  }
}
