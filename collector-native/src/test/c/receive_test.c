// Tests of the receive call with sanitizers: datagrams become frames with their contents, and a call that fails gives an
// error number and leaks nothing. Linked with --wrap, so that each call can be made to fail.
#define _GNU_SOURCE
#include "../../main/c/receive.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

#define CHECK(condition, ...)                                      \
  do {                                                             \
    if (!(condition)) {                                            \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                \
      fputc('\n', stderr);                                         \
      exit(1);                                                     \
    }                                                              \
  } while (0)

// ---- calls that fail when they are told to ----

enum call { SOCKET, BIND, GETSOCKNAME, SETSOCKOPT, SENDTO, RECVMMSG, IOCTL, MALLOC, CALLOC, CALLS };
static const char *const NAMES[CALLS] = {"socket", "bind", "getsockname", "setsockopt", "sendto", "recvmmsg", "ioctl",
                                         "malloc", "calloc"};
static int fails_after[CALLS]; // -1: never
static bool refused[CALLS];    // whenever it is called
static int cause;

static bool fails(enum call call) {
  if (!refused[call] && (fails_after[call] < 0 || fails_after[call]-- > 0)) return false;
  errno = cause;
  return true;
}

#define WRAP(type, call, name, parameters, arguments, failure) \
  type __real_##name parameters;                               \
  type __wrap_##name parameters;                               \
  type __wrap_##name parameters {                              \
    return fails(call) ? failure : __real_##name arguments;    \
  }

WRAP(int, SOCKET, socket, (int family, int type, int protocol), (family, type, protocol), -1)
WRAP(int, BIND, bind, (int fd, const struct sockaddr *a, socklen_t l), (fd, a, l), -1)
WRAP(int, GETSOCKNAME, getsockname, (int fd, struct sockaddr *a, socklen_t *l), (fd, a, l), -1)
WRAP(int, SETSOCKOPT, setsockopt, (int fd, int v, int n, const void *p, socklen_t l), (fd, v, n, p, l), -1)
WRAP(ssize_t, SENDTO, sendto, (int fd, const void *b, size_t n, int f, const struct sockaddr *a, socklen_t l),
     (fd, b, n, f, a, l), -1)
WRAP(int, RECVMMSG, recvmmsg, (int fd, struct mmsghdr *m, unsigned n, int f, struct timespec *t), (fd, m, n, f, t), -1)
WRAP(int, IOCTL, ioctl, (int fd, unsigned long request, void *p), (fd, request, p), -1)
WRAP(void *, MALLOC, malloc, (size_t n), (n), NULL)
WRAP(void *, CALLOC, calloc, (size_t n, size_t m), (n, m), NULL)

static void nothing_fails(void) {
  for (int i = 0; i < CALLS; i++) {
    fails_after[i] = -1;
    refused[i] = false;
  }
}

static void every_call_that_fails_is_an_error(void) {
  nothing_fails();
  CHECK(reader_probe() == 0, "the probe does not work here");
  for (int call = 0; call < CALLS; call++) {
    if (call == IOCTL) continue; // There is another way then: see refused_calls().
    nothing_fails();
    fails_after[call] = 0;
    cause = call == MALLOC || call == CALLOC ? ENOMEM : EPERM;
    int result = reader_probe();
    CHECK(result == -cause, "with %s failing the probe gives %d", NAMES[call], result);
  }
  // An interrupted call is made again.
  nothing_fails();
  fails_after[RECVMMSG] = 0;
  cause = EINTR;
  CHECK(reader_probe() == 0, "recvmmsg is not called again after EINTR");
  nothing_fails();
}

// ---- frames, as docs/reference/record-format.md has them ----

struct frame {
  int stored, flags, input, port, original, header, bytes, time_delta_ns;
  const unsigned char *payload;
};

static struct frame frame_at(const unsigned char *at) {
  uint16_t stored, port, original;
  int32_t time_delta_ns;
  memcpy(&time_delta_ns, at + 8, 4);
  memcpy(&stored, at, 2);
  memcpy(&port, at + 4, 2);
  memcpy(&original, at + 6, 2);
  int header = (at[2] & 1) != 0 ? 32 : 16;
  return (struct frame){.stored = stored,
                        .flags = at[2],
                        .input = at[3],
                        .port = port,
                        .original = original,
                        .header = header,
                        .bytes = (header + stored + 7) & -8,
                        .time_delta_ns = time_delta_ns,
                        .payload = at + header};
}

