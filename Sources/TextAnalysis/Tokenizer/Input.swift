/// The text of one call, and where its tokens go.
struct Input {
  let bytes: UnsafePointer<UInt8>
  let end: Int
  let buffer: TokenBuffer
}
