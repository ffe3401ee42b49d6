/**
 * A record as a line by a template. {@link io.millrace.internal.format.template.TemplateFormat} is the entry point; {@code
 * docs/concepts/parsing.md} describes the language. A template is compiled into steps. Not thread-safe.
 */
@NullMarked
package io.millrace.internal.format.template;

import org.jspecify.annotations.NullMarked;
