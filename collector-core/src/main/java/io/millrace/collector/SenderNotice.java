package io.millrace.collector;

/**
 * Connections of a sender that an input refused or closed in the last minute, or could not understand.
 *
 * @param input the name of the input
 * @param reason the counter of the reason
 * @param source the address with the most of it
 * @param ofSource how many are from there
 * @param all how many there are
 */
public record SenderNotice(String input, StreamCounter reason, String source, long ofSource, long all) {}
