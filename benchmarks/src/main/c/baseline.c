// The C baseline: a receiver with little more than the system calls. Results of the collector are ratios to its results from
// the same minute on the same host. Linux, IPv4. See docs/benchmarks/method.md for its modes.
//
// Threads: one worker per thread and socket. main waits for SIGTERM or SIGINT, which all others block, tells the workers to
// drain, and joins them. A worker owns its counts until it is joined.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKERS = 256, MAX_BATCH = 1024, MAX_LISTEN = 16, MAX_PAYLOAD = 65507 };
enum { READ_BYTES = 64 << 10, MAX_LINE = 64 << 10, MAX_EVENTS = 64, LISTEN_BACKLOG = 1024 };
enum { CHUNK_BYTES = 64 << 20, RING_BLOCK_BYTES = 1 << 20, RING_RETIRE_MS = 10 };
enum { WAKE_MS = 50, DRAIN_LIMIT_S = 10, EXIT_FAILED = 1, EXIT_USAGE = 2 };

enum mode { DISCARD, APPEND, RECV, RING, STREAM, MODES };
static const char *const MODE_NAMES[MODES] = {"discard", "append", "recv", "ring", "stream"};

static struct {
  enum mode mode;
  int port, receive_buffer, sockets, threads, batch, payload;
  const char *out, *interface;
  bool steer, metadata;
  struct in_addr listen[MAX_LISTEN];
  int listens;
  int cpus[MAX_WORKERS];
  int cpu_count;
} options = {.receive_buffer = 4 << 20, .sockets = 1, .threads = 1, .batch = 64, .payload = 2048, .interface = "lo"};

// A file that is mapped and grown a chunk at a time.
struct mapped_file {
  int fd;
  char *chunk;
  off_t chunk_at;
  size_t used;
};

struct worker {
  pthread_t thread;
  int fd, index, socket;
  uint64_t received, written, bytes, described;
  struct mapped_file file;
} __attribute__((aligned(64)));

struct ring {
  int fd;
  unsigned blocks;
  char *memory;
};

static struct worker workers[MAX_WORKERS];
static int worker_count;
static int sockets[MAX_WORKERS];
static int socket_count;
static struct ring ring;
static atomic_bool stopping;

// Prints which call failed and why, and exits.
__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  int cause = errno;
  va_list arguments;
  va_start(arguments, format);
  fputs("millrace-baseline: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, ": %s\n", strerror(cause));
  exit(EXIT_FAILED);
}

__attribute__((noreturn, format(printf, 1, 2))) static void usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("millrace-baseline: ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputs("\nUsage: millrace-baseline discard|append|recv|ring|stream [--port N] [--listen ADDRESS,...] [--out FILE]\n"
        "  [--receive-buffer BYTES] [--sockets N] [--threads N] [--steer] [--cpu N,...] [--batch N] [--payload BYTES]\n"
        "  [--metadata] [--interface NAME]\n",
        stderr);
  exit(EXIT_USAGE);
}

// ---- the file ----

static bool has_file(void) { return options.mode == APPEND || options.mode == STREAM; }

static void map_next_chunk(struct mapped_file *file) {
  off_t end = file->chunk_at + (off_t)file->used;
  if (file->chunk != NULL && munmap(file->chunk, CHUNK_BYTES) != 0) fail("munmap of %s", options.out);
  file->chunk_at = end & -(off_t)sysconf(_SC_PAGESIZE);
  file->used = (size_t)(end - file->chunk_at);
  if (ftruncate(file->fd, file->chunk_at + CHUNK_BYTES) != 0) fail("ftruncate of %s, to grow it", options.out);
  void *chunk = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, file->chunk_at);
  if (chunk == MAP_FAILED) fail("mmap of %s", options.out);
  file->chunk = chunk;
}

// The first worker writes FILE, the others FILE.1, FILE.2 and so on.
static void open_file(struct worker *worker) {
  char path[4096];
  int length = worker->index == 0 ? snprintf(path, sizeof path, "%s", options.out)
                                  : snprintf(path, sizeof path, "%s.%d", options.out, worker->index);
  if (length >= (int)sizeof path) usage("--out is too long");
  worker->file.fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (worker->file.fd < 0) fail("open of %s", path);
  map_next_chunk(&worker->file);
}

static inline void append_line(struct mapped_file *file, const char *payload, size_t length) {
  if (file->used + length + 1 > CHUNK_BYTES) map_next_chunk(file);
  char *to = file->chunk + file->used;
  memcpy(to, payload, length);
  to[length] = '\n';
  file->used += length + 1;
}

