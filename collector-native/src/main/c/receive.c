// One call from Java makes one recvmmsg and many frames.
//
// The kernel writes into slots, one per datagram. A slot has room for the longest payload that is kept; most datagrams use
// only its first bytes. The payloads are copied from the slots to the batch, without space between them. A datagram for
// which the batch has no room stays in its slot until the next call. With GRO a slot holds one GRO batch.
//
// The kernel takes the time of each datagram on arrival. Reading it with each datagram is expensive. So while many arrive,
// one batch timestamp is read per call: see settle_times().
#define _GNU_SOURCE
#include "receive.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

// The layout of a frame: docs/reference/record-format.md. The tests compare it with what Java writes.
enum { HEADER_IPV4 = 16, HEADER_IPV6 = 32, ALIGNMENT = 8 };
enum { FLAG_IPV6 = 1, FLAG_TRUNCATED = 2, FLAG_KERNEL_TIME = 4 };

struct frame_header {
  uint16_t stored_length;
  uint8_t flags, input;
  uint16_t source_port, original_length;
  int32_t time_delta_ns;
  uint8_t address[16]; // 4 for IPv4, and the payload follows
  uint32_t scope_id;
};

_Static_assert(sizeof(struct frame_header) == HEADER_IPV6, "an IPv6 frame header");
_Static_assert(offsetof(struct frame_header, address) == 12, "the address");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are little-endian");
_Static_assert(offsetof(struct outcome, end) == 32 && sizeof(struct outcome) == 48, "what Java reads");

enum { SLOTS = 64, GRO_SLOTS = 16, PROBE_MS = 1000 };
enum { GRO_BYTES = 65535, MAX_DATAGRAM = 65535 };
enum { LINE_BYTES = 64 };
enum { NEAR_NS = 1000000, LATEST_NS = 250000000 };
enum { CONTROL_BYTES = CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(int)) };

struct reader {
  struct outcome outcome;
  int fd, max_datagram, slots;
  bool gro;
  int filled, next;   // slots received, and the first that is not completely in frames
  int next_offset;    // with GRO, the bytes of that slot that are in frames
  bool socket_may_have_more;
  bool needs_packet_timestamps, has_packet_timestamps, no_batch_timestamp;
  bool was_full;        // the last read with datagrams filled all slots
  bool last_has_time;   // last_time_ns is the kernel's
  int64_t last_time_ns; // time of the last slot, and batch timestamp of slots without their own
  int64_t called_ns;    // when the last read began
  size_t stride;
  unsigned char *memory;
  struct mmsghdr messages[SLOTS];
  struct iovec pieces[SLOTS];
  struct sockaddr_in6 sources[SLOTS];
  _Alignas(struct cmsghdr) unsigned char controls[SLOTS][CONTROL_BYTES];
};

// ---- slots ----

static unsigned char *slot_memory(const struct reader *reader, int slot) {
  return reader->memory + reader->stride * (size_t)slot;
}

// Sets the lengths of the buffers, which the kernel has overwritten.
static void reset_slots(struct reader *reader, int count) {
  for (int i = 0; i < count; i++) {
    reader->messages[i].msg_hdr.msg_namelen = sizeof reader->sources[i];
    reader->messages[i].msg_hdr.msg_controllen = CONTROL_BYTES;
  }
}

static int make_slots(struct reader *reader) {
  size_t bytes = reader->gro ? GRO_BYTES : (size_t)reader->max_datagram;
  // An odd number of cache lines. Otherwise all slots would begin in the same few sets of the cache.
  reader->stride = ((bytes + LINE_BYTES - 1) / LINE_BYTES | 1) * LINE_BYTES;
  reader->memory = malloc(reader->stride * (size_t)reader->slots);
  if (reader->memory == NULL) return -ENOMEM;
  for (int i = 0; i < reader->slots; i++) {
    // One iovec: for two the kernel copies their list, which costs more than it saves.
    reader->pieces[i] = (struct iovec){.iov_base = slot_memory(reader, i), .iov_len = bytes};
    reader->messages[i].msg_hdr = (struct msghdr){.msg_name = &reader->sources[i],
                                                  .msg_iov = &reader->pieces[i],
                                                  .msg_iovlen = 1,
                                                  .msg_control = reader->controls[i]};
  }
  reset_slots(reader, reader->slots);
  return 0;
}

