#!/usr/bin/env bash
# Tests the image as a user runs it: built, run as process 1 on a read-only root without capabilities, stopped, killed, started again.
#
#   docker/test.sh     after ./mvnw package; it takes no options
#
# It does not use Docker: buildah builds the image of the tarball in collector-app/target, on the Debian that .ci/package-test has
# made with debootstrap. podman runs it with its own network, mounts and process ids. Nothing comes from a registry.
# It needs root, buildah, podman and that Debian; without them it prints one line and exits with 0.
# MILLRACE_CI_CACHE names the cache; ~/.cache/millrace-ci by default. The base image stays in it, everything else is removed.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cache=${MILLRACE_CI_CACHE:-${HOME:-/root}/.cache/millrace-ci}
debian=$cache/debian-jre
store=$cache/containers
image=localhost/millrace-test
base=localhost/millrace-test-base

say() {
  echo "docker-test: $*"
}

fail() {
  echo "docker-test: FAILED: $*" >&2
  exit 1
}

skip() {
  say "skipped: $*"
  exit 0
}

# ---- inside of the namespaces ----

# engine COMMAND ARGUMENT...: podman with all of its files in the scratch directory.
engine() {
  timeout -k 5 90 podman --root "$MILLRACE_TEST_STORE" --storage-opt "overlay.imagestore=$store" --runroot /run/millrace-test --tmpdir /run/millrace-test/tmp \
    --events-backend file --cgroup-manager cgroupfs "$@" </dev/null
}

# The host's network is that of the namespace: loopback alone.
hardened=(--cgroups disabled --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --network host
  --pull never --read-only --read-only-tmpfs=false --cap-drop all --security-opt no-new-privileges)

# once ARGUMENT...: a container that is gone with its command.
once() {
  engine run --rm "${hardened[@]}" --no-healthcheck --tmpfs /tmp:exec "$@"
}

# service ARGUMENT...: the container of the service. Podman takes systemd to ask the health check by itself; start does it here.
service() {
  engine run -d --name millrace "${hardened[@]}" --no-healthcheck -v millrace:/data -v /run/millrace.yaml:/etc/millrace/millrace.yaml:ro \
    --stop-timeout 60 "$@" "$image" run --config /etc/millrace/millrace.yaml
}

# await WHAT COMMAND ARGUMENT...: runs a command until it succeeds.
await() {
  local what=$1 end=$((SECONDS + 120))
  shift
  until "$@" >/run/await 2>&1; do
    [[ $SECONDS -lt $end ]] || { cat /run/await >&2; engine logs millrace >&2 || true; fail "not in 120 s: $what"; }
    sleep 0.2
  done
}

# log PATTERN: a line that the service printed since it was started last.
log() {
  local said
  # All of it first: grep leaves at the line it looks for, and podman would fail for the rest.
  said=$(engine logs --since "$started" millrace 2>&1)
  grep -E -m 1 "$1" <<<"$said"
}

start() {
  started=$(date +%s.%N)
  "$@" >/dev/null
  await "the health check says yes" engine exec millrace bash -c "$MILLRACE_TEST_HEALTH"
  log 'ready:' || fail "there is no ready line"
}

inspected() {
  engine inspect --format "$1" millrace
}

syslog() {
  printf '<13>1 2026-01-01T00:00:00Z host app - - - %s' "$1" >/dev/udp/127.0.0.1/5514
}

# shows TEXT: true if the journal, read by the image's own command, has a line that ends so. What was read stays in /run/read.
shows() {
  engine exec millrace millrace read --data /data --from begin --format raw >/run/read && grep -q -- "$1\$" /run/read
}

