package io.millrace.app.report;

import io.millrace.app.config.ConfigException;
import io.millrace.app.config.Problem;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** Printer of a command's failure in one line. Any thread. */
public final class FailureMessage {
    private FailureMessage() {}

    /** Prints a failure to standard error, with the stack trace if MILLRACE_TRACE is set. */
    public static void print(Exception e) {
        if (e instanceof ConfigException wrong) {
            printProblems(wrong.problems());
        } else {
            System.err.println("millrace: " + describe(e));
        }
        if (System.getenv("MILLRACE_TRACE") != null) {
            e.printStackTrace();
        }
    }

    /** A place in a file begins its line, so that editors find it. */
    private static void printProblems(List<Problem> problems) {
        problems.forEach(it -> System.err.println(it.isOfFlag() ? "millrace: " + it : it.toString()));
        if (problems.size() > 1) {
            System.err.println("millrace: " + problems.size() + " problems in the configuration");
        }
    }

    /** The message of a file error of the JDK is only the name of the file. */
    private static String describe(Exception e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + " is not there";
        }
        if (e instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile() + ": run it as the user of the service, or as root";
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
