package io.millrace.app.service;

import java.security.Security;

/**
 * How long the JVM keeps the addresses of a host name. By default it does for 30 s, and a destination that has moved is found that much
 * later. Resolvers of the system have caches of their own, which know how long an address is valid.
 */
public final class NameCache {
    private static final String SECONDS = "networkaddress.cache.ttl";

    private NameCache() {}

    /** Keeps addresses for 1 s, unless the user says otherwise. To be called before the first name is looked up. */
    public static void limit() {
        if (Security.getProperty(SECONDS) == null && System.getProperty("sun.net.inetaddr.ttl") == null) {
            Security.setProperty(SECONDS, "1");
        }
    }
}
