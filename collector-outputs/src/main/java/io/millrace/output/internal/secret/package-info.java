/**
 * Redaction of secrets in all texts that leave the process: {@link io.millrace.output.internal.secret.Secrets} knows them. Logs,
 * standard error, JSON, admin HTTP and reasons of dead letters are redacted. Any thread.
 */
package io.millrace.output.internal.secret;