static int set_packet_timestamps(struct reader *reader, bool enabled) {
  int on = enabled;
  if (setsockopt(reader->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) return -errno;
  reader->has_packet_timestamps = enabled;
  return 0;
}

int reader_open(int fd, int max_datagram, bool gro, bool packet_timestamps, struct reader **out) {
  if (max_datagram < 1 || max_datagram > MAX_DATAGRAM) return -EINVAL;
  struct reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return -ENOMEM;
  reader->fd = fd;
  reader->max_datagram = max_datagram;
  reader->gro = gro;
  reader->needs_packet_timestamps = packet_timestamps || gro; // a GRO batch has one in any case
  reader->slots = gro ? GRO_SLOTS : SLOTS;
  int on = 1, result = set_packet_timestamps(reader, true);
  if (result == 0 && gro && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on) != 0) result = -errno;
  if (result == 0) result = make_slots(reader);
  if (result != 0) {
    reader_close(reader);
    return result;
  }
  *out = reader;
  return 0;
}

void reader_close(struct reader *reader) {
  free(reader->memory);
  free(reader);
}

const struct outcome *reader_outcome(const struct reader *reader) {
  return &reader->outcome;
}

// ---- slot contents ----

// The content of a slot: a GRO batch, or a single datagram.
struct gro_batch {
  int64_t time_ns;
  bool kernel_time;
  int length, segment;
};

static int64_t nanoseconds(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static struct gro_batch look_at(const struct reader *reader, int slot) {
  const struct msghdr *header = &reader->messages[slot].msg_hdr;
  int length = (int)reader->messages[slot].msg_len;
  struct gro_batch gro_batch = {.time_ns = reader->last_time_ns,
                        .kernel_time = reader->last_has_time && slot == reader->filled - 1,
                        .length = length,
                        .segment = length};
  for (struct cmsghdr *control = CMSG_FIRSTHDR(header); control != NULL;
       control = CMSG_NXTHDR((struct msghdr *)header, control)) {
    if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec time;
      memcpy(&time, CMSG_DATA(control), sizeof time);
      gro_batch.time_ns = nanoseconds(time);
      gro_batch.kernel_time = true;
    } else if (control->cmsg_level == IPPROTO_UDP && control->cmsg_type == UDP_GRO) {
      memcpy(&gro_batch.segment, CMSG_DATA(control), sizeof gro_batch.segment);
    }
  }
  if (gro_batch.segment <= 0 || gro_batch.segment > length) gro_batch.segment = length;
  return gro_batch;
}

// ---- the receive call ----

static bool is_within(int64_t limit_ns, int64_t earlier_ns, int64_t later_ns) {
  return (uint64_t)later_ns - (uint64_t)earlier_ns <= (uint64_t)limit_ns; // false if the clock was set back
}

// Reads the kernel's time of the last datagram read from this socket. Nothing else reads the socket meanwhile.
static bool read_batch_timestamp(struct reader *reader, struct timespec *time) {
  if (reader->no_batch_timestamp || ioctl(reader->fd, SIOCGSTAMPNS, time) == 0) return !reader->no_batch_timestamp;
  reader->no_batch_timestamp = true;
  return false;
}

// Called before a read. Its datagrams arrived after the last one of the previous read, and before now. This is the maximum
// error of a batch timestamp. If it may be long, packet timestamps are enabled, which also applies to queued datagrams.
static void limit_lateness(struct reader *reader, int64_t now_ns) {
  bool soon = is_within(NEAR_NS, reader->called_ns, now_ns) && is_within(LATEST_NS, reader->last_time_ns, now_ns);
  reader->called_ns = now_ns;
  // If this fails, here or below, the next read tries again.
  if (!reader->has_packet_timestamps && !soon) set_packet_timestamps(reader, true);
}

