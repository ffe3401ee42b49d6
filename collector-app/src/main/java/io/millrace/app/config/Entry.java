package io.millrace.app.config;

/** An entry of a mapping in the file: a setting, a section, or named sections. */
public sealed interface Entry permits Setting, Section, NamedSections {
    /** The key in the file. */
    String key();

    /** The help, in a sentence or two. */
    String help();
}
