/// Releases the containers inside a container that is being deallocated.
///
/// Without it, the deallocation would recurse, and the stack would overflow if a program has nested containers deeply.
struct ContainerRelease {
  private var dictionaries: [DictionaryObject] = []
  private var arrays: [ArrayObject] = []

  /// Removes the items of a container without other references, and releases all containers inside it that have no
  /// other references either.
  static func releaseItems(of state: inout ContainerState) {
    guard state.hasLiveContainers else { return }
    var release = ContainerRelease()
    release.append(state.takeItems())
    release.run()
  }

  private mutating func append(_ items: [PropertyValue]) {
    for item in items {
      switch item {
      case .dictionary(let dictionary): dictionaries.append(dictionary)
      case .array(let array): arrays.append(array)
      case .text, .scalar, .number, .blob, .removed, .unusable: break
      }
    }
  }

  private mutating func run() {
    while true {
      if !dictionaries.isEmpty {
        releaseLastDictionary()
      } else if !arrays.isEmpty {
        releaseLastArray()
      } else {
        return
      }
    }
  }

  // A container with other references keeps its items. The references are counted in the list, because a local variable
  // would be another reference.

  private mutating func releaseLastDictionary() {
    let last = dictionaries.count - 1
    let items = isKnownUniquelyReferenced(&dictionaries[last]) ? dictionaries[last].takeItems() : []
    dictionaries.removeLast()
    append(items)
  }

  private mutating func releaseLastArray() {
    let last = arrays.count - 1
    let items = isKnownUniquelyReferenced(&arrays[last]) ? arrays[last].takeItems() : []
    arrays.removeLast()
    append(items)
  }
}

extension PropertyContainer {
  /// Removes and returns all items of a container that nothing else refers to.
  fileprivate func takeItems() -> [PropertyValue] { withState { $0.takeItems() } }
}
