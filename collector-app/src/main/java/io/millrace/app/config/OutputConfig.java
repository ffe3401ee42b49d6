package io.millrace.app.config;

/**
 * An output of the configuration.
 *
 * @param name the name
 * @param type the type
 * @param settings the values of the type's settings, and of {@link OutputSettings}
 * @param mark the place in the file, for later problems
 */
public record OutputConfig(String name, OutputType type, Bound settings, Mark mark) {}
