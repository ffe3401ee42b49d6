/**
 * The service: from the configuration to a running collector, its reload and its stop.
 */
package io.millrace.app.service;
