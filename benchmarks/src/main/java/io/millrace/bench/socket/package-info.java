/**
 * What sockets of the kernel can do, and what the service makes of them: accepting connections, and holding many of them. No other
 * collector is compared here.
 */
@NullMarked
package io.millrace.bench.socket;

import org.jspecify.annotations.NullMarked;
