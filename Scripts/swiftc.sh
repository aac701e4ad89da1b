#!/usr/bin/env bash
# The compiler of `make test`: swiftc with other flags for some modules. `make compiler` installs it in a folder next to a
# link to the toolchain's folder lib.
#
# The five modules below take most of the time of the tests. Optimized, but with their assertions, they take 90 s more of
# processor time to compile, and the tests of the library then take 250 instead of 480 s.
#
# Modules without tests are compiled as whole modules, which saves a quarter of their time in a clean build. The modules of
# tests are large, and several processes compile them in parallel.
#
# With DEBUG, ArgumentParser checks the declarations of all options several times in each process, which takes half of the
# time of `concord search` in a debug build. The tests start thousands of processes. OptionDeclarationTests checks the
# declarations once.
set -euo pipefail
optimized=" JSONText PatternMatching QueryModel TextAnalysis TextIndex "

module=
previous=
for argument; do
  [ "$previous" = -module-name ] && module=$argument
  previous=$argument
done
for argument; do
  shift
  flags=("$argument")
  case $module:$argument in
    ArgumentParser:-DDEBUG) flags=() ;;
    *Tests:*) ;;
    *:-Onone) [[ $optimized != *" $module "* ]] || flags=(-O -assert-config Debug) ;;
    *:-enable-batch-mode) flags=(-whole-module-optimization -num-threads 2) ;;
    *:-incremental) flags=() ;;
  esac
  set -- "$@" "${flags[@]}"
done
exec "$(readlink -f "$(dirname "$0")/../lib")/../bin/swiftc" "$@"
