/**
 * Keeps the secrets of the configuration out of every text that leaves the process: {@link io.millrace.app.secret.Secrets} knows them,
 * and logs, standard error, JSON, admin HTTP and reasons of dead letters go through it. Any thread.
 */
package io.millrace.app.secret;
