package io.millrace.transport;

/** How the kernel chooses among the receivers that share a port. */
public enum Steering {
    /** By a hash of addresses and ports: a source stays with one receiver, and keeps its order. The kernel's default. */
    HASH,
    /**
     * By the CPU the datagram came in on (classic BPF): with one receiver a CPU, and the network card's
     * queues spread over them, a datagram stays on its CPU.
     */
    CPU,
    /**
     * At random (classic BPF): splits one heavy source over all receivers. Its datagrams are then in several shards, and
     * their order is that of the receive times.
     */
    SPREAD
}
