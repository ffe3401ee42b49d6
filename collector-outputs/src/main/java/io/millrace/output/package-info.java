/** What the settings of all outputs have in common. */
package io.millrace.output;