// Called after a read. Sets the batch timestamp, and decides whether the next read has packet timestamps.
//
// They are disabled after a full read whose first and last datagram arrived within NEAR_NS. They are enabled again when
// the last datagrams of two reads are further apart, or when two reads in a row were not full. One is not enough: with
// read coalescing, some full reads are followed by one that is not full.
static void settle_times(struct reader *reader) {
  bool full = reader->filled == reader->slots, near;
  int64_t before_ns = reader->last_time_ns;
  reader->last_has_time = false;
  struct gro_batch last = look_at(reader, reader->filled - 1);
  // Looked up in the datagram, because another process with a duplicate of the socket may have changed the option.
  bool per_packet = last.kernel_time;
  struct timespec time;
  if (per_packet) {
    reader->last_time_ns = last.time_ns;
    near = full && is_within(NEAR_NS, look_at(reader, 0).time_ns, last.time_ns);
  } else {
    reader->last_has_time = read_batch_timestamp(reader, &time);
    if (!reader->last_has_time) clock_gettime(CLOCK_REALTIME, &time);
    reader->last_time_ns = nanoseconds(time);
    near = (full || reader->was_full) && is_within(NEAR_NS, before_ns, reader->last_time_ns);
  }
  reader->was_full = full;
  bool wanted = reader->needs_packet_timestamps || reader->no_batch_timestamp || !near;
  if (wanted != per_packet) set_packet_timestamps(reader, wanted);
}

// Returns the number of slots filled, or -errno.
static int fill_slots(struct reader *reader, int64_t now_ns) {
  limit_lateness(reader, now_ns);
  reset_slots(reader, reader->filled);
  reader->next = reader->filled = reader->next_offset = 0;
  int count;
  do {
    // With MSG_TRUNC a length is the one on the wire, even if the datagram was truncated.
    count = recvmmsg(reader->fd, reader->messages, (unsigned)reader->slots, MSG_DONTWAIT | MSG_TRUNC, NULL);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    int cause = errno;
    reader->socket_may_have_more = false;
    return cause == EAGAIN || cause == EWOULDBLOCK ? 0 : -cause;
  }
  reader->filled = count;
  reader->socket_may_have_more = count == reader->slots;
  if (count > 0) settle_times(reader);
  return count;
}

// ---- frames ----

static bool is_ipv4(const struct sockaddr_in6 *source) {
  return source->sin6_family == AF_INET || IN6_IS_ADDR_V4MAPPED(&source->sin6_addr);
}

static void write_source(struct frame_header *header, const struct sockaddr_in6 *source, bool ipv4) {
  header->source_port = ntohs(source->sin6_port); // at the same offset in both families
  if (source->sin6_family == AF_INET) {
    memcpy(header->address, &((const struct sockaddr_in *)(const void *)source)->sin_addr, 4);
  } else if (ipv4) {
    memcpy(header->address, &source->sin6_addr.s6_addr[12], 4);
  } else {
    memcpy(header->address, &source->sin6_addr, 16);
    header->scope_id = source->sin6_scope_id;
  }
}

