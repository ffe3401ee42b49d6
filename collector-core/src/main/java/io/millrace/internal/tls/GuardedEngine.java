package io.millrace.internal.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/**
 * An engine that limits the records without data after the handshake, such as {@code KeyUpdate} (RFC 8446 section 4.6.3) and empty ones.
 * Each costs the derivation of keys or an answer, and nothing slows its sender down. Honest clients send one in hours. One thread.
 */
final class GuardedEngine extends SSLEngine {
    /** How many a client may send at once; one more for each second. */
    static final int MAX_RECORDS = 32;

    private static final long REFILL_NS = TimeUnit.SECONDS.toNanos(1);

    private final SSLEngine engine;
    private final LongSupplier nanoTime;
    private boolean finished;
    private long consumed;
    private int left = MAX_RECORDS;
    private long refilledNs;

    /** The client sends more records without data than the limit allows. */
    static final class TooManyRecordsException extends SSLException {
        private static final long serialVersionUID = 1;

        TooManyRecordsException() {
            super("more than " + MAX_RECORDS + " TLS records without data, such as KeyUpdate");
        }
    }

    GuardedEngine(SSLEngine engine, LongSupplier nanoTime) {
        super(engine.getPeerHost(), engine.getPeerPort());
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.refilledNs = nanoTime.getAsLong();
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] to, int offset, int length) throws SSLException {
        boolean isData = finished;
        SSLEngineResult result = engine.unwrap(from, to, offset, length);
        consumed += result.bytesConsumed();
        note(result);
        if (isData && result.bytesConsumed() > 0 && result.bytesProduced() == 0) {
            charge();
        }
        return result;
    }

    /** The bytes of all records that were decrypted. */
    long consumedBytes() {
        return consumed;
    }

    private void charge() throws TooManyRecordsException {
        long refills = (nanoTime.getAsLong() - refilledNs) / REFILL_NS;
        if (refills > 0) {
            refilledNs += refills * REFILL_NS;
            left = (int) Math.min(MAX_RECORDS, left + refills);
        }
        if (--left < 0) {
            throw new TooManyRecordsException();
        }
    }

    private void note(SSLEngineResult result) {
        finished |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] from, int offset, int length, ByteBuffer to) throws SSLException {
        SSLEngineResult result = engine.wrap(from, offset, length, to);
        note(result);
        return result;
    }

    @Override
    public Runnable getDelegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeInbound() throws SSLException {
        engine.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public SSLSession getHandshakeSession() {
        return engine.getHandshakeSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return engine.getHandshakeStatus();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean enabled) {
        engine.setEnableSessionCreation(enabled);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }

    @Override
    public SSLParameters getSSLParameters() {
        return engine.getSSLParameters();
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
        engine.setSSLParameters(parameters);
    }
}
