package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;

/** The bytes that a wrong count had announced, as far as they are not taken as lines. */
final class Replay {
    ByteBuffer memory = RemainderPool.NONE;
    int from;
    private int to;

    void set(ByteBuffer bytes, int begin, int end) {
        memory = bytes;
        from = begin;
        to = end;
    }

    int to() {
        return to;
    }

    int length() {
        return to - from;
    }

    void clear(RemainderPool pool) {
        pool.release(memory);
        set(RemainderPool.NONE, 0, 0);
    }
}
