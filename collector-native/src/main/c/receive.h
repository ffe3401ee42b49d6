// Reads many datagrams of a socket with one system call, and writes them as frames of a batch. Independent of Java.
#ifndef MILLRACE_RECEIVE_H
#define MILLRACE_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

// The result of a read. Java reads it from memory; static assertions in receive.c check the offsets.
struct outcome {
  int64_t base_ns;        // base time: the times of frames are relative to it
  int64_t min_ns, max_ns; // earliest and latest receive time of these frames
  int64_t payload_bytes;  // payload bytes as stored
  int32_t end;            // where the last frame ends in the batch
  int32_t truncated;      // truncated frames
  int32_t staged;         // datagrams that were received and are not in a frame yet
  int32_t more;           // 0 if the socket was found empty
};

// A batch that is being filled. Memory before length is not written.
struct batch {
  unsigned char *memory;
  int32_t capacity, length;
  bool empty;      // no frame yet: the first one sets base_ns
  int64_t base_ns; // base time of the existing frames
  int64_t now_ns;  // the current time
  uint8_t input;   // id of the input, for each frame
};

struct reader;

// Creates a reader of a UDP socket, which should not be bound yet and must stay open as long as the reader. Returns 0
// or -errno.
//   max_datagram       longest payload to keep, in bytes
//   gro                read GRO batches (UDP_GRO), and split them
//   packet_timestamps  give each datagram its own time; otherwise those of a read may have the time of the last one
int reader_open(int fd, int max_datagram, bool gro, bool packet_timestamps, struct reader **reader);

void reader_close(struct reader *reader);

// Appends the staged datagrams, or those of one recvmmsg if none are staged, until the batch has no room for the next
// frame. Returns the number of frames, or -errno. Does not block.
int reader_read(struct reader *reader, const struct batch *batch);

const struct outcome *reader_outcome(const struct reader *reader);

// Sends itself a datagram and reads it. Returns 0 if this kernel supports what is needed, else -errno.
int reader_probe(void);

#endif
