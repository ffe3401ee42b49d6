package io.millrace.internal.journal.read;

import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.DatagramHandler;

/** A cursor over a {@link ReadOrder}. */
public final class OrderedCursor implements JournalCursor {
    private final ReadOrder order;
    private boolean closed;

    /** Creates a cursor that owns the order. */
    public OrderedCursor(ReadOrder order) {
        this.order = order;
    }

    @Override
    public int poll(DatagramHandler handler, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit accepts a number from 1, not " + limit);
        }
        if (closed) {
            throw new IllegalStateException("the cursor is closed");
        }
        return order.poll(handler, limit);
    }

    @Override
    public long damagedBatches() {
        return order.damagedBatches();
    }

    @Override
    public void close() {
        closed = true;
        order.close();
    }
}
