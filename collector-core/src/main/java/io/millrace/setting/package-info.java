/**
 * Settings: each is defined once, with its name, type, valid range, default and help. Builders check the values of
 * programs against the definition; a configuration file is read, checked and documented by it. No threads; all types
 * are immutable.
 */
package io.millrace.setting;
