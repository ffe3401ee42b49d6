/** Random input for what reads strangers' bytes: {@link io.millrace.fuzz.FuzzRun} tells how. */
package io.millrace.fuzz;
