package io.millrace.app.control;

/**
 * The answer to a request.
 *
 * @param code the exit code of the command that asks; 0 if the request was carried out
 * @param text what the command prints
 */
public record Answer(int code, String text) {}
