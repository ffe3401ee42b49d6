/**
 * The transport {@code native}: many datagrams per system call, without a Java object per datagram.
 *
 * <p>A {@link io.millrace.jni.RecvmmsgReader} calls C once for up to 64 datagrams. There {@code recvmmsg(2)} fills slots. Their
 * payloads become frames in the slab, with the length on the wire, the source, and the kernel's receive time. Datagrams for
 * which the slab has no room stay in the slots until the next call.
 *
 * <p>The library is in the jar. It is used only if it receives a test datagram correctly. Otherwise the collector selects the
 * next best transport, and logs why.
 *
 * <p>This package is not an API. Select it with {@code transport("native")}.
 */
package io.millrace.jni;
