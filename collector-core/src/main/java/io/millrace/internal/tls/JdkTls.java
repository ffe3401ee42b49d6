package io.millrace.internal.tls;

/**
 * Properties of the JDK that limit what a client of TLS can cost. They hold for the whole process, clients included, and take effect if they
 * are set before its first use of TLS. A property that is given on the command line stays as it is.
 */
public final class JdkTls {
    /** Without it a client may demand any number of handshakes on one connection of TLS 1.2. */
    private static final String REJECT_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /** The groups of key exchange. The client selects one: with ffdhe8192, a default of the JDK, a handshake takes many times as long. */
    private static final String GROUPS = "jdk.tls.namedGroups";

    private static final String FAST_GROUPS = "x25519,secp256r1,secp384r1";

    private JdkTls() {}

    /** Sets them. */
    public static void limit() {
        setUnlessGiven(REJECT_RENEGOTIATION, "true");
        setUnlessGiven(GROUPS, FAST_GROUPS);
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
