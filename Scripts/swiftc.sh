#!/usr/bin/env bash
# The compiler of `make test`: swiftc, but ArgumentParser is compiled without DEBUG. `make compiler` installs it in a folder
# next to a link to the toolchain's folder lib.
#
# With DEBUG, ArgumentParser checks the declarations of all options several times in each process, which takes half of the
# time of `concord search` in a debug build. The tests start thousands of processes. OptionDeclarationTests checks the
# declarations once.
set -euo pipefail
if [[ " $* " == *" -module-name ArgumentParser "* ]]; then
  for argument; do
    shift
    [ "$argument" = -DDEBUG ] || set -- "$@" "$argument"
  done
fi
exec "$(readlink -f "$(dirname "$0")/../lib")/../bin/swiftc" "$@"
