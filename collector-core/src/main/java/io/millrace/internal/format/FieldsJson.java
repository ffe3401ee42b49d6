package io.millrace.internal.format;

import io.millrace.internal.fields.FieldTable;
import io.millrace.message.LineBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Formatter of a message's fields as JSON: {@code {"src":"192.0.2.5","http":{"status":200}}}. Values of a repeated name
 * become an array, so that each name is unique. One thread.
 */
final class FieldsJson {
    private static final int MIN_BUCKETS = 16;

    /** Senders choose the names, and must not be able to choose their hash codes. */
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 1;

    private final int[] buckets = new int[2 * FieldTable.MAX_FIELDS];
    /** One less than the number of buckets in use: a power of two, and more than the message has fields. */
    private int mask;

    private final int[] hashes = new int[FieldTable.MAX_FIELDS];
    /** The next field in the same bucket. */
    private final int[] chained = new int[FieldTable.MAX_FIELDS];
    /** The next field with the same parent and name. */
    private final int[] same = new int[FieldTable.MAX_FIELDS];

    private final int[] lastSame = new int[FieldTable.MAX_FIELDS];
    /** The first member of each object, and at the end that of the message. */
    private final int[] firstMember = new int[FieldTable.MAX_FIELDS + 1];

    private final int[] lastMember = new int[FieldTable.MAX_FIELDS + 1];
    /** The next member of the same object with another name. */
    private final int[] nextMember = new int[FieldTable.MAX_FIELDS];

    private final LineBuffer path = new LineBuffer();
    private byte[] name = new byte[64];

    /** Writes the fields as a member of an object; writes nothing if there are none. */
    void write(byte[] key, FieldTable fields, boolean flat, LineBuffer out) {
        if (fields.count() == 0) {
            return;
        }
        out.append(key);
        if (flat) {
            list(fields, out);
        } else {
            link(fields);
            members(fields, firstMember[FieldTable.MAX_FIELDS], out);
        }
    }

    /** Finds the members of each object, and fields of the same name. */
    private void link(FieldTable fields) {
        int count = fields.count();
        mask = Math.max(MIN_BUCKETS, 2 * Integer.highestOneBit(count)) - 1;
        Arrays.fill(buckets, 0, mask + 1, -1);
        Arrays.fill(firstMember, 0, count, -1);
        firstMember[FieldTable.MAX_FIELDS] = -1;
        for (int i = 0; i < count; i++) {
            same[i] = -1;
            lastSame[i] = i;
            nextMember[i] = -1;
            int first = first(fields, i);
            if (first != i) {
                same[lastSame[first]] = i;
                lastSame[first] = i;
                continue;
            }
            int object = fields.parent(i) < 0 ? FieldTable.MAX_FIELDS : fields.parent(i);
            if (firstMember[object] < 0) {
                firstMember[object] = i;
            } else {
                nextMember[lastMember[object]] = i;
            }
            lastMember[object] = i;
        }
    }

    /** The first field with the parent and the name of this one, which is added to its bucket if there is none before. */
    private int first(FieldTable fields, int field) {
        fields.name(field);
        int begin = fields.plainBegin();
        int length = fields.plainEnd() - begin;
        int hash = fields.parent(field);
        if (name.length < length) {
            name = new byte[2 * length];
        }
        System.arraycopy(fields.plainBytes(), begin, name, 0, length);
        for (int i = 0; i < length; i++) {
            hash = MULTIPLIER * (hash ^ (hash >>> 15)) + name[i];
        }
        hash ^= hash >>> 16;
        int bucket = hash & mask;
        for (int i = buckets[bucket]; i >= 0; i = chained[i]) {
            if (hashes[i] == hash && fields.parent(i) == fields.parent(field)) {
                fields.name(i);
                if (Arrays.equals(fields.plainBytes(), fields.plainBegin(), fields.plainEnd(), name, 0, length)) {
                    return i;
                }
            }
        }
        hashes[field] = hash;
        chained[field] = buckets[bucket];
        buckets[bucket] = field;
        return field;
    }

    private void members(FieldTable fields, int first, LineBuffer out) {
        out.put('{');
        for (int i = first; i >= 0; i = nextMember[i]) {
            if (i != first) {
                out.put(',');
            }
            fields.name(i);
            JsonFormat.string(fields.plainBytes(), fields.plainBegin(), fields.plainEnd(), out);
            out.put(':');
            boolean array = same[i] >= 0 || fields.isElement(i);
            out.ascii(array ? "[" : "");
            value(fields, i, out);
            for (int next = same[i]; next >= 0; next = same[next]) {
                out.put(',');
                value(fields, next, out);
            }
            out.ascii(array ? "]" : "");
        }
        out.put('}');
    }

    private void value(FieldTable fields, int field, LineBuffer out) {
        if (fields.type(field) == FieldTable.Type.OBJECT) {
            members(fields, firstMember[field], out);
            return;
        }
        fields.value(field);
        if (fields.type(field) == FieldTable.Type.TEXT) {
            JsonFormat.string(fields.plainBytes(), fields.plainBegin(), fields.plainEnd(), out);
        } else {
            out.append(fields.plainBytes(), fields.plainBegin(), fields.plainEnd());
        }
    }

    private void list(FieldTable fields, LineBuffer out) {
        out.put('[');
        boolean first = true;
        for (int i = 0; i < fields.count(); i++) {
            if (fields.type(i) == FieldTable.Type.OBJECT || fields.type(i) == FieldTable.Type.NULL) {
                continue;
            }
            out.ascii(first ? "{\"name\":" : ",{\"name\":");
            path.clear();
            path(fields, i, path);
            JsonFormat.string(path.array(), 0, path.length(), out);
            out.ascii(",\"value\":");
            fields.value(i);
            JsonFormat.string(fields.plainBytes(), fields.plainBegin(), fields.plainEnd(), out);
            out.put('}');
            first = false;
        }
        out.put(']');
    }

    /** Writes the names of a field's objects and its own, with dots between. */
    private static void path(FieldTable fields, int field, LineBuffer out) {
        if (fields.parent(field) >= 0) {
            path(fields, fields.parent(field), out);
            out.put('.');
        }
        fields.name(field);
        out.append(fields.plainBytes(), fields.plainBegin(), fields.plainEnd());
    }
}
