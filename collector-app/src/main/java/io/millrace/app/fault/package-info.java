/**
 * What is wrong with the running service now: one list for the page, {@code /api/status}, {@code /readyz}, {@code millrace
 * status}, alerts and metrics. Nothing is kept between two calls; any thread.
 */
package io.millrace.app.fault;
