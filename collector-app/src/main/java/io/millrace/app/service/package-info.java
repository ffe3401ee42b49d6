/** The service: creation from the configuration, run, reload and stop. */
package io.millrace.app.service;
