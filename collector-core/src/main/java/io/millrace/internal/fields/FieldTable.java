package io.millrace.internal.fields;

import java.util.Arrays;

/**
 * The named values of a message, as positions in its bytes. A field may be a member of another, which is an object:
 * then its path is the names from the outermost to its own, with dots between. Fields are in the order of the message,
 * members after their object. There are at most {@value #MAX_FIELDS}; further ones are ignored. One thread.
 */
public final class FieldTable {
    /** The maximum number of fields of a message. */
    public static final int MAX_FIELDS = 1024;

    /** The type of a value. */
    public enum Type {
        /** Text. */
        TEXT,
        /** A number, as JSON writes it. */
        NUMBER,
        /** {@code true} or {@code false}. */
        BOOLEAN,
        /** Nothing. */
        NULL,
        /** Other fields. */
        OBJECT
    }

    private static final int INITIAL_FIELDS = 32;

    private byte[] b = new byte[0];
    private int count;
    private boolean full;
    private int[] parents = new int[INITIAL_FIELDS];
    private int[] nameBegins = new int[INITIAL_FIELDS];
    private int[] nameEnds = new int[INITIAL_FIELDS];
    private int[] valueBegins = new int[INITIAL_FIELDS];
    private int[] valueEnds = new int[INITIAL_FIELDS];
    private Type[] types = new Type[INITIAL_FIELDS];
    private Escaping[] nameEscapings = new Escaping[INITIAL_FIELDS];
    private Escaping[] valueEscapings = new Escaping[INITIAL_FIELDS];
    private boolean[] elements = new boolean[INITIAL_FIELDS];

    private byte[] ownName = new byte[64];
    private byte[] own = new byte[256];
    private byte[] plain = own;
    private int plainBegin;
    private int plainEnd;

    /** Creates an empty table. */
    public FieldTable() {}

    /** Removes all fields, and sets the bytes that the next ones are in. */
    public void clear(byte[] bytes) {
        b = bytes;
        count = 0;
        full = false;
    }

    /** True if the maximum was reached since {@link #clear}, so that further fields may have been ignored. */
    public boolean isFull() {
        return full;
    }

    /** Adds a field outside of objects. */
    public void add(int nameBegin, int nameEnd, int valueBegin, int valueEnd, Escaping valueEscaping) {
        int field = add(-1, nameBegin, nameEnd, Escaping.NONE);
        if (field >= 0) {
            set(field, Type.TEXT, valueBegin, valueEnd, valueEscaping);
        }
    }

    /**
     * Adds a field, an object until {@link #set} is called.
     *
     * @param parent the field that it is a member of; -1 for none
     * @return its index; -1 if the table is full
     */
    public int add(int parent, int nameBegin, int nameEnd, Escaping nameEscaping) {
        if (count == MAX_FIELDS) {
            return -1;
        } else if (count == parents.length) {
            grow(Math.min(2 * count, MAX_FIELDS));
        }
        parents[count] = parent;
        nameBegins[count] = nameBegin;
        nameEnds[count] = nameEnd;
        nameEscapings[count] = nameEscaping;
        elements[count] = false;
        set(count, Type.OBJECT, nameEnd, nameEnd, Escaping.NONE);
        full |= count + 1 == MAX_FIELDS;
        return count++;
    }

    /** Adds an element of an array: it has the name and the parent of another field. */
    int addElement(int parent, int nameBegin, int nameEnd, Escaping nameEscaping) {
        int field = add(parent, nameBegin, nameEnd, nameEscaping);
        if (field >= 0) {
            elements[field] = true;
        }
        return field;
    }

    /** Sets the value of a field. */
    public void set(int field, Type type, int begin, int end, Escaping escaping) {
        types[field] = type;
        valueBegins[field] = begin;
        valueEnds[field] = end;
        valueEscapings[field] = escaping;
    }

    private void grow(int size) {
        parents = Arrays.copyOf(parents, size);
        nameBegins = Arrays.copyOf(nameBegins, size);
        nameEnds = Arrays.copyOf(nameEnds, size);
        valueBegins = Arrays.copyOf(valueBegins, size);
        valueEnds = Arrays.copyOf(valueEnds, size);
        types = Arrays.copyOf(types, size);
        nameEscapings = Arrays.copyOf(nameEscapings, size);
        valueEscapings = Arrays.copyOf(valueEscapings, size);
        elements = Arrays.copyOf(elements, size);
    }

