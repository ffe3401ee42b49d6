package io.millrace.app.config;

import io.millrace.internal.file.SmallFile;
import io.millrace.output.internal.name.ForeignNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Substitution of environment variables and file contents: {@code ${NAME}}, {@code ${NAME:-default}}, {@code
 * ${file:/path}}, and {@code $$} for a dollar sign. It runs on single texts after the YAML was parsed, so no value can
 * change the structure. The content of a file is a secret and is never printed.
 */
final class Substitution {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final String FILE = "file:";
    private static final int MAX_FILE_BYTES = 64 << 10;

    private final Map<String, String> environment;
    private final Consumer<String> secrets;

    /**
     * Creates a substitution.
     *
     * @param secrets collects the contents of files
     */
    Substitution(Map<String, String> environment, Consumer<String> secrets) {
        this.environment = Map.copyOf(environment);
        this.secrets = secrets;
    }

    private static final class Result {
        private final StringBuilder text = new StringBuilder();
        private final List<String> variables = new ArrayList<>();
        private boolean hidden;
    }

    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    /** Substitutes a text; the result is broken, with a problem, if that fails. */
    Tree apply(Mark mark, String text, List<Problem> problems) {
        Result result = new Result();
        try {
            expand(text, result);
            return new Tree.Scalar(mark, result.text.toString(), false, result.hidden, List.copyOf(result.variables));
        } catch (Failure e) {
            problems.add(new Problem(mark, String.valueOf(e.getMessage())));
            return new Tree.Broken(mark);
        }
    }

    /** The text that {@link #apply} converts to this one. */
    static String escape(String text) {
        return text.replace("$", "$$");
    }

    private void expand(String text, Result result) throws Failure {
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("$$", i)) {
                result.text.append('$');
                i++;
            } else if (text.startsWith("${", i)) {
                int end = closing(text, i + 2);
                one(text.substring(i + 2, end), result);
                i = end;
            } else {
                result.text.append(text.charAt(i));
            }
        }
    }

    /** Braces within are counted, because a default may be a template. */
    private static int closing(String text, int begin) throws Failure {
        int depth = 1;
        for (int i = begin; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new Failure("'${' without its '}'; a dollar sign itself is written $$");
    }

    private void one(String what, Result result) throws Failure {
        if (what.startsWith(FILE)) {
            String content = content(what.substring(FILE.length()));
            secrets.accept(content);
            result.text.append(content);
            result.hidden = true;
            return;
        }
        int split = what.indexOf(":-");
        String name = split < 0 ? what : what.substring(0, split);
        if (!NAME.matcher(name).matches()) {
            throw new Failure("'${" + what
                    + "}' is not ${NAME}, ${NAME:-default} or ${file:/path}; a dollar sign itself" + " is written $$");
        }
        String value = environment.get(name);
        if (value != null && !(value.isEmpty() && split >= 0)) {
            result.text.append(value);
            result.variables.add(value);
        } else if (split >= 0) {
            expand(what.substring(split + 2), result);
        } else {
            String field = ForeignNames.field(name);
            throw new Failure("the environment variable " + name + " is not set; ${" + name + ":-default} would take a"
                    + " default"
                    + (field == null ? "" : ", and a field of the message in a path or a template is {" + field + "}"));
        }
    }

    private static String content(String name) throws Failure {
        Path path = Path.of(name.replace("\0", ""));
        if (!path.isAbsolute()) {
            throw new Failure("${file:" + name + "} accepts an absolute path");
        }
        try {
            byte[] bytes = SmallFile.head(path, MAX_FILE_BYTES + 1);
            if (bytes.length > MAX_FILE_BYTES) {
                throw new Failure("the file " + name + " has more than 64 KiB, which is no value of a setting");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return withoutBlankEnd(text);
        } catch (NoSuchFileException e) {
            throw new Failure("the file " + name + " is not there");
        } catch (AccessDeniedException e) {
            throw new Failure("no permission for the file " + name);
        } catch (SmallFile.NotRegularException e) {
            throw new Failure("${file:" + name + "} accepts a regular file, and this is " + e.kind());
        } catch (CharacterCodingException e) {
            throw new Failure("the file " + name + " is not UTF-8 text");
        } catch (IOException e) {
            throw new Failure("the file " + name + " cannot be read: " + e.getMessage());
        }
    }

    /** Editors and shells end a file with line feeds; spaces at the end of the last line may be intended. */
    private static String withoutBlankEnd(String text) {
        for (int i = text.stripTrailing().length(); i < text.length(); i++) {
            if (text.charAt(i) == '\r' || text.charAt(i) == '\n') {
                return text.substring(0, i);
            }
        }
        return text;
    }
}
