/*
 * millrace-sources: sends datagrams from up to a million loopback addresses for `millrace send`, which makes and schedules
 * them. A process may have about 20,000 sockets. Here a few of them send for all sources, and each datagram has its own
 * source address (IP_PKTINFO).
 *
 *   millrace-sources BASE ADDRESSES SOCKETS PROGRAMS HOST:PORT...
 *
 * BASE is the IPv4 address before that of the first source, as a decimal integer. ADDRESSES is the number of addresses.
 * PROGRAMS is the number of processes that share the sources, in blocks of 64 neighbours. HOST is an IPv4 address.
 * Source i has the address BASE + 1 + i mod ADDRESSES, the socket (i / 64 / PROGRAMS) mod SOCKETS and the target
 * i mod targets. So one sendmmsg sends for neighbours.
 *
 * Standard input has frames: due time (64 bits, ns of CLOCK_MONOTONIC; 0 for none), source (32 bits), length (16 bits), all
 * in the byte order of the host, then the payload. Complete frames are sent at once. It prints "ready" when its sockets are
 * open, and at the end of the input one line with its counts. Fatal errors go to standard error, with exit code 1.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define MAX_SOCKETS 64
#define MAX_TARGETS 64
#define MAX_PAYLOAD 65507
#define HEADER 14
#define LATE_NANOS 1000000
#define MAX_TRIES 3
#define BUFFER (1 << 20)

struct control {
  _Alignas(struct cmsghdr) char bytes[CMSG_SPACE(sizeof(struct in_pktinfo))];
};

static int sockets[MAX_SOCKETS];
static int socket_count;
static struct sockaddr_in targets[MAX_TARGETS];
static int target_count;
static uint32_t base, addresses;

static struct mmsghdr messages[BATCH];
static struct iovec vectors[BATCH];
static struct control controls[BATCH];
static int64_t due[BATCH];
static int batched, batch_socket;
static uint32_t programs;

static unsigned long long late, max_late;
static unsigned long long sent, bytes, failed, refused, no_buffers, would_block, other_errors;
static int other_errno;

static void die(const char *what) {
  fprintf(stderr, "millrace-sources: %s: %s\n", what, strerror(errno));
  exit(1);
}

static unsigned long number(const char *text, unsigned long max, const char *what) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (errno || *text == '-' || end == text || *end || value > max) {
    fprintf(stderr, "millrace-sources: %s takes a number up to %lu, not '%s'\n", what, max, text);
    exit(2);
  }
  return value;
}

static void add_target(char *text) {
  char *colon = strrchr(text, ':');
  struct sockaddr_in *to = &targets[target_count];
  if (colon)
    *colon = 0;
  memset(to, 0, sizeof *to);
  to->sin_family = AF_INET;
  if (!colon || inet_pton(AF_INET, text, &to->sin_addr) != 1) {
    fprintf(stderr, "millrace-sources: a target is an IPv4 address with :PORT, not '%s'\n", text);
    exit(2);
  }
  to->sin_port = htons((uint16_t) number(colon + 1, 65535, "a port"));
  if (to->sin_port == 0) {
    fprintf(stderr, "millrace-sources: a port is from 1 to 65535, not 0\n");
    exit(2);
  }
  target_count++;
}

static void open_sockets(void) {
  for (int i = 0; i < socket_count; i++) {
    struct sockaddr_in any = {.sin_family = AF_INET};
    int on = 1;
    sockets[i] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sockets[i] < 0)
      die("socket");
    if (bind(sockets[i], (struct sockaddr *) &any, sizeof any) < 0)
      die("bind");
    /* Without it, an unconnected socket gets no errors of closed ports. */
    if (setsockopt(sockets[i], IPPROTO_IP, IP_RECVERR, &on, sizeof on) < 0)
      die("IP_RECVERR");
  }
}

static void prepare_messages(void) {
  for (int i = 0; i < BATCH; i++) {
    struct msghdr *header = &messages[i].msg_hdr;
    header->msg_iov = &vectors[i];
    header->msg_iovlen = 1;
    header->msg_namelen = sizeof(struct sockaddr_in);
    header->msg_control = controls[i].bytes;
    header->msg_controllen = sizeof controls[i].bytes;
    struct cmsghdr *control = CMSG_FIRSTHDR(header);
    control->cmsg_level = IPPROTO_IP;
    control->cmsg_type = IP_PKTINFO;
    control->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
    memset(CMSG_DATA(control), 0, sizeof(struct in_pktinfo));
  }
}

/* Counts datagrams that met a closed port. */
static void drain_errors(int fd) {
  for (;;) {
    char control[512];
    struct msghdr header = {.msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) {
      if (errno == EINTR)
        continue;
      return;
    }
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
      if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) {
        struct sock_extended_err report;
        memcpy(&report, CMSG_DATA(c), sizeof report);
        if (report.ee_errno == ECONNREFUSED)
          refused++;
      }
    }
  }
}

/* Handles the error of the first message of sendmmsg; true if it is retried. */
static int should_retry(int error, int *tries) {
  switch (error) {
    case EINTR:
      return 1;
    case ECONNREFUSED:
      /* The error of an earlier datagram, reported instead of sending. It is in the queue, maybe with more. */
      drain_errors(sockets[batch_socket]);
      return 1;
    case ENOBUFS:
      no_buffers++;
      break;
    case EAGAIN:
      would_block++;
      break;
    default:
      /* It would fail again. */
      other_errors++;
      other_errno = error;
      return 0;
  }
  if (++*tries == MAX_TRIES)
    return 0;
  struct timespec pause = {0, 50000};
  nanosleep(&pause, NULL);
  return 1;
}

