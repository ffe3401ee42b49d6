package io.millrace.app.config;

import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;

/**
 * An output of the configuration.
 *
 * @param name the name
 * @param type the type
 * @param settings the values of the type's settings and of {@link OutputOptions}, with their places
 * @param checked the values of the type's settings, from which sinks are created
 * @param mark the place in the file, for later problems
 */
public record OutputConfig(String name, OutputType type, Bound settings, OutputSettings checked, Mark mark) {}
