/**
 * What the package tells of the commands where nobody starts them: manual pages, and completions of shells. All of it is made from
 * picocli's model of the commands while Millrace is built, so that it says what {@code --help} says. One thread.
 */
package io.millrace.app.manual;