// ---- garbage ----

enum { SENT_AT_ONCE = 100, LONGEST = 65507, BATCH = 256 << 10 };

struct sent {
  int length;
  unsigned seed;
};

static unsigned char byte_of(unsigned seed, int index) {
  return (unsigned char)(seed * 31 + (unsigned)index * 7);
}

static int receiver(uint16_t *port) {
  int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0), off = 0, size = 32 << 20;
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
  socklen_t length = sizeof address;
  CHECK(fd >= 0, "socket: %s", strerror(errno));
  CHECK(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0, "IPV6_V6ONLY");
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) != 0) {
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  }
  CHECK(bind(fd, (struct sockaddr *)&address, length) == 0, "bind: %s", strerror(errno));
  CHECK(getsockname(fd, (struct sockaddr *)&address, &length) == 0, "getsockname");
  *port = ntohs(address.sin6_port);
  return fd;
}

static int granted(int fd) {
  int bytes;
  socklen_t length = sizeof bytes;
  CHECK(getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) == 0, "SO_RCVBUF");
  return bytes;
}

static int sender(bool ipv6, uint16_t port) {
  int fd = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = in6addr_loopback, .sin6_port = htons(port)};
  struct sockaddr_in v4 = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
  CHECK(connect(fd, ipv6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4, ipv6 ? sizeof v6 : sizeof v4) == 0,
        "connect: %s", strerror(errno));
  return fd;
}

static int a_length(void) {
  switch (rand() % 8) {
  case 0: return rand() % 3;
  case 1: return 2046 + rand() % 5;
  case 2: return rand() % 9000;
  case 3: return rand() % 20 == 0 ? LONGEST - rand() % 3 : rand() % 1500;
  default: return rand() % 300;
  }
}

static void send_one(int fd, struct sent *sent) {
  static unsigned char payload[LONGEST];
  sent->length = a_length();
  sent->seed = (unsigned)rand();
  for (int i = 0; i < sent->length; i++) payload[i] = byte_of(sent->seed, i);
  CHECK(send(fd, payload, (size_t)sent->length, 0) == sent->length, "send: %s", strerror(errno));
}

// Reads all that was sent, into batches of any size, and compares each frame.
static void read_and_compare(struct reader *reader, const struct sent *sent, int count, int max_datagram, bool ipv6) {
  unsigned char *memory = malloc(BATCH);
  int done = 0, staged = 0, idle = 0;
  while (done < count) {
    int least = 64 + ((32 + max_datagram + 7) & -8);
    struct batch batch = {.memory = memory, .length = 64, .empty = true, .input = 7, .now_ns = 1};
    batch.capacity = least + rand() % 4096;
    if (batch.capacity > BATCH) batch.capacity = BATCH;
    memset(memory, 0xa5, (size_t)batch.capacity);
    int frames = reader_read(reader, &batch);
    const struct outcome *outcome = reader_outcome(reader);
    CHECK(frames >= 0, "read: %d", frames);
    CHECK(frames > 0 || staged == 0, "%d are staged, and an empty batch takes none", staged);
    if (frames > 0) {
      idle = 0;
    } else {
      CHECK(++idle < 5000, "%d of %d arrived", done, count);
      usleep(1000);
    }
    staged = outcome->staged;
    int at = 64;
    int64_t bytes = 0;
    for (int i = 0; i < frames; i++, done++) {
      struct frame frame = frame_at(memory + at);
      int kept = sent[done].length < max_datagram ? sent[done].length : max_datagram;
      CHECK(frame.original == sent[done].length, "%d instead of %d bytes", frame.original, sent[done].length);
      CHECK(frame.stored == kept, "%d bytes stored instead of %d", frame.stored, kept);
      CHECK(frame.flags == ((ipv6 ? 1 : 0) | (kept < sent[done].length ? 2 : 0) | 4), "flags %d", frame.flags);
      CHECK(frame.input == 7, "input %d", frame.input);
      for (int j = 0; j < kept; j++) {
        CHECK(frame.payload[j] == byte_of(sent[done].seed, j), "byte %d of a datagram of %d", j, frame.original);
      }
      for (int j = frame.header + kept; j < frame.bytes; j++) {
        CHECK(memory[at + j] == 0, "the padding of a frame is not empty");
      }
      bytes += kept;
      at += frame.bytes;
    }
    CHECK(at == outcome->end && bytes == outcome->payload_bytes, "the outcome does not add up");
    for (int i = at; i < batch.capacity; i++) CHECK(memory[i] == 0xa5, "byte %d behind the last frame", i - at);
  }
  CHECK(staged == 0, "%d staged at the end", staged);
  free(memory);
}

