/// Takes doclists in pieces, as ``LeafScan`` comes to them on the leaves of a segment.
protocol DoclistConsumer: ~Copyable {
  /// A doclist begins.
  mutating func beginDoclist(_ term: [UInt8])

  /// Takes rows up to the end of a piece on the leaf where the doclist begins.
  mutating func readRows(_ piece: ByteReader) throws

  /// Takes the piece of a doclist at the beginning of a further leaf.
  ///
  /// - Parameter firstRow: the offset of the first rowid of the leaf; nil if there is none.
  mutating func continueDoclist(_ piece: ByteReader, firstRow: UnsafePointer<UInt8>?) throws

  /// The doclist has ended.
  mutating func endDoclist() throws
}