# accounts_for_all JSON: the ledger's whole life, over the kill: what was received is in the journal or was in memory at the kill.
accounts_for_all() {
  local life=${1#*'"lifetime":'} field
  local -A of
  for field in received journaled crash; do
    [[ $life =~ \"$field\":([0-9]+) ]] || fail "the ledger has no lifetime.$field: $1"
    of[$field]=${BASH_REMATCH[1]}
  done
  [[ ${of[received]} -eq $((of[journaled] + of[crash])) && ${of[journaled]} -eq $(wc -l </run/read) ]] ||
    fail "the ledger does not account for all of $(wc -l </run/read) datagrams: ${life%%\}*}"
  say "ledger of the whole life: received ${of[received]} = journaled ${of[journaled]} + in memory at the kill ${of[crash]}"
}

stopped_in_order() {
  local begin=$SECONDS said
  engine stop millrace >/dev/null
  [[ $(inspected '{{.State.ExitCode}}') == 0 ]] || fail "it ended with $(inspected '{{.State.ExitCode}}')"
  said=$(log 'ledger: received') || fail "it printed no ledger"
  [[ $said =~ received\ ([0-9]+)\ =\ journaled\ ([0-9]+)\ \+\ in\ flight\ 0 && ${BASH_REMATCH[1]} == "${BASH_REMATCH[2]}" ]] ||
    fail "the ledger does not close: $said"
  say "stopped by SIGTERM in $((SECONDS - begin)) s: $said"
}

inside() {
  local said

  say "== the compose file's configuration"
  once -v "$root/docker/compose/millrace.yaml:/etc/millrace/millrace.yaml:ro" \
    -v "$root/docker/compose/admin-token:/run/secrets/admin-token:ro" "$image" config check --config /etc/millrace/millrace.yaml ||
    fail "it is not taken"

  # An output, for it takes modules of Java that nothing else does.
  printf '%s\n' 'data: /data' 'outputs: {archive: {type: file, path: /data/archive/all.log, format: raw}}' >/run/millrace.yaml

  say "== started: user, process 1, file system, transport"
  start service --tmpfs /tmp:exec
  # shellcheck disable=SC2016 # For the inner shell.
  said=$(engine exec millrace bash -c 'echo $(</proc/1/comm) $(sed -n "s/^Uid:\t//p; s/^CapEff:\t//p" /proc/1/status) $(stat -c %u:%a /data)')
  [[ $said == "java 10514 10514 10514 10514 0000000000000000 10514:750" ]] || fail "process 1 and /data: $said"
  engine exec millrace bash -c '! : >/opt/x' 2>/dev/null || fail "the root file system can be written"
  log 'transport native' >/dev/null || fail "it does not use the native module: $(log 'ready:')"

  say "== a syslog line in, read back, and delivered to a file; the sender"
  syslog "hello of the test"
  await "read shows what was sent" shows "hello of the test"
  await "it is delivered" engine exec millrace grep 'hello of the test$' /data/archive/all.log
  once "$image" send --to 127.0.0.1:5514 --rate 2k --count 2000 | tail -n 1

  say "== a second container on the volume"
  said=$(once -v millrace:/data "$image" run --data /data --listen 127.0.0.1:0 --admin off 2>&1) &&
    fail "it is not refused"
  [[ $said == *"is in use by another Millrace"* ]] || fail "it is refused, but not for the lock: $said"

  say "== SIGTERM to process 1"
  stopped_in_order

  say "== started on the volume again, and killed under load"
  start engine start millrace
  engine run -d --name sender "${hardened[@]}" --no-healthcheck --tmpfs /tmp:exec "$image" send --to 127.0.0.1:5514 --rate 20k --duration 20s >/dev/null
  sleep 3
  engine kill --signal KILL millrace >/dev/null
  engine wait millrace >/dev/null
  [[ $(inspected '{{.State.ExitCode}}') == 137 ]] || fail "kill -9 of process 1: $(inspected '{{.State.ExitCode}}')"
  engine rm -f sender >/dev/null

  say "== started after kill -9"
  start engine start millrace
  syslog "hello after the kill"
  await "read shows what was sent after the kill" shows "hello after the kill"
  grep -q 'hello of the test$' /run/read || fail "what was there before the kill is gone"
  [[ $(wc -l </run/read) -gt 20000 ]] || fail "after the kill the journal has $(wc -l </run/read) datagrams"
  engine exec millrace millrace journal verify --data /data || fail "the journal is not whole"
  accounts_for_all "$(engine exec millrace millrace ledger --json --data /data)"
  stopped_in_order
  engine rm millrace >/dev/null

  say "== /tmp mounted noexec"
  start service --tmpfs /tmp:noexec
  log 'transport nio' >/dev/null || fail "not nio, as docker/README.md says: $(log 'ready:')"
  stopped_in_order
}

if [[ ${1:-} == --inside ]]; then
  # Podman's state and locks are the namespace's. crun refuses a host with both kinds of control groups, and needs none.
  mount -t tmpfs tmpfs /run
  mount -t tmpfs tmpfs /dev/shm
  mount -t tmpfs tmpfs /sys/fs/cgroup
  ip link set lo up
  inside
  exit 0
fi

# ---- outside ----

# builder ROOT ARGUMENT...: buildah with its files there.
builder() {
  local root=$1
  shift
  timeout -k 5 300 buildah --root "$root" --runroot "$scratch/runroot" "$@" </dev/null
}

# make_base: two images of the Debian, without its Java: the one to run on, and the same with the JDK that is mounted into it.
make_base() {
  local container
  if [[ -d $store && $store -nt $debian ]]; then
    return 0
  fi
  say "making the base image of $debian; once"
  rm -rf "$store" "$store.new"
  container=$(builder "$store.new" from scratch)
  tar -C "$debian" --one-file-system --exclude='./usr/lib/jvm/*' --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
    --exclude='./usr/share/locale/*' --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -cf "$scratch/debian.tar" .
  builder "$store.new" add "$container" "$scratch/debian.tar" / >/dev/null
  rm "$scratch/debian.tar"
  builder "$store.new" config --cmd /bin/bash "$container"
  builder "$store.new" commit -q "$container" "$base" >/dev/null
  builder "$store.new" config --env JAVA_HOME=/opt/jdk \
    --env PATH=/opt/jdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  builder "$store.new" commit -q --rm "$container" "$base-jdk" >/dev/null
  mv "$store.new" "$store"
}

[[ $# -eq 0 ]] || fail "it takes no options"
[[ $(uname -s) == Linux && $(id -u) -eq 0 ]] || skip "it needs root"
PATH=$PATH:/sbin:/usr/sbin
for program in buildah podman unshare ip; do
  command -v "$program" >/dev/null || skip "there is no $program"
done
[[ -d $debian ]] || skip "there is no $debian: .ci/package-test makes it"
jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac || echo /none/bin/javac)")")")}
[[ -x $jdk/bin/jlink ]] || skip "there is no jlink in $jdk: set JAVA_HOME to a JDK"
tarball=$(echo "$root"/collector-app/target/millrace-*.tar.gz)
[[ -f $tarball ]] || fail "there is not one tarball in collector-app/target: ./mvnw package makes it"

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
make_base

say "== build"
mkdir "$scratch/context"
cp "$tarball" "$scratch/context/millrace.tar.gz"
build=(builder "$scratch/containers" --storage-opt "overlay.imagestore=$store")
"${build[@]}" build -q --isolation chroot --format docker --pull=never --layers=false --volume "$(readlink -f "$jdk"):/opt/jdk:ro" \
  --build-arg BUILD_BASE="$base-jdk" --build-arg RUN_BASE="$base" --build-arg TARBALL=millrace.tar.gz \
  -f "$root/docker/Dockerfile" -t "$image" "$scratch/context" >"$scratch/build.log" 2>&1 || { cat "$scratch/build.log" >&2; fail "the build"; }
"${build[@]}" images --format '{{.Name}}: {{.Size}}' | grep -E "^($image|$base):" | sed 's/^/docker-test: /'

# With process ids of their own, nothing outlives this.
health=$("${build[@]}" inspect --type image --format '{{index .Docker.Config.Healthcheck.Test 3}}' "$image") || fail "the image has no health check"
MILLRACE_TEST_HEALTH=$health MILLRACE_TEST_STORE=$scratch/containers timeout -k 10 480 unshare --fork --pid --mount-proc --mount --net --kill-child "$(readlink -f "${BASH_SOURCE[0]}")" --inside </dev/null ||
  fail "see above"
say "passed in $SECONDS s"
