/** What outputs share. Not for other programs: it may change in any version. */
package io.millrace.output.internal;