static void sent_datagrams_are_in_frames(bool ipv6, int rounds) {
  static const int MAXIMA[] = {1, 100, 2047, 2048, 2049, 8192, 65507};
  for (int round = 0; round < rounds; round++) {
    uint16_t port;
    int max_datagram = MAXIMA[rand() % 7];
    int from, to = receiver(&port);
    struct reader *reader;
    struct sent sent[SENT_AT_ONCE];
    from = sender(ipv6, port);
    CHECK(reader_open(to, max_datagram, false, true, &reader) == 0, "reader_open");
    for (int burst = 0; burst < 5; burst++) {
      int count = 1 + rand() % SENT_AT_ONCE;
      int room = granted(to) / 2;
      for (int i = 0; i < count; i++) {
        send_one(from, &sent[i]);
        // As the kernel counts them, about.
        room -= 2 * sent[i].length + 2048;
        if (room < 2 * LONGEST) count = i + 1;
      }
      read_and_compare(reader, sent, count, max_datagram, ipv6);
    }
    struct batch batch = {.capacity = 0};
    CHECK(reader_read(reader, &batch) == 0, "an empty socket has something");
    CHECK(reader_outcome(reader)->more == 0, "an empty socket has more");
    reader_close(reader);
    close(from);
    close(to);
  }
}

static void gro_batches_are_split(void) {
  uint16_t port;
  int to = receiver(&port), from = sender(false, port);
  struct reader *reader;
  if (reader_open(to, 1000, true, false, &reader) != 0) {
    fprintf(stderr, "skipped: this kernel has no UDP_GRO\n");
    close(from);
    close(to);
    return;
  }
  for (int round = 0; round < 200; round++) {
    struct sent sent[SENT_AT_ONCE];
    unsigned char payload[LONGEST];
    int segment = 1 + rand() % 1400, count = 1 + rand() % 40, length = 0;
    while (segment * count > LONGEST) count--;
    for (int i = 0; i < count; i++) {
      sent[i] = (struct sent){.length = i == count - 1 ? 1 + rand() % segment : segment, .seed = (unsigned)rand()};
      for (int j = 0; j < sent[i].length; j++) payload[length++] = byte_of(sent[i].seed, j);
    }
    CHECK(setsockopt(from, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof segment) == 0, "UDP_SEGMENT");
    CHECK(send(from, payload, (size_t)length, 0) == length, "send of %d: %s", length, strerror(errno));
    read_and_compare(reader, sent, count, 1000, false);
  }
  reader_close(reader);
  close(from);
  close(to);
}

// ---- receive times ----

enum { READ = 64, BURST = 256, FRAME = 24, TRIES = 500, MS = 1000000 };

struct pair {
  struct reader *reader;
  int to, from;
  int sent, read;     // numbers of datagrams
  int64_t sent_ns[BURST];
  int64_t time_ns;    // of the last one read
  bool in_order;      // none may be earlier than the one before
};

static int64_t clock_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void sleep_until(int64_t ns) {
  while (clock_ns() < ns) usleep(100);
}

static struct pair new_pair(bool packet_timestamps) {
  uint16_t port;
  struct pair pair = {.to = receiver(&port), .in_order = true};
  pair.from = sender(false, port);
  CHECK(reader_open(pair.to, 100, false, packet_timestamps, &pair.reader) == 0, "reader_open");
  return pair;
}