/* Lateness includes the time in the pipe and in buffers. */
static void count_late(int from, int to) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t nanos = (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
  for (int i = from; i < to; i++) {
    if (due[i] == 0 || nanos <= due[i])
      continue;
    unsigned long long by = (unsigned long long) (nanos - due[i]);
    if (by > LATE_NANOS)
      late++;
    if (by > max_late)
      max_late = by;
  }
}

static void flush_batch(void) {
  int done = 0, tries = 0;
  while (done < batched) {
    int n = sendmmsg(sockets[batch_socket], messages + done, (unsigned) (batched - done), 0);
    if (n > 0) {
      for (int i = done; i < done + n; i++)
        bytes += messages[i].msg_len;
      count_late(done, done + n);
      sent += (unsigned long long) n;
      done += n;
      tries = 0;
    } else if (!should_retry(n < 0 ? errno : EAGAIN, &tries)) {
      failed++;
      done++;
      tries = 0;
    }
  }
  batched = 0;
}

static void add(int64_t due_nanos, uint32_t source, char *payload, size_t length) {
  int socket = (int) (source / BATCH / programs % (uint32_t) socket_count);
  if (batched == BATCH || (batched > 0 && socket != batch_socket))
    flush_batch();
  batch_socket = socket;
  struct in_pktinfo info = {.ipi_spec_dst.s_addr = htonl(base + 1 + source % addresses)};
  struct msghdr *header = &messages[batched].msg_hdr;
  memcpy(CMSG_DATA(CMSG_FIRSTHDR(header)), &info, sizeof info);
  header->msg_name = &targets[source % (uint32_t) target_count];
  due[batched] = due_nanos;
  vectors[batched].iov_base = payload;
  vectors[batched].iov_len = length;
  batched++;
}

/* Adds all complete frames of a buffer and returns their length. */
static size_t take_frames(char *buffer, size_t length) {
  size_t at = 0;
  while (length - at >= HEADER) {
    int64_t due_nanos;
    uint32_t source;
    uint16_t size;
    memcpy(&due_nanos, buffer + at, sizeof due_nanos);
    memcpy(&source, buffer + at + sizeof due_nanos, sizeof source);
    memcpy(&size, buffer + at + sizeof due_nanos + sizeof source, sizeof size);
    if (size > MAX_PAYLOAD) {
      fprintf(stderr, "millrace-sources: a frame of %u bytes, the maximum is %d\n", size, MAX_PAYLOAD);
      exit(1);
    }
    if (length - at < HEADER + (size_t) size)
      break;
    add(due_nanos, source, buffer + at + HEADER, size);
    at += HEADER + (size_t) size;
  }
  /* The buffer is reused, so its frames must be sent now. */
  flush_batch();
  return at;
}

static void read_frames(void) {
  char *buffer = malloc(BUFFER);
  if (!buffer)
    die("malloc");
  size_t have = 0;
  for (;;) {
    ssize_t got = read(STDIN_FILENO, buffer + have, BUFFER - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      die("read");
    if (got == 0)
      break;
    have += (size_t) got;
    size_t taken = take_frames(buffer, have);
    have -= taken;
    memmove(buffer, buffer + taken, have);
  }
  if (have > 0) {
    fprintf(stderr, "millrace-sources: the input ends within a frame\n");
    exit(1);
  }
  free(buffer);
}

int main(int argc, char **argv) {
  /* The same signals stop the sender. It closes the pipe, and then this program reports and ends. */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (argc < 6 || argc - 5 > MAX_TARGETS) {
    fprintf(stderr, "usage: millrace-sources BASE ADDRESSES SOCKETS PROGRAMS HOST:PORT... (up to %d)\n", MAX_TARGETS);
    return 2;
  }
  base = (uint32_t) number(argv[1], UINT32_MAX, "BASE");
  addresses = (uint32_t) number(argv[2], UINT32_MAX, "ADDRESSES");
  socket_count = (int) number(argv[3], MAX_SOCKETS, "SOCKETS");
  programs = (uint32_t) number(argv[4], 1024, "PROGRAMS");
  if (addresses == 0 || socket_count == 0 || programs == 0) {
    fprintf(stderr, "millrace-sources: ADDRESSES, SOCKETS and PROGRAMS must be 1 or more\n");
    return 2;
  }
  for (int i = 5; i < argc; i++)
    add_target(argv[i]);
  open_sockets();
  prepare_messages();
  /* A larger pipe means fewer context switches; without the permission for it, the default size is used. */
  (void) !fcntl(STDIN_FILENO, F_SETPIPE_SZ, BUFFER);
  puts("ready");
  fflush(stdout);
  read_frames();
  for (int i = 0; i < socket_count; i++)
    drain_errors(sockets[i]);
  printf("sent=%llu bytes=%llu late=%llu maxlate=%llu failed=%llu refused=%llu ENOBUFS=%llu EAGAIN=%llu other=%llu text=%s\n", sent, bytes,
         late, max_late, failed, refused, no_buffers, would_block, other_errors, other_errors ? strerror(other_errno) : "");
  return fflush(stdout) == 0 ? 0 : 1;
}
