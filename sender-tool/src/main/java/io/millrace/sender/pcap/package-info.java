/**
 * Reads the UDP payloads of a capture file, as {@code tcpdump -w} and others write it: pcap and pcapng, in either byte
 * order. {@link io.millrace.sender.pcap.PcapReader} is all there is to use.
 *
 * <p>Threads: a reader is for one thread at a time.
 */
@NullMarked
package io.millrace.sender.pcap;

import org.jspecify.annotations.NullMarked;