static void close_file(struct mapped_file *file) {
  if (munmap(file->chunk, CHUNK_BYTES) != 0) fail("munmap of %s", options.out);
  if (ftruncate(file->fd, file->chunk_at + (off_t)file->used) != 0) fail("ftruncate of %s, at its end", options.out);
  if (close(file->fd) != 0) fail("close of %s", options.out);
}

// ---- the sockets ----

static void set_option(int fd, int level, int name, const void *value, socklen_t length, const char *what) {
  if (setsockopt(fd, level, name, value, length) != 0) fail("setsockopt(%s)", what);
}

static int granted_buffer(int fd) {
  int bytes;
  socklen_t length = sizeof bytes;
  if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) != 0) fail("getsockopt(SO_RCVBUF)");
  return bytes;
}

static int socket_of(const struct sockaddr_in *address, bool shared, int receive_buffer) {
  bool stream = options.mode == STREAM;
  int fd = socket(AF_INET, (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
  int on = 1;
  if (fd < 0) fail("socket");
  if (stream) {
    // The kernel adapts the buffers of connections.
    set_option(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on, "SO_REUSEADDR");
    receive_buffer = granted_buffer(fd) / 2;
  }
  // With CAP_NET_ADMIN this exceeds net.core.rmem_max; without it, that is the limit.
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_buffer, sizeof receive_buffer) != 0) {
    set_option(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer, "SO_RCVBUF");
  }
  if (shared) set_option(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on, "SO_REUSEPORT");
  if (options.metadata) set_option(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on, "SO_TIMESTAMPNS");
  // The timeout lets an idle worker check for the stop. It costs nothing while datagrams arrive.
  struct timeval wake = {.tv_usec = WAKE_MS * 1000};
  set_option(fd, SOL_SOCKET, SO_RCVTIMEO, &wake, sizeof wake, "SO_RCVTIMEO");
  if (bind(fd, (const struct sockaddr *)address, sizeof *address) != 0) {
    fail("bind to %s:%d", inet_ntoa(address->sin_addr), ntohs(address->sin_port));
  }
  if (stream && listen(fd, LISTEN_BACKLOG) != 0) fail("listen");
  return fd;
}

static int port_of(int fd) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) fail("getsockname");
  return ntohs(address.sin_port);
}

// The kernel selects a socket of the group by a hash of addresses and ports, so with few senders some sockets are idle.
// This program selects a random socket instead.
static void steer(int fd, int group) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_RANDOM)),
      BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, (uint32_t)group),
      BPF_STMT(BPF_RET | BPF_A, 0),
  };
  struct sock_fprog fprog = {.len = sizeof program / sizeof *program, .filter = program};
  set_option(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &fprog, sizeof fprog, "SO_ATTACH_REUSEPORT_CBPF");
}

static void open_sockets(void) {
  for (int i = 0; i < options.listens; i++) {
    for (int j = 0; j < options.sockets; j++) {
      struct sockaddr_in address = {
          .sin_family = AF_INET, .sin_port = htons((uint16_t)options.port), .sin_addr = options.listen[i]};
      sockets[socket_count] = socket_of(&address, options.sockets > 1, options.receive_buffer);
      options.port = port_of(sockets[socket_count]);
      socket_count++;
    }
    if (options.steer) steer(sockets[socket_count - 1], options.sockets);
  }
}

static uint64_t socket_drops(void) {
  uint64_t drops = 0;
  for (int i = 0; i < socket_count; i++) {
    uint32_t info[SK_MEMINFO_VARS] = {0};
    socklen_t length = sizeof info;
    if (getsockopt(sockets[i], SOL_SOCKET, SO_MEMINFO, info, &length) != 0) fail("getsockopt(SO_MEMINFO)");
    drops += info[SK_MEMINFO_DROPS];
  }
  return drops;
}

// ---- the workers on sockets ----

static int64_t now_s(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) fail("clock_gettime");
  return now.tv_sec;
}

// After a call without a datagram: true if the worker continues. After the stop, an empty socket is the end.
static bool continues(const char *call, bool draining) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) fail("%s", call);
  return !draining;
}

// True after the stop; *end_s is then the limit for a socket that is never empty.
static bool is_draining(int64_t *end_s) {
  if (!atomic_load_explicit(&stopping, memory_order_relaxed)) return false;
  if (*end_s == 0) *end_s = now_s() + DRAIN_LIMIT_S;
  return true;
}

