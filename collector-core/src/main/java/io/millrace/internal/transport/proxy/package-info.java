/** The PROXY protocol of stream inputs: a proxy says at the beginning of a connection whose it is. */
package io.millrace.internal.transport.proxy;
