package io.millrace.internal.fields;

/** A condition on a value. */
@FunctionalInterface
public interface ValuePredicate {
    /** True if the bytes from {@code begin} to {@code end} satisfy the condition. */
    boolean test(byte[] bytes, int begin, int end);
}
