/**
 * The configuration of the service: one description of every setting, from which the file is loaded, error messages are
 * created, the effective settings are shown and the reference is written.
 *
 * <p>A {@link io.millrace.setting.Setting} has a key, a {@link io.millrace.setting.SettingType}, a default and a help
 * text; {@link io.millrace.setting.Section} and {@link io.millrace.app.config.NamedSections} combine them. {@link
 * io.millrace.app.config.ConfigLoader} has three steps: YAML to a tree with places, substitution in the tree's texts,
 * and binding of the tree to the description. Options of the command line are added to the tree before the binding. All
 * problems of a file are found at once. No threads; bound values are immutable.
 */
package io.millrace.app.config;