// The datagrams of a call, and with --metadata their sources and receive times.
struct batch {
  struct mmsghdr messages[MAX_BATCH];
  struct iovec slots[MAX_BATCH];
  struct sockaddr_in sources[MAX_BATCH];
  struct {
    _Alignas(struct cmsghdr) unsigned char bytes[CMSG_SPACE(sizeof(struct timespec))];
  } times[MAX_BATCH];
  char *memory;
};

static struct batch *new_batch(void) {
  size_t slot_bytes = (size_t)options.payload;
  struct batch *batch = calloc(1, sizeof *batch);
  if (batch == NULL) fail("calloc of a batch");
  batch->memory = malloc(slot_bytes * (size_t)options.batch);
  if (batch->memory == NULL) fail("malloc of %d slots", options.batch);
  for (int i = 0; i < options.batch; i++) {
    batch->slots[i] = (struct iovec){.iov_base = batch->memory + slot_bytes * (size_t)i, .iov_len = slot_bytes};
    batch->messages[i].msg_hdr = (struct msghdr){.msg_iov = &batch->slots[i], .msg_iovlen = 1};
    if (options.metadata) {
      batch->messages[i].msg_hdr.msg_name = &batch->sources[i];
      batch->messages[i].msg_hdr.msg_control = batch->times[i].bytes;
    }
  }
  return batch;
}

// The kernel overwrites the lengths.
static void reset_lengths(struct batch *batch, int count) {
  for (int i = 0; i < count; i++) {
    batch->messages[i].msg_hdr.msg_namelen = sizeof batch->sources[i];
    batch->messages[i].msg_hdr.msg_controllen = sizeof batch->times[i].bytes;
  }
}

static bool is_described(const struct batch *batch, int i) {
  const struct msghdr *header = &batch->messages[i].msg_hdr;
  const struct cmsghdr *control = CMSG_FIRSTHDR(header);
  return batch->sources[i].sin_port != 0 && control != NULL && control->cmsg_type == SCM_TIMESTAMPNS;
}

static void receive_batches(struct worker *worker) {
  struct batch *batch = new_batch();
  bool append = options.mode == APPEND;
  int64_t end_s = 0;
  int used = options.batch;
  while (true) {
    bool draining = is_draining(&end_s);
    if (draining && now_s() > end_s) break;
    int flags = draining ? MSG_DONTWAIT : MSG_WAITFORONE;
    if (options.metadata) reset_lengths(batch, used);
    int count = recvmmsg(worker->fd, batch->messages, (unsigned)options.batch, flags, NULL);
    if (count < 0) {
      if (continues("recvmmsg", draining)) continue;
      break;
    }
    used = count;
    for (int i = 0; i < count; i++) {
      worker->bytes += batch->messages[i].msg_len;
      if (append) append_line(&worker->file, batch->slots[i].iov_base, batch->messages[i].msg_len);
      if (options.metadata) worker->described += is_described(batch, i);
    }
    worker->received += (uint64_t)count;
    if (append) worker->written += (uint64_t)count;
  }
  free(batch->memory);
  free(batch);
}

static void receive_singly(struct worker *worker) {
  char *payload = malloc((size_t)options.payload);
  if (payload == NULL) fail("malloc of a payload");
  int64_t end_s = 0;
  while (true) {
    bool draining = is_draining(&end_s);
    if (draining && now_s() > end_s) break;
    ssize_t length = recv(worker->fd, payload, (size_t)options.payload, draining ? MSG_DONTWAIT : 0);
    if (length < 0) {
      if (continues("recv", draining)) continue;
      break;
    }
    worker->received++;
    worker->bytes += (uint64_t)length;
  }
  free(payload);
}

// ---- connections ----

// What was read of a connection, from the beginning of a line.
struct connection {
  int fd;
  size_t kept;
  char memory[MAX_LINE + READ_BYTES];
};

static void watch(int epoll, int fd, struct connection *connection) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl");
}

static void accept_connection(int epoll, int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) {
    if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
    fail("accept");
  }
  struct connection *connection = malloc(sizeof *connection);
  if (connection == NULL) fail("malloc of a connection");
  connection->fd = fd;
  connection->kept = 0;
  watch(epoll, fd, connection);
}

static void store_line(struct worker *worker, const char *line, size_t length) {
  append_line(&worker->file, line, length);
  worker->received++;
  worker->written++;
  worker->bytes += length;
}

