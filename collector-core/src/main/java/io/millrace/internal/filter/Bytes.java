package io.millrace.internal.filter;

import io.millrace.internal.fields.ValuePredicate;
import java.util.Arrays;

/** Tests of text on its bytes. */
public final class Bytes {
    private Bytes() {}

    static ValuePredicate equal(byte[] wanted) {
        return (b, begin, end) -> Arrays.equals(b, begin, end, wanted, 0, wanted.length);
    }

    static ValuePredicate startsWith(byte[] wanted) {
        return (b, begin, end) -> isAt(b, begin, end, wanted);
    }

    static ValuePredicate endsWith(byte[] wanted) {
        return (b, begin, end) -> end - wanted.length >= begin && isAt(b, end - wanted.length, end, wanted);
    }

    /** The test whether a text contains these bytes. */
    public static ValuePredicate contains(byte[] wanted) {
        return (b, begin, end) -> {
            for (int i = begin; i + wanted.length <= end; i++) {
                if (isAt(b, i, end, wanted)) {
                    return true;
                }
            }
            return false;
        };
    }

    private static boolean isAt(byte[] bytes, int begin, int end, byte[] wanted) {
        if (end - begin < wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[begin + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
