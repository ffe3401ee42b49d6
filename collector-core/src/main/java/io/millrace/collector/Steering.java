package io.millrace.collector;

/** How the kernel distributes datagrams among the receivers that share a port. */
public enum Steering {
    /** By a hash of addresses and ports, the kernel's default: a source stays with one receiver, and keeps its order. */
    HASH,
    /**
     * By the CPU that received the datagram (classic BPF). With one receiver per CPU, and the queues of the network card spread
     * over the CPUs, a datagram stays on its CPU.
     */
    CPU,
    /**
     * At random (classic BPF). This divides one heavy source among all receivers. Its datagrams are then in several shards, in
     * the order of their receive times.
     */
    SPREAD
}
