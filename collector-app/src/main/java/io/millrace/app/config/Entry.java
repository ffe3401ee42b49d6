package io.millrace.app.config;

/** What a mapping of the file can have: a setting, a section, or sections by name. */
public sealed interface Entry permits Setting, Section, NamedSections {
    /** Its key in the file. */
    String key();

    /** What it is for, in a sentence or two, for users. */
    String help();
}