static void read_lines(struct worker *worker, struct connection *connection) {
  ssize_t length = read(connection->fd, connection->memory + connection->kept, READ_BYTES);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length <= 0) {
    if (connection->kept > 0) store_line(worker, connection->memory, connection->kept);
    if (close(connection->fd) != 0) fail("close of a connection");
    free(connection);
    return;
  }
  char *line = connection->memory, *search = line + connection->kept, *end = search + length, *found;
  while ((found = memchr(search, '\n', (size_t)(end - search))) != NULL) {
    store_line(worker, line, (size_t)(found - line));
    line = search = found + 1;
  }
  connection->kept = (size_t)(end - line);
  if (connection->kept > MAX_LINE) {
    errno = EMSGSIZE;
    fail("line exceeds 64 KiB");
  }
  memmove(connection->memory, line, connection->kept);
}

static void receive_lines(struct worker *worker) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) fail("epoll_create1");
  watch(epoll, worker->fd, NULL);
  int64_t end_s = 0;
  while (true) {
    bool draining = is_draining(&end_s);
    if (draining && now_s() > end_s) break;
    struct epoll_event events[MAX_EVENTS];
    int count = epoll_wait(epoll, events, MAX_EVENTS, draining ? 0 : WAKE_MS);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    if (count == 0 && draining) break;
    for (int i = 0; i < count; i++) {
      struct connection *connection = events[i].data.ptr;
      if (connection == NULL) {
        accept_connection(epoll, worker->fd);
      } else {
        read_lines(worker, connection);
      }
    }
  }
  if (close(epoll) != 0) fail("close of epoll");
}

// ---- the ring of an AF_PACKET socket ----

// Passes incoming UDP packets to our port. A tap on loopback also sees each packet as outgoing.
static void filter_port(int fd, int port) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_HOST, 0, 10),
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12), // type of the Ethernet frame
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ETH_P_IP, 0, 8),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, ETH_HLEN + 9), // protocol
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_UDP, 0, 6),
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, ETH_HLEN + 6), // offset of a fragment: only the first has ports
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 4, 0),
      BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, ETH_HLEN), // length of the IP header
      BPF_STMT(BPF_LD | BPF_H | BPF_IND, ETH_HLEN + 2),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)port, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, UINT32_MAX), // all of the packet
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  struct sock_fprog fprog = {.len = sizeof program / sizeof *program, .filter = program};
  set_option(fd, SOL_SOCKET, SO_ATTACH_FILTER, &fprog, sizeof fprog, "SO_ATTACH_FILTER");
}

static void open_ring(void) {
  // A tap does not consume datagrams: without a socket on the port the host would refuse them. This socket is never
  // read.
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)options.port), .sin_addr = options.listen[0]};
  options.port = port_of(socket_of(&address, false, 1));

  int version = TPACKET_V3;
  ring.fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (ring.fd < 0 && errno == EPERM) fail("the mode ring needs CAP_NET_RAW: run it as root: socket(AF_PACKET)");
  if (ring.fd < 0) fail("socket(AF_PACKET)");
  set_option(ring.fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version, "PACKET_VERSION");
  ring.blocks = ((unsigned)options.receive_buffer + RING_BLOCK_BYTES - 1) / RING_BLOCK_BYTES;
  if (ring.blocks < 2) ring.blocks = 2;
  struct tpacket_req3 request = {
      .tp_block_size = RING_BLOCK_BYTES,
      .tp_block_nr = ring.blocks,
      .tp_frame_size = 2048,
      .tp_frame_nr = ring.blocks * (RING_BLOCK_BYTES / 2048),
      .tp_retire_blk_tov = RING_RETIRE_MS,
  };
  set_option(ring.fd, SOL_PACKET, PACKET_RX_RING, &request, sizeof request, "PACKET_RX_RING");
  size_t bytes = (size_t)ring.blocks * RING_BLOCK_BYTES;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
  if (memory == MAP_FAILED) fail("mmap of a ring of %zu bytes", bytes);
  ring.memory = memory;
  filter_port(ring.fd, options.port);
  unsigned interface = if_nametoindex(options.interface);
  if (interface == 0) fail("if_nametoindex(%s)", options.interface);
  struct sockaddr_ll link = {
      .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP), .sll_ifindex = (int)interface};
  if (bind(ring.fd, (struct sockaddr *)&link, sizeof link) != 0) fail("bind to %s", options.interface);
}

