package io.millrace.internal.edit;

import com.google.re2j.Matcher;

/** A search for the matches of an expression in a text, one after the other. One thread. */
interface Search {
    /** Moves to the next match; false if there is none. */
    boolean find();

    /** The beginning of a group in the text, 0 for the whole match; -1 if the group is not part of it. */
    int start(int group);

    int end(int group);

    /** The search of a regular expression. */
    static Search of(Matcher matcher) {
        return new Search() {
            @Override
            public boolean find() {
                return matcher.find();
            }

            @Override
            public int start(int group) {
                return matcher.start(group);
            }

            @Override
            public int end(int group) {
                return matcher.end(group);
            }
        };
    }
}
