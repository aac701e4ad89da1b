import Testing

@testable import TextIndex

@Suite struct LargeMemoryTests {
  @Test func largeMemoryStartsAtAHugePage() {
    let memory = LargeMemory<UInt8>(count: 3 * HugePages.size + 1)
    defer { memory.deallocate() }
    #expect(Int(bitPattern: memory.start) % HugePages.size == 0)
  }

  @Test(arguments: [1, 1000, 200_000, 1_000_000], [true, false])
  func everyElementCanBeWritten(count: Int, isSoonFilled: Bool) {
    let memory = LargeMemory<UInt64>(count: count, isSoonFilled: isSoonFilled)
    defer { memory.deallocate() }
    for position in 0..<count { memory[position] = UInt64(position) &* 0x9E37_79B9_7F4A_7C15 }
    #expect((0..<count).allSatisfy { memory[$0] == UInt64($0) &* 0x9E37_79B9_7F4A_7C15 })
  }
}