static void count_packets(struct worker *worker, struct tpacket_block_desc *block) {
  char *packet = (char *)block + block->hdr.bh1.offset_to_first_pkt;
  for (uint32_t i = 0; i < block->hdr.bh1.num_pkts; i++) {
    struct tpacket3_hdr *header = (struct tpacket3_hdr *)packet;
    const unsigned char *ip = (unsigned char *)packet + header->tp_net;
    const unsigned char *udp = ip + (size_t)(ip[0] & 0xf) * 4;
    int length = udp[4] << 8 | udp[5];
    worker->received++;
    worker->bytes += length >= 8 ? (uint64_t)(length - 8) : 0;
    packet += header->tp_next_offset;
  }
}

static void receive_from_ring(struct worker *worker) {
  unsigned next = 0;
  int64_t end_s = 0;
  while (true) {
    bool draining = is_draining(&end_s);
    if (draining && now_s() > end_s) return;
    struct tpacket_block_desc *block = (struct tpacket_block_desc *)(ring.memory + (size_t)next * RING_BLOCK_BYTES);
    if (__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) {
      count_packets(worker, block);
      __atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
      next = (next + 1) % ring.blocks;
      continue;
    }
    // Longer than the kernel keeps an incomplete block, so that no packet is missed at the stop.
    struct pollfd ready = {.fd = ring.fd, .events = POLLIN};
    int count = poll(&ready, 1, WAKE_MS);
    if (count < 0 && errno != EINTR) fail("poll");
    if (count == 0 && draining) return;
  }
}

static uint64_t ring_drops(void) {
  struct tpacket_stats_v3 stats;
  socklen_t length = sizeof stats;
  if (getsockopt(ring.fd, SOL_PACKET, PACKET_STATISTICS, &stats, &length) != 0) fail("getsockopt(PACKET_STATISTICS)");
  return stats.tp_drops;
}

// ---- start and stop ----

static void *run_worker(void *argument) {
  struct worker *worker = argument;
  if (options.cpu_count > 0) {
    int cpu = options.cpus[worker->index % options.cpu_count];
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) fail("sched_setaffinity to CPU %d", cpu);
  }
  if (options.mode == RING) {
    receive_from_ring(worker);
  } else if (options.mode == RECV) {
    receive_singly(worker);
  } else if (options.mode == STREAM) {
    receive_lines(worker);
  } else {
    receive_batches(worker);
  }
  return NULL;
}

static void start_workers(void) {
  worker_count = options.mode == RING ? 1 : socket_count * options.threads;
  for (int i = 0; i < worker_count; i++) {
    struct worker *worker = &workers[i];
    worker->index = i;
    worker->socket = i / options.threads;
    worker->fd = sockets[worker->socket];
    if (has_file()) open_file(worker);
  }
  for (int i = 0; i < worker_count; i++) {
    errno = pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
    if (errno != 0) fail("pthread_create");
  }
}

static void print_list(const char *name, const uint64_t *values, int count) {
  printf(",\"%s\":[", name);
  for (int i = 0; i < count; i++) printf("%s%" PRIu64, i == 0 ? "" : ",", values[i]);
  printf("]");
}

static void report(void) {
  uint64_t received = 0, written = 0, bytes = 0, described = 0;
  uint64_t by_socket[MAX_WORKERS] = {0}, by_thread[MAX_WORKERS] = {0};
  for (int i = 0; i < worker_count; i++) {
    received += workers[i].received;
    written += workers[i].written;
    bytes += workers[i].bytes;
    described += workers[i].described;
    by_socket[workers[i].socket] += workers[i].received;
    by_thread[i] = workers[i].received;
  }
  uint64_t drops = options.mode == RING ? ring_drops() : socket_drops();
  printf("{\"mode\":\"%s\",\"received\":%" PRIu64 ",\"written\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"drops\":%" PRIu64,
         MODE_NAMES[options.mode], received, written, bytes, drops);
  print_list("perSocket", by_socket, options.mode == RING ? 1 : socket_count);
  print_list("perThread", by_thread, worker_count);
  if (options.metadata) printf(",\"described\":%" PRIu64, described);
  printf("}\n");
}

static int granted(void) {
  if (options.mode == RING) return (int)(ring.blocks * RING_BLOCK_BYTES);
  int min = granted_buffer(sockets[0]);
  for (int i = 1; i < socket_count; i++) {
    int bytes = granted_buffer(sockets[i]);
    if (bytes < min) min = bytes;
  }
  return min;
}

static void flush_output(void) {
  if (fflush(stdout) != 0) fail("fflush of standard output");
}

