/** The host that checks examine: files of {@code /proc} and {@code /sys}, and tools. It may be a recorded one. */
package io.millrace.app.doctor.host;
