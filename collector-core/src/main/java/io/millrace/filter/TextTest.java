package io.millrace.filter;

/** Something that is true of a text, or not. */
@FunctionalInterface
interface TextTest {
    boolean test(byte[] bytes, int begin, int end);
}
