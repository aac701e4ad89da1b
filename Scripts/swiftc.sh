#!/usr/bin/env bash
# Runs swiftc for `make test`, but compiles ArgumentParser without DEBUG. SWIFT is the program `swift`.
#
# With DEBUG, ArgumentParser checks the declarations of all options several times in each process, which takes half of the
# time of `concord search` in a debug build. The tests start thousands of processes. OptionDeclarationTests checks the
# declarations once.
set -euo pipefail
swift=$(command -v "${SWIFT:-swift}")
if [[ " $* " == *" -module-name ArgumentParser "* ]]; then
  for argument; do
    shift
    [ "$argument" = -DDEBUG ] || set -- "$@" "$argument"
  done
fi
exec "$(dirname "$swift")/swiftc" "$@"
