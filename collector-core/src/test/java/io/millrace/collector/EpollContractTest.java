package io.millrace.collector;

/** The contract of transports, for {@code epoll}. */
class EpollContractTest extends TransportContract {
    @Override
    protected String transport() {
        return "epoll";
    }

    @Override
    protected boolean isOnEpoll() {
        return true;
    }
}
