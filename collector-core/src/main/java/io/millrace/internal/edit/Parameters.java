package io.millrace.internal.edit;

import io.millrace.internal.parse.StructuredData;
import io.millrace.message.LineBuffer;
import java.util.Arrays;

/** Edits of the parameters with a name in the structured data, which are edits of its bytes. */
final class Parameters {
    /** SD-NAME of RFC 5424 section 6.3.3. */
    static final String NAME = "[!#-<>-\\\\^-~]{1,32}";

    private final byte[] path;
    private final StructuredData data = new StructuredData();

    /**
     * Creates the edits.
     *
     * @param path the id of the element, a dot, and the name
     */
    Parameters(byte[] path) {
        this.path = path;
    }

    void remove(Draft draft) {
        edit(draft, path, path);
    }

    /** Renames them, in place of those that have the new name. */
    void rename(Draft draft, byte[] to) {
        if (has(draft)) {
            edit(draft, to, to);
            edit(draft, path, to);
        }
    }

    private boolean has(Draft draft) {
        byte[] bytes = draft.record().message().bytes();
        data.wrap(draft.record().message());
        while (data.nextElement()) {
            int begin = data.nameBegin();
            int end = data.nameEnd();
            while (data.nextParameter()) {
                if (isAt(path, bytes, begin, end)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Removes the parameters with a path if the new one is the same, and renames them otherwise. */
    private void edit(Draft draft, byte[] of, byte[] to) {
        byte[] bytes = draft.record().message().bytes();
        draft.rewrite();
        data.wrap(draft.record().message());
        while (data.nextElement()) {
            int begin = data.nameBegin();
            int end = data.nameEnd();
            while (data.nextParameter()) {
                if (!isAt(of, bytes, begin, end)) {
                    continue;
                }
                if (of == to) {
                    // With the blank before it and the quote after it.
                    draft.replace(data.nameBegin() - 1, data.valueEnd() + 1);
                } else {
                    LineBuffer out = draft.replace(data.nameBegin(), data.nameEnd());
                    out.append(to, end - begin + 1, to.length);
                }
            }
        }
        draft.rewritten();
    }

    /** True if the current parameter, in the element with this id, has the path. */
    private boolean isAt(byte[] of, byte[] bytes, int idBegin, int idEnd) {
        int dot = idEnd - idBegin;
        return of.length > dot
                && of[dot] == '.'
                && Arrays.equals(of, 0, dot, bytes, idBegin, idEnd)
                && Arrays.equals(of, dot + 1, of.length, bytes, data.nameBegin(), data.nameEnd());
    }
}
