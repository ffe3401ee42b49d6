/** Ledgers and journals as text and as JSON, for commands and for admin HTTP alike. Any thread. */
package io.millrace.app.report;