    /** The first field outside of objects with this name and type; -1 if there is none. */
    public int find(byte[] name, Type type) {
        for (int i = 0; i < count; i++) {
            if (parents[i] < 0 && types[i] == type && isAt(i, name, name.length)) {
                return i;
            }
        }
        return -1;
    }

    /** Removes a field that has no members. */
    public void remove(int field) {
        int next = field + 1;
        int moved = --count - field;
        System.arraycopy(parents, next, parents, field, moved);
        System.arraycopy(nameBegins, next, nameBegins, field, moved);
        System.arraycopy(nameEnds, next, nameEnds, field, moved);
        System.arraycopy(valueBegins, next, valueBegins, field, moved);
        System.arraycopy(valueEnds, next, valueEnds, field, moved);
        System.arraycopy(types, next, types, field, moved);
        System.arraycopy(nameEscapings, next, nameEscapings, field, moved);
        System.arraycopy(valueEscapings, next, valueEscapings, field, moved);
        System.arraycopy(elements, next, elements, field, moved);
        for (int i = field; i < count; i++) {
            parents[i] -= parents[i] > field ? 1 : 0;
        }
    }

    /** Removes the fields with this path, and the members of those that are objects; returns false if there are none. */
    public boolean remove(byte[] path) {
        return removeAllBut(-1, path);
    }

    /**
     * Sets the value of the path to a text, in place of all values and objects that it has. A new field is a member of the object that the path
     * names, if there is one.
     *
     * @param name where the path is in the bytes of the fields
     * @return false, without a change, if the table is full
     */
    public boolean put(byte[] path, int name, int begin, int end) {
        int field = find(path);
        if (field < 0) {
            if (count == MAX_FIELDS) {
                return false;
            }
            int dot = path.length - 1;
            while (dot > 0 && (path[dot] != '.' || first(path, dot, true) < 0)) {
                dot--;
            }
            int parent = dot > 0 ? first(path, dot, true) : -1;
            field = add(parent, parent < 0 ? name : name + dot + 1, name + path.length, Escaping.NONE);
        } else {
            removeAllBut(field, path);
            elements[field] = false;
        }
        set(field, Type.TEXT, begin, end, Escaping.NONE);
        return true;
    }

    /**
     * Gives the fields with a path another name, outside of objects, in place of the fields that have that name.
     *
     * @param to the name, which is no path of one of these fields' members or objects
     * @param name where the name is in the bytes of the fields
     * @return false, without a change, if there are none
     */
    public boolean rename(byte[] path, byte[] to, int name) {
        if (find(path) < 0) {
            return false;
        }
        remove(to);
        for (int i = 0; i < count; i++) {
            if (isAt(i, path, path.length)) {
                parents[i] = -1;
                nameBegins[i] = name;
                nameEnds[i] = name + to.length;
                nameEscapings[i] = Escaping.NONE;
            }
        }
        return true;
    }

    /** The first field with a path, whatever its value; -1 if there is none. */
    public int find(byte[] path) {
        return first(path, path.length, false);
    }

    /** The first field, or the first object, with the first bytes of a path; -1 if there is none. */
    private int first(byte[] path, int end, boolean isObject) {
        int i = 0;
        while (i < count && !((types[i] == Type.OBJECT || !isObject) && isAt(i, path, end))) {
            i++;
        }
        return i < count ? i : -1;
    }

    /** Removes the fields with a path but one, which keeps no members. */
    private boolean removeAllBut(int kept, byte[] path) {
        int[] moved = new int[count];
        int left = 0;
        for (int i = 0; i < count; i++) {
            int parent = parents[i];
            boolean isMember = parent >= 0 && (moved[parent] < 0 || parent == kept);
            moved[i] = isMember || (i != kept && isAt(i, path, path.length)) ? -1 : left++;
        }
        for (int i = 0; i < count; i++) {
            if (moved[i] >= 0) {
                move(i, moved[i]);
                parents[moved[i]] = parents[i] < 0 ? -1 : moved[parents[i]];
            }
        }
        boolean removed = left < count;
        count = left;
        return removed;
    }

    private void move(int from, int to) {
        nameBegins[to] = nameBegins[from];
        nameEnds[to] = nameEnds[from];
        valueBegins[to] = valueBegins[from];
        valueEnds[to] = valueEnds[from];
        types[to] = types[from];
        nameEscapings[to] = nameEscapings[from];
        valueEscapings[to] = valueEscapings[from];
        elements[to] = elements[from];
    }