// Appends the datagram at an offset of a slot; false if it belongs in the next batch, because of its length or its time.
static bool append(struct reader *reader, const struct gro_batch *gro_batch, const struct batch *batch, int *frames) {
  struct outcome *outcome = &reader->outcome;
  const struct sockaddr_in6 *source = &reader->sources[reader->next];
  int left = gro_batch->length - reader->next_offset;
  int original = left < gro_batch->segment ? left : gro_batch->segment;
  int stored = original < reader->max_datagram ? original : reader->max_datagram;
  bool ipv4 = is_ipv4(source);
  int header_bytes = ipv4 ? HEADER_IPV4 : HEADER_IPV6;
  int frame_bytes = (header_bytes + stored + ALIGNMENT - 1) & -ALIGNMENT;
  bool first = batch->empty && *frames == 0;
  int64_t base_ns = first ? gro_batch->time_ns : outcome->base_ns;
  int64_t delta_ns = (int64_t)((uint64_t)gro_batch->time_ns - (uint64_t)base_ns);
  if (frame_bytes > batch->capacity - outcome->end || delta_ns != (int32_t)delta_ns) return false;

  unsigned char *frame = batch->memory + outcome->end;
  // Clears the padding, before the fields that it may overlap are written. The memory holds an older batch.
  memset(frame + frame_bytes - ALIGNMENT, 0, ALIGNMENT);
  struct frame_header header = {
      .stored_length = (uint16_t)stored,
      .flags = (uint8_t)((ipv4 ? 0 : FLAG_IPV6) | (stored < original ? FLAG_TRUNCATED : 0) |
                         (gro_batch->kernel_time ? FLAG_KERNEL_TIME : 0)),
      .input = batch->input,
      .original_length = (uint16_t)original,
      .time_delta_ns = (int32_t)delta_ns,
  };
  write_source(&header, source, ipv4);
  memcpy(frame, &header, (size_t)header_bytes);
  memcpy(frame + header_bytes, slot_memory(reader, reader->next) + reader->next_offset, (size_t)stored);

  outcome->base_ns = base_ns;
  if (*frames == 0 || gro_batch->time_ns < outcome->min_ns) outcome->min_ns = gro_batch->time_ns;
  if (*frames == 0 || gro_batch->time_ns > outcome->max_ns) outcome->max_ns = gro_batch->time_ns;
  outcome->payload_bytes += stored;
  outcome->truncated += stored < original;
  outcome->end += frame_bytes;
  reader->next_offset += original;
  (*frames)++;
  return true;
}

// The number of datagrams in a slot from an offset on. An empty datagram counts, too.
static int datagrams_left(const struct gro_batch *gro_batch, int offset) {
  return gro_batch->segment == 0 ? 1 : (gro_batch->length - offset + gro_batch->segment - 1) / gro_batch->segment;
}

static int count_staged(const struct reader *reader) {
  int staged = 0;
  for (int slot = reader->next; slot < reader->filled; slot++) {
    struct gro_batch gro_batch = look_at(reader, slot);
    staged += datagrams_left(&gro_batch, slot == reader->next ? reader->next_offset : 0);
  }
  return staged;
}

int reader_read(struct reader *reader, const struct batch *batch) {
  struct outcome *outcome = &reader->outcome;
  *outcome = (struct outcome){.base_ns = batch->base_ns, .end = batch->length};
  if (reader->next == reader->filled) {
    int count = fill_slots(reader, batch->now_ns);
    if (count < 0) return count;
  }
  int frames = 0;
  bool room = true;
  while (reader->next < reader->filled) {
    struct gro_batch gro_batch = look_at(reader, reader->next);
    do {
      room = append(reader, &gro_batch, batch, &frames);
    } while (room && reader->next_offset < gro_batch.length);
    if (!room) break;
    reader->next++;
    reader->next_offset = 0;
  }
  outcome->staged = room ? 0 : count_staged(reader);
  outcome->more = reader->socket_may_have_more;
  return frames;
}

// ---- the probe ----

static int probe_on(int fd) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  struct reader *reader;
  unsigned char memory[64], payload = 42;
  struct batch batch = {.memory = memory, .capacity = sizeof memory, .empty = true};
  if (bind(fd, (struct sockaddr *)&address, length) != 0) return -errno;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) return -errno;
  int result = reader_open(fd, 1, false, false, &reader);
  if (result != 0) return result;
  if (sendto(fd, &payload, 1, 0, (struct sockaddr *)&address, length) != 1) {
    result = -errno;
  } else {
    // On a busy host the datagram may take a moment to arrive.
    struct pollfd arrival = {.fd = fd, .events = POLLIN};
    poll(&arrival, 1, PROBE_MS);
    int frames = reader_read(reader, &batch);
    bool right = frames == 1 && reader->outcome.end == HEADER_IPV4 + ALIGNMENT && memory[HEADER_IPV4] == payload;
    result = frames < 0 ? frames : right ? 0 : -EPROTO;
  }
  reader_close(reader);
  return result;
}

int reader_probe(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  int result = probe_on(fd);
  close(fd);
  return result;
}
