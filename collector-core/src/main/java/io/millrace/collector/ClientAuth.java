package io.millrace.collector;

/** Whether clients must show a certificate. */
public enum ClientAuth {
    /** The server does not request one. */
    NONE,
    /** The server requests one, and verifies it if the client shows one. */
    OPTIONAL,
    /** The server refuses a client without one. */
    REQUIRED
}
