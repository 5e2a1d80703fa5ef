# What quickstart and runtests share: installing Debian packages and building a
# preset. Sourced by bash with the project's root as working directory.
# shellcheck shell=bash disable=SC2034

build_packages=(
    g++ cmake ninja-build esbuild
    libarchive-dev libcli11-dev libfmt-dev libsimdjson-dev libxxhash-dev
    pkg-config
    librocksdb-dev libsqlite3-dev libpq-dev libmariadb-dev
)
test_packages=(
    ccache python3 python3-jsonschema python3-pytest
    graphviz librsvg2-bin
    libgtest-dev libbenchmark-dev
    clang libclang-rt-14-dev lld
    node-typescript chromium
    postgresql mariadb-server
)
# A nodejs that is not Debian's brings its own npm, and Debian's would not go
# with it.
if ! command -v npm >/dev/null; then
    test_packages+=(nodejs npm)
fi

say() { printf '\n== %s\n' "$*"; }

fail() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

missing_packages() {
    local package
    for package in "$@"; do
        if ! dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null |
            grep -qx installed; then
            printf '%s\n' "$package"
        fi
    done
}

# Runs a command as root, or explains how to do without.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo --preserve-env=DEBIAN_FRONTEND "$@"
    fi
}

# Mirrors are at times slow or half updated: three attempts, then give up.
patiently() {
    local attempt
    for attempt in 1 2 3; do
        "$@" && return 0
        [ "$attempt" -eq 3 ] && return 1
        echo "   attempt $attempt failed, trying again"
        sleep $((attempt * 5))
    done
}

# install_packages NAME...: installs those that are missing; no network is
# touched if none is.
install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "   this is no Debian: make sure that these (or your system's" \
            "names for them) are installed: $*"
        return 0
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ "${#missing[@]}" -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        fail "Missing packages, and neither root nor sudo to install them." \
            "As root: apt-get install ${missing[*]}"
    fi
    say "installing ${missing[*]}"
    local log
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if ! patiently as_root apt-get -q -o Acquire::Retries=3 update \
            >"$log" 2>&1 ||
        ! patiently as_root apt-get -q -y -o Acquire::Retries=3 \
            -o Dpkg::Use-Pty=0 install --no-install-recommends \
            "${missing[@]}" >"$log" 2>&1; then
        tail -n 25 "$log" >&2
        rm -f "$log"
        fail "The packages could not be installed; apt-get's last words are above."
    fi
    rm -f "$log"
}

# build_preset PRESET [cmake options...]: configures and builds it.
build_preset() {
    local preset=$1
    shift
    local log
    log=$(mktemp)
    if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        fail "Configuring the preset '$preset' failed."
    fi
    rm -f "$log"
    cmake --build --preset "$preset" -j"$(nproc)" -- --quiet ||
        fail "Building the preset '$preset' failed."
}