static void end(struct pair *pair) {
  reader_close(pair->reader);
  close(pair->from);
  close(pair->to);
}

static void send_numbers(struct pair *pair, int count, int64_t apart_ns) {
  int64_t begin_ns = clock_ns();
  for (int i = 0; i < count; i++) {
    sleep_until(begin_ns + i * apart_ns);
    pair->sent_ns[pair->sent % BURST] = clock_ns();
    CHECK(send(pair->from, &pair->sent, sizeof pair->sent, 0) == sizeof pair->sent, "send: %s", strerror(errno));
    pair->sent++;
  }
}

// One call; returns how many of the datagrams had a time that is not said to be their own. Whatever happens, none is
// earlier than it was sent, or later than now.
static int read_once(struct pair *pair, int room, int64_t now_ns) {
  unsigned char memory[READ * FRAME];
  struct batch batch = {.memory = memory, .capacity = room * FRAME, .empty = true, .now_ns = now_ns};
  int frames = reader_read(pair->reader, &batch), others = 0;
  CHECK(frames >= 0, "read: %d", frames);
  for (int i = 0; i < frames; i++, pair->read++) {
    struct frame frame = frame_at(memory + i * FRAME);
    int64_t time_ns = reader_outcome(pair->reader)->base_ns + frame.time_delta_ns;
    int64_t late_ns = time_ns - pair->sent_ns[pair->read % BURST];
    CHECK(memcmp(frame.payload, &pair->read, sizeof pair->read) == 0, "not number %d", pair->read);
    CHECK(late_ns >= 0 && time_ns <= clock_ns(), "%d: %" PRId64 " ns after it was sent", pair->read, late_ns);
    CHECK(!pair->in_order || time_ns >= pair->time_ns, "%d is earlier than the one before", pair->read);
    pair->time_ns = time_ns;
    others += (frame.flags & 4) == 0;
  }
  return others;
}

// Reads all; none is lost.
static int read_all(struct pair *pair) {
  int others = 0;
  for (int tries = 0; pair->read < pair->sent; tries++) {
    CHECK(tries < 5000, "%d of %d", pair->read, pair->sent);
    // What does not fit is left for the next batch.
    others += read_once(pair, rand() % 4 == 0 ? 1 + rand() % READ : READ, clock_ns());
  }
  return others;
}

static int burst(struct pair *pair) {
  send_numbers(pair, BURST, 0);
  return read_all(pair);
}

// Until a full read has shared its time. On a machine on which 64 sends take longer than a millisecond it cannot.
static bool shares(struct pair *pair) {
  for (int i = 0, dense = 0; i < TRIES; i++) {
    int64_t begin_ns = clock_ns();
    send_numbers(pair, READ, 0);
    read_once(pair, READ, clock_ns());
    send_numbers(pair, READ, 0);
    if (read_once(pair, READ, clock_ns()) == READ - 1) return true;
    dense += clock_ns() - begin_ns < MS / 2;
    CHECK(dense < TRIES / 10, "full reads within half a millisecond, and each has its own time");
    read_all(pair);
  }
  return false;
}

