package io.millrace.setting;

/** An entry of a {@link Section}: a setting, or a section in it. */
public interface Entry {
    /** The key in the file. */
    String key();

    /** The help, in a sentence or two. */
    String help();
}
