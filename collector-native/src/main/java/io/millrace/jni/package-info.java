/**
 * The transport {@code native}: many datagrams a system call, and no Java object for any.
 *
 * <p>A {@link io.millrace.jni.RecvmmsgReader} crosses into C once for up to 64 datagrams. There {@code recvmmsg(2)} fills
 * slots, and their payloads become frames in the slab: length on the wire, source, and the time the kernel received them.
 * What the slab has no room for stays in the slots until the next call. The library is found in the jar, and used only if
 * a datagram sent to itself comes back right; without it the collector takes the next best transport and says why.
 *
 * <p>Nothing here is for users of the library: {@code transport("native")} is.
 */
package io.millrace.jni;
