// Reads many datagrams of one socket by one system call, and writes them as the frames of a batch. No Java in here.
#ifndef MILLRACE_RECEIVE_H
#define MILLRACE_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

// What a read did. Java reads it from memory: offsets are held by static assertions in receive.c.
struct outcome {
  int64_t base_ns;        // receive time the frames' times are relative to
  int64_t min_ns, max_ns; // earliest and latest receive time of these frames
  int64_t payload_bytes;  // stored
  int32_t end;            // where the last frame ends in the batch
  int32_t truncated;      // frames of datagrams that were longer than what is stored
  int32_t staged;         // datagrams that were received and have not become a frame
  int32_t more;           // 0 if the socket was found empty
};

// A batch as far as it is filled. The memory is only written from length on.
struct batch {
  unsigned char *memory;
  int32_t capacity, length;
  bool empty;      // no frame yet: the first one sets base_ns
  int64_t base_ns; // of the frames that are there
  int64_t now_ns;  // now
  uint8_t input;   // id of the input, for each frame
};

struct reader;

// Makes a reader of a UDP socket, best before it is bound, which must stay open as long as it. Returns 0 or -errno.
//   max_datagram  longest payload to keep, in bytes
//   gro           take GRO batches in one piece (UDP_GRO), and cut them up here
//   each_time     have the time of each datagram always; else those of a read may have the time of its last one
int reader_open(int fd, int max_datagram, bool gro, bool each_time, struct reader **reader);

void reader_close(struct reader *reader);

// Appends what is staged, or else what one recvmmsg brings, until the batch has no room for the next frame. Returns the
// number of frames, or -errno; never waits.
int reader_read(struct reader *reader, const struct batch *batch);

const struct outcome *reader_outcome(const struct reader *reader);

// Sends itself a datagram and reads it: 0 if this kernel does what is needed, else -errno.
int reader_probe(void);

#endif
