package io.millrace.output.internal;

/** The optional libraries of outputs. Any thread. */
public final class Libraries {
    private Libraries() {}

    /**
     * Checks that a library is on the class path.
     *
     * @param what what needs it, such as {@code type kafka}
     * @param type a class of the library
     * @param artefact its group and name at Maven Central
     * @throws IllegalStateException if it is not there
     */
    public static void require(String what, String type, String artefact) {
        try {
            Class.forName(type, false, Libraries.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(what + " needs the library " + artefact + " on the class path", e);
        }
    }
}
