// The receive call by itself, under sanitizers: whatever arrives becomes frames that say what was sent, and whatever
// call fails is an error number and leaves nothing behind. Linked with --wrap, so that each call can be made to fail.
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
static int cause;

static bool fails(enum call call) {
  if (fails_after[call] < 0 || fails_after[call]-- > 0) return false;
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
  for (int i = 0; i < CALLS; i++) fails_after[i] = -1;
}

static void every_call_that_fails_is_an_error(void) {
  nothing_fails();
  CHECK(reader_probe() == 0, "the probe does not work here");
  for (int call = 0; call < CALLS; call++) {
    if (call == IOCTL) continue; // There is another way then: see times_of_reads().
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

// ---- frames, as docs/record-format.md has them ----

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

static void what_is_sent_is_in_frames(bool ipv6, int rounds) {
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

static void trains_are_cut_up(void) {
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

enum { BURST = 256, READS = 64 };

static int64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool in_order = true;

// How many of a burst had a time that was not their own. Whatever happens, none is lost, and none is earlier than it was
// sent or later than it was read; and, unless a call fails, none is earlier than the one before.
static int burst_with_times_of_others(struct reader *reader, int from, int count) {
  static unsigned char memory[BURST * 64];
  int64_t sent_ns[BURST], before_ns = 0;
  int others = 0, done = 0;
  for (int i = 0; i < count; i++) {
    sent_ns[i] = now_ns();
    CHECK(send(from, &i, sizeof i, 0) == sizeof i, "send: %s", strerror(errno));
  }
  for (int tries = 0; done < count; tries++) {
    struct batch batch = {.memory = memory, .capacity = sizeof memory, .empty = true, .now_ns = now_ns()};
    // Frames of 24 bytes: a read that does not fit leaves some for the next batch.
    if (rand() % 4 == 0) batch.capacity = 24 * (1 + rand() % READS);
    int frames = reader_read(reader, &batch), at = 0;
    CHECK(frames >= 0 && tries < 5000, "read: %d, %d of %d", frames, done, count);
    if (frames == 0) usleep(1000);
    for (int i = 0; i < frames; i++, done++) {
      struct frame frame = frame_at(memory + at);
      int64_t time_ns = reader_outcome(reader)->base_ns + frame.time_delta_ns;
      CHECK(memcmp(frame.payload, &done, sizeof done) == 0, "not number %d", done);
      CHECK(time_ns >= sent_ns[done] && time_ns <= now_ns(), "%d: %" PRId64 " ns after it was sent", done,
            time_ns - sent_ns[done]);
      CHECK(time_ns >= before_ns || !in_order, "%d is %" PRId64 " ns before the one before", done, before_ns - time_ns);
      before_ns = time_ns;
      others += (frame.flags & 4) == 0;
      at += frame.bytes;
    }
  }
  return others;
}

// A burst that takes longer than a millisecond to be sent has the time of each, and on a busy machine that may happen.
static void some_burst_has_times_of_others(struct reader *reader, int from) {
  for (int i = 0; i < 500; i++) {
    if (burst_with_times_of_others(reader, from, BURST) > 0) return;
  }
  CHECK(false, "500 bursts had the time of each");
}

static void times_of_reads(void) {
  uint16_t port;
  int to = receiver(&port), from = sender(false, port);
  struct reader *reader;
  CHECK(reader_open(to, 100, false, false, &reader) == 0, "reader_open");
  CHECK(burst_with_times_of_others(reader, from, READS - 1) == 0, "a read that is not full has the time of each");
  some_burst_has_times_of_others(reader, from);
  // After two reads that are not full each has its own again.
  for (int i = 0; i < 2; i++) burst_with_times_of_others(reader, from, 1);
  CHECK(burst_with_times_of_others(reader, from, READS - 1) == 0, "the time of each is not asked for again");

  // A call that is refused in between loses none. Without SIOCGSTAMPNS the time of each is asked for, from then on.
  cause = EPERM;
  for (int i = 0; i < 200; i++) {
    fails_after[SETSOCKOPT] = rand() % 2;
    burst_with_times_of_others(reader, from, BURST);
    nothing_fails();
  }
  some_burst_has_times_of_others(reader, from);
  fails_after[IOCTL] = 0;
  in_order = false;
  for (int i = 0; fails_after[IOCTL] == 0; i++) {
    CHECK(i < 200, "the time of the last one is never asked for");
    burst_with_times_of_others(reader, from, BURST);
  }
  in_order = true;
  for (int i = 0; i < 20; i++) {
    CHECK(burst_with_times_of_others(reader, from, BURST) == 0, "it is asked for the time of the last one again");
  }
  reader_close(reader);

  // Who needs the time of each has it, also if somebody else with the same socket did not want it.
  CHECK(reader_open(to, 100, false, true, &reader) == 0, "reader_open");
  for (int i = 0; i < 20; i++) CHECK(burst_with_times_of_others(reader, from, BURST) == 0, "times of others");
  int off = 0;
  CHECK(setsockopt(to, SOL_SOCKET, SO_TIMESTAMPNS, &off, sizeof off) == 0, "SO_TIMESTAMPNS");
  CHECK(burst_with_times_of_others(reader, from, BURST) < READS, "more than a read has the time of others");
  CHECK(burst_with_times_of_others(reader, from, BURST) == 0, "times of others");
  reader_close(reader);
  close(from);
  close(to);
}

int main(int argc, char **argv) {
  unsigned seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  nothing_fails();
  srand(seed);
  fprintf(stderr, "seed %u\n", seed);
  every_call_that_fails_is_an_error();
  what_is_sent_is_in_frames(false, 40);
  if (access("/proc/net/if_inet6", F_OK) == 0) what_is_sent_is_in_frames(true, 40);
  trains_are_cut_up();
  times_of_reads();
  puts("ok");
  return 0;
}
