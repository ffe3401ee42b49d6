/**
 * Reads the UDP payloads of capture files: pcap and pcapng, in either byte order. The entry point is {@link
 * io.millrace.sender.pcap.PcapReader}. A reader is for one thread at a time.
 */
@NullMarked
package io.millrace.sender.pcap;

import org.jspecify.annotations.NullMarked;
