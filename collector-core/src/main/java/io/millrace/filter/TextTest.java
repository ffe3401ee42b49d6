package io.millrace.filter;

/** A condition on a text. */
@FunctionalInterface
interface TextTest {
    boolean test(byte[] bytes, int begin, int end);
}
