import Foundation

// Reads one request, a JSON object, from each line of the standard input and writes one answer, a JSON object, to the
// standard output. `Scripts/fuzz/engine.py` is the only client; FuzzSession.swift lists the requests.
//
// One process answers thousands of requests, so the fuzzer spends its time in the library and not in starting
// processes.
signal(SIGPIPE, SIG_IGN)
let session = FuzzSession()
while let line = readLine(strippingNewline: true) {
  FileHandle.standardOutput.write(Data((session.answer(to: line) + "\n").utf8))
}