static void times_of_reads(void) {
  struct pair pair = new_pair(false);
  // Fewer than fill a read, and 64 over more than a millisecond.
  for (int i = 0; i < 5; i++) {
    send_numbers(&pair, READ - 1, 0);
    CHECK(read_all(&pair) == 0, "a read that is not full has the time of each");
  }
  for (int i = 0; i < 5; i++) {
    send_numbers(&pair, READ, MS / 20);
    CHECK(read_all(&pair) == 0, "64 in 3 ms have the time of each");
  }
  if (!shares(&pair)) {
    fprintf(stderr, "skipped: 64 datagrams take longer than a millisecond here\n");
    end(&pair);
    return;
  }
  // A pause: what came meanwhile has its own times.
  send_numbers(&pair, 10, MS);
  CHECK(read_all(&pair) == 0, "after a pause");

  // No pause (a reader that is told an early time takes it for none), but two are more than a millisecond apart: once.
  int64_t now_ns;
  for (int i = 0, gaps = 0; gaps == 0; i++) {
    CHECK(i < TRIES && shares(&pair), "not again");
    now_ns = clock_ns() + MS * 9 / 10;
    send_numbers(&pair, 2, MS * 12 / 10);
    if (read_once(&pair, READ, now_ns) != 1) continue;
    send_numbers(&pair, READ, 0);
    int others = read_once(&pair, READ, clock_ns());
    if (clock_ns() - now_ns > MS) continue;
    CHECK(others == 0, "after a gap");
    gaps++;
  }

  // One read that is not full does not end it; a second one does.
  int kept = 0, ended = 0;
  for (int i = 0; i < TRIES && (kept == 0 || ended == 0); i++) {
    CHECK(shares(&pair), "not again");
    send_numbers(&pair, 2, 0);
    if (read_once(&pair, READ, clock_ns()) != 1) continue;
    int few = rand() % 2 == 0 ? 2 : READ;
    send_numbers(&pair, few, 0);
    if (few == READ) {
      kept += read_once(&pair, READ, clock_ns()) == READ - 1;
    } else if (read_once(&pair, READ, clock_ns()) == 1) {
      send_numbers(&pair, READ, 0);
      CHECK(read_once(&pair, READ, clock_ns()) == 0, "after two reads that were not full");
      ended++;
    }
  }
  CHECK(kept > 0 && ended > 0, "kept %d times, ended %d times", kept, ended);

  // Without a pause, and close together, but the last one before them is too long ago to say when they came.
  CHECK(shares(&pair), "not again");
  now_ns = clock_ns() + 300 * MS;
  while (clock_ns() < now_ns) read_once(&pair, READ, clock_ns());
  send_numbers(&pair, READ, 0);
  CHECK(read_once(&pair, READ, clock_ns()) == 0, "after nothing came for long");
  end(&pair);
}

// Who needs the time of each has it, but for the one read in which somebody with the same socket had asked for the other.
static void times_of_each(void) {
  struct pair pair = new_pair(true);
  for (int i = 0; i < 20; i++) CHECK(burst(&pair) == 0, "times of others");
  int off = 0;
  CHECK(setsockopt(pair.to, SOL_SOCKET, SO_TIMESTAMPNS, &off, sizeof off) == 0, "SO_TIMESTAMPNS");
  CHECK(burst(&pair) < READ, "more than a read has the time of others");
  CHECK(burst(&pair) == 0, "times of others");
  end(&pair);
}

// A call that is refused loses none.
static void refused_calls(void) {
  struct pair pair = new_pair(false);
  cause = EPERM;
  for (int i = 0; i < 100; i++) {
    fails_after[SETSOCKOPT] = rand() % 2;
    burst(&pair);
    nothing_fails();
  }
  refused[SETSOCKOPT] = true;
  for (int i = 0; i < 100; i++) burst(&pair);
  nothing_fails();
  if (shares(&pair)) {
    // It goes on with one time for all, and with the time of each as soon as that may be asked for.
    refused[SETSOCKOPT] = true;
    for (int i = 0; i < 20; i++) {
      send_numbers(&pair, 10, 0);
      CHECK(read_all(&pair) == 9, "one for all");
    }
    nothing_fails();
    burst(&pair);
    // Without the time of the last one that of each is asked for from then on. Until then it is the time of the read,
    // which is later than that of what waits.
    CHECK(shares(&pair), "not again");
    refused[IOCTL] = true;
    pair.in_order = false;
    send_numbers(&pair, READ, 0);
    CHECK(read_once(&pair, READ, clock_ns()) == READ, "the time of the read");
    pair.in_order = true;
    for (int i = 0; i < 20; i++) CHECK(burst(&pair) == 0, "the time of the last one is asked for again");
    nothing_fails();
  }
  end(&pair);
}

int main(int argc, char **argv) {
  unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  nothing_fails();
  srand(seed);
  fprintf(stderr, "seed %u\n", seed);
  every_call_that_fails_is_an_error();
  sent_datagrams_are_in_frames(false, 40);
  if (access("/proc/net/if_inet6", F_OK) == 0) sent_datagrams_are_in_frames(true, 40);
  gro_batches_are_split();
  times_of_reads();
  times_of_each();
  refused_calls();
  puts("ok");
  return 0;
}
