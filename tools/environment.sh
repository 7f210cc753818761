#!/bin/sh
# Makes the virtual environment the Makefile's targets run in, or sees that it is up to date.
#
#   tools/environment.sh EXTRAS      EXTRAS: extras of pyproject.toml, with commas ("local", "dev", "full")
#   VENV=DIR                         where it lies; .venv by default
#   PYTHON=COMMAND                   which Python it is made with; else the first that is 3.11 or newer
#
# A stamp in the environment holds the checkout's path and a checksum of what decides the packages, so a
# change of pyproject.toml or constraints.txt installs again, and a second call costs a few milliseconds.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd -P)
extras=${1:?usage: tools/environment.sh EXTRAS}
venv=${VENV:-.venv}
stamp=$venv/.trigpoint-$extras
version_check='import sys; sys.exit(sys.version_info < (3, 11))'

say() { printf '%s\n' "$*" >&2; }
stop() {
    say "make: $1"
    shift
    for line in "$@"; do say "      $line"; done
    exit 1
}

# One at a time: two makes in one checkout must not write into one environment together.
mkdir -p build
if command -v flock >/dev/null 2>&1; then
    exec 9>build/environment.lock
    flock 9
fi

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if "$candidate" -c "$version_check" >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    if [ -n "${PYTHON:-}" ]; then
        stop "PYTHON=$PYTHON is not a Python 3.11 or newer that runs."
    fi
    stop "no Python 3.11 or newer found (looked for python3, python3.13, python3.12, python3.11)." \
        "Install one (Debian, Ubuntu: apt-get install python3 python3-venv) or name it: make PYTHON=/path/to/python3."
}

works() { [ -f "$venv/pyvenv.cfg" ] && "$venv/bin/python" -c "$version_check; import pip" >/dev/null 2>&1; }

# The base interpreter an environment or a Python stands on, to see whether PYTHON= asks for another one.
base_of() { "$1" -c 'import os, sys; print(os.path.realpath(sys.base_prefix), sys.version)' 2>/dev/null || true; }

make_environment() {
    python=$(find_python) || exit 1
    if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        minor=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        stop "$python has no venv module." \
            "Debian, Ubuntu: apt-get install python3-venv (or python$minor-venv), then call make again."
    fi
    say "Making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
}

if [ -L "$venv" ]; then
    say "$venv was a link to $(readlink "$venv"): the link is removed, what it points at is left alone."
    rm "$venv"
fi
if [ -e "$venv" ] && [ ! -d "$venv" ]; then
    stop "$venv is a file." "Move it, or choose another place: make VENV=DIR."
fi
if [ -d "$venv" ] && [ ! -f "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
    stop "$venv is a folder that is not a virtual environment." "Move it, or choose another place: make VENV=DIR."
fi
if ! works; then
    make_environment
elif [ -n "${PYTHON:-}" ]; then
    python=$(find_python) || exit 1
    [ "$(base_of "$python")" = "$(base_of "$venv/bin/python")" ] || make_environment
fi

inputs=$(cat pyproject.toml constraints.txt src/trigpoint/__init__.py tools/environment.sh | cksum)
wanted="$root $inputs"
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    exit 0
fi

say "Installing trigpoint[$extras] into $venv, as constraints.txt pins it (a minute or two the first time)"
install() {
    # the build backend is pinned as everything else is, so it is installed rather than fetched by the build
    "$venv/bin/python" -m pip install -q --disable-pip-version-check -c constraints.txt hatchling editables &&
        "$venv/bin/python" -m pip install -q --disable-pip-version-check -c constraints.txt \
            --no-build-isolation -e ".[$extras]"
}
# stamps of other extras or another checkout no longer hold once packages change
for old in "$venv"/.trigpoint-*; do
    if [ -f "$old" ] && [ "$(cat "$old")" != "$wanted" ]; then rm "$old"; fi
done
if ! install; then
    stop "pip could not install the packages." \
        "It needs a package index: the usual one, or a mirror named in pip's own configuration (pip config list)." \
        "Once one can be reached, call make again; what was installed is kept."
fi
printf '%s' "$wanted" >"$stamp"