static void run(void) {
  sigset_t signals;
  int signal;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  errno = pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (errno != 0) fail("pthread_sigmask");
  if (options.mode == RING) {
    open_ring();
  } else {
    open_sockets();
  }
  start_workers();
  printf("ready port=%d granted=%d\n", options.port, granted());
  flush_output();
  errno = sigwait(&signals, &signal);
  if (errno != 0) fail("sigwait");
  atomic_store(&stopping, true);
  for (int i = 0; i < worker_count; i++) {
    errno = pthread_join(workers[i].thread, NULL);
    if (errno != 0) fail("pthread_join");
    if (has_file()) close_file(&workers[i].file);
  }
  report();
  flush_output();
}

// ---- the command line ----

static int number(const char *option, const char *text, int min, int max) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < min || value > max) {
    usage("--%s takes a number from %d to %d, not '%s'", option, min, max, text);
  }
  return (int)value;
}

static void parse_addresses(char *list) {
  for (char *rest, *item = strtok_r(list, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
    if (options.listens == MAX_LISTEN) usage("--listen takes up to %d addresses", MAX_LISTEN);
    if (inet_pton(AF_INET, item, &options.listen[options.listens++]) != 1) {
      usage("--listen takes IPv4 addresses such as 127.0.0.1,127.0.0.2, not '%s'", item);
    }
  }
}

static void parse_cpus(char *list) {
  for (char *rest, *item = strtok_r(list, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
    if (options.cpu_count == MAX_WORKERS) usage("--cpu takes up to %d numbers", MAX_WORKERS);
    options.cpus[options.cpu_count++] = number("cpu", item, 0, CPU_SETSIZE - 1);
  }
}

static void parse_option(int name) {
  switch (name) {
    case 'p': options.port = number("port", optarg, 0, 65535); break;
    case 'o': options.out = optarg; break;
    case 'r': options.receive_buffer = number("receive-buffer", optarg, 1, 1 << 30); break;
    case 'c': parse_cpus(optarg); break;
    case 's': options.sockets = number("sockets", optarg, 1, MAX_WORKERS); break;
    case 't': options.threads = number("threads", optarg, 1, MAX_WORKERS); break;
    case 'b': options.batch = number("batch", optarg, 1, MAX_BATCH); break;
    case 'l': options.payload = number("payload", optarg, 1, MAX_PAYLOAD); break;
    case 'a': parse_addresses(optarg); break;
    case 'i': options.interface = optarg; break;
    case 'S': options.steer = true; break;
    case 'm': options.metadata = true; break;
    default: usage("invalid option");
  }
}

static void parse(int count, char **arguments) {
  static const struct option names[] = {
      {"port", required_argument, NULL, 'p'},    {"out", required_argument, NULL, 'o'},
      {"receive-buffer", required_argument, NULL, 'r'}, {"cpu", required_argument, NULL, 'c'},
      {"sockets", required_argument, NULL, 's'}, {"threads", required_argument, NULL, 't'},
      {"batch", required_argument, NULL, 'b'},   {"payload", required_argument, NULL, 'l'},
      {"listen", required_argument, NULL, 'a'},  {"interface", required_argument, NULL, 'i'},
      {"steer", no_argument, NULL, 'S'},         {"metadata", no_argument, NULL, 'm'},
      {NULL, 0, NULL, 0},
  };
  for (int name; (name = getopt_long(count, arguments, "", names, NULL)) != -1;) parse_option(name);
  if (optind + 1 != count) usage("exactly one mode is required");
  options.mode = MODES;
  for (int i = 0; i < MODES; i++) {
    if (strcmp(arguments[optind], MODE_NAMES[i]) == 0) options.mode = (enum mode)i;
  }
  if (options.mode == MODES) usage("unknown mode '%s'", arguments[optind]);
  if (options.listens == 0) options.listen[options.listens++].s_addr = htonl(INADDR_LOOPBACK);
  if (has_file() && options.out == NULL) usage("the modes append and stream need --out");
  if (options.metadata && options.mode != APPEND && options.mode != DISCARD) usage("--metadata is for append and discard");
  if (options.steer && options.sockets < 2) usage("--steer needs --sockets 2 or more");
  int total = options.listens * options.sockets * options.threads;
  if ((options.mode == RING || options.mode == STREAM) && total > 1) usage("the modes ring and stream have one thread");
  if (total > MAX_WORKERS) usage("the maximum is %d workers", MAX_WORKERS);
}

int main(int count, char **arguments) {
  parse(count, arguments);
  run();
  return 0;
}
