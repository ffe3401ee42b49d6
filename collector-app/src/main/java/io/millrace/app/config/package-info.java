/**
 * The configuration of the service: one description of every setting, from which the file is read, its errors are
 * worded, the effective settings are shown and the reference is written.
 *
 * <p>{@link io.millrace.app.config.Setting} names a key, its {@link io.millrace.app.config.ValueType}, its default and
 * its help; {@link io.millrace.app.config.Section} and {@link io.millrace.app.config.NamedSections} put them together.
 * {@link io.millrace.app.config.ConfigLoader} goes in three steps: YAML to a tree with places, substitution in the
 * tree's texts, and binding of the tree to the description. Flags of the command line are put into the tree before
 * it is bound. All problems of a file are found in one go. Nothing here has a thread; what is bound is immutable.
 */
package io.millrace.app.config;
