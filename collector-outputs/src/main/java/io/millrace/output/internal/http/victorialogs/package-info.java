/** The JSON lines interface of VictoriaLogs. One thread per output. */
package io.millrace.output.internal.http.victorialogs;
