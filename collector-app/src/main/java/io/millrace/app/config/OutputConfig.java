package io.millrace.app.config;

/**
 * An output that the file describes.
 *
 * @param name its name in the file
 * @param type its kind
 * @param settings the values of the type's settings, and of {@link OutputSettings}
 * @param mark where the file describes it, for problems that show later
 */
public record OutputConfig(String name, OutputType type, Bound settings, Mark mark) {}
