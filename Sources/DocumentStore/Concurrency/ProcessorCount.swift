import Foundation

/// The number of processors that the process may use.
public enum ProcessorCount {
  /// The number when it was first read. Foundation reads files of the control group each time.
  public static let active = ProcessInfo.processInfo.activeProcessorCount
}