    /** Removes this byte from the beginning of names outside of objects. */
    public void trimNames(char first) {
        for (int i = 0; i < count; i++) {
            boolean has = nameEnds[i] - nameBegins[i] > 1 && b[nameBegins[i]] == first;
            nameBegins[i] += parents[i] < 0 && has ? 1 : 0;
        }
    }

    /** How the value of a field is escaped. */
    public Escaping valueEscaping(int field) {
        return valueEscapings[field];
    }

    /** The beginning of a value as it is in the message: escaped. */
    public int valueBegin(int field) {
        return valueBegins[field];
    }

    /** The end of that, exclusive. */
    public int valueEnd(int field) {
        return valueEnds[field];
    }

    /** The number of fields. */
    public int count() {
        return count;
    }

    /** The object that a field is a member of; -1 if it is of none. */
    public int parent(int field) {
        return parents[field];
    }

    /** The type of a field's value. */
    public Type type(int field) {
        return types[field];
    }

    /** True if the field is an element of an array. */
    public boolean isElement(int field) {
        return elements[field];
    }

    /** True if the field has this path and a value, or is an object of this path. */
    public boolean has(byte[] path) {
        for (int i = 0; i < count; i++) {
            if (types[i] != Type.NULL && isAt(i, path, path.length)) {
                return true;
            }
        }
        return false;
    }

    public boolean any(byte[] path, ValuePredicate test) {
        for (int i = 0; i < count; i++) {
            if (types[i] != Type.OBJECT && types[i] != Type.NULL && isAt(i, path, path.length)) {
                value(i);
                if (test.test(plain, plainBegin, plainEnd)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Calls a consumer with the place of each value with this path, as it is in the message: escaped. */
    public void places(byte[] path, PlaceConsumer consumer) {
        for (int i = 0; i < count; i++) {
            if (types[i] != Type.OBJECT && types[i] != Type.NULL && isAt(i, path, path.length)) {
                consumer.accept(valueBegins[i], valueEnds[i]);
            }
        }
    }

    /** True if the first bytes of a path, up to {@code end}, are the path of a field. Compares from the last name on. */
    private boolean isAt(int field, byte[] path, int end) {
        int at = field;
        int to = end;
        while (true) {
            byte[] names = b;
            int begin = nameBegins[at];
            int stop = nameEnds[at];
            if (nameEscapings[at] != Escaping.NONE) {
                stop = decodeName(at);
                begin = 0;
                names = ownName;
            }
            int from = to - (stop - begin);
            if (from < 0 || !Arrays.equals(path, from, to, names, begin, stop)) {
                return false;
            }
            at = parents[at];
            if (at < 0 || from == 0) {
                return at < 0 && from == 0;
            }
            to = from - 1;
            if (path[to] != '.') {
                return false;
            }
        }
    }

    private int decodeName(int field) {
        int length = nameEnds[field] - nameBegins[field];
        if (ownName.length < length) {
            ownName = new byte[2 * length];
        }
        return nameEscapings[field].decode(b, nameBegins[field], nameEnds[field], ownName);
    }

    /** Decodes the name of a field, without those of its objects, into {@link #plainBytes()}. */
    public void name(int field) {
        decode(nameBegins[field], nameEnds[field], nameEscapings[field]);
    }

    /** Decodes the value of a field into {@link #plainBytes()}. */
    public void value(int field) {
        decode(valueBegins[field], valueEnds[field], valueEscapings[field]);
    }

    private void decode(int begin, int end, Escaping escaping) {
        plain = b;
        plainBegin = begin;
        plainEnd = end;
        if (escaping != Escaping.NONE) {
            if (own.length < end - begin) {
                own = new byte[Math.max(end - begin, 2 * own.length)];
            }
            plain = own;
            plainBegin = 0;
            plainEnd = escaping.decode(b, begin, end, own);
        }
    }

    /** The array that holds the decoded name or value, until the next call; not a copy. */
    public byte[] plainBytes() {
        return plain;
    }

    /** The beginning of the decoded name or value. */
    public int plainBegin() {
        return plainBegin;
    }

    /** The end of the decoded name or value, exclusive. */
    public int plainEnd() {
        return plainEnd;
    }
}
