package io.millrace.app.doctor;

import java.util.Locale;

/** Everything that can be found: the one table of ids, what is looked at, and why it loses datagrams. */
public enum Diagnosis {
    /** Is the buffer granted, and how long does it last. */
    RECEIVE_BUFFER(
            "`net.core.rmem_max` and the capability `CAP_NET_ADMIN`, against `receive.receiveBuffer`",
            "While the receiver does not run (the scheduler, a garbage collection, a slow disk), datagrams wait in the"
                    + " socket's buffer; when that is full the kernel drops them. The kernel grants net.core.rmem_max at"
                    + " most, unless the process has CAP_NET_ADMIN, and charges each datagram with the memory it takes, not"
                    + " with its length."),
    /** The kernel's limit for all UDP sockets. */
    UDP_MEMORY(
            "`net.ipv4.udp_mem`, against the buffers of all sockets of the configuration",
            "Above the first value of net.ipv4.udp_mem the kernel gives UDP sockets no more memory, and drops, though a"
                    + " socket's own buffer has room: UDP knows no memory pressure, so the second and third value do not"
                    + " help."),
    /** Drops of the service's own sockets. */
    SOCKET_DROPS(
            "the drops of the sockets on the configured ports (`/proc/net/udp`, `udp6`)",
            "The kernel counts what it drops at a socket, mostly because its buffer was full."),
    /** RcvbufErrors. */
    UDP_BUFFER_ERRORS(
            "`RcvbufErrors` of UDP (`/proc/net/snmp`, `snmp6`)",
            "Datagrams reached a socket of this host whose buffer was full. The figure is of all programs; if the service"
                    + " runs and its own sockets dropped nothing, it is of others, or of earlier."),
    /** MemErrors. */
    UDP_MEMORY_ERRORS(
            "`MemErrors` of UDP",
            "Datagrams were dropped because the kernel gave UDP no more memory: net.ipv4.udp_mem, or the memory limit of a"
                    + " container, was reached."),
    /** InCsumErrors. */
    UDP_CHECKSUM_ERRORS(
            "`InCsumErrors` of UDP",
            "Datagrams with a wrong checksum are discarded: they were damaged on the way, or sent wrong. No setting of this"
                    + " host brings them back."),
    /** NoPorts. */
    UDP_NO_PORT(
            "`NoPorts` of UDP",
            "Datagrams came for a port nobody listened on: other programs', or this one's while the service was stopped."),
    /** Somebody else has the port. */
    LISTEN_PORT(
            "who has the configured ports",
            "Of two programs on a port the second cannot start; with SO_REUSEPORT of one user they share its datagrams, and"
                    + " each gets a part."),
    /** Ports below 1024. */
    LISTEN_PERMISSION(
            "ports below `net.ipv4.ip_unprivileged_port_start`, and the capability `CAP_NET_BIND_SERVICE`",
            "Without the capability the kernel refuses a port below net.ipv4.ip_unprivileged_port_start: the service does not"
                    + " start."),
    /** The interfaces that datagrams come in on. */
    INTERFACES(
            "which interfaces are up and carry the configured addresses",
            "Datagrams come in on interfaces that are up. An address no interface has cannot be listened on."),
    /** Missed by the card. */
    NIC_DROPS(
            "`rx_missed_errors`, `rx_fifo_errors`, `rx_over_errors` of the interface, and the counters of `ethtool -S` that"
                    + " mean no buffer or no room",
            "The network card had a packet and no free buffer in its ring: the kernel did not take packets out in time. No"
                    + " socket ever sees them."),
    /** Ring size. */
    NIC_RING(
            "the receive ring (`ethtool -g`)",
            "The ring holds what arrives until the kernel polls the card. Polling can be late by milliseconds: other"
                    + " softirqs, a busy CPU, a hypervisor that runs somebody else."),
    /** Interrupt coalescing. */
    NIC_COALESCING(
            "interrupt coalescing (`ethtool -c`), against ring and rate",
            "The card waits that long before it interrupts; what arrives meanwhile has to fit into the ring."),
    /** Number of queues. */
    NIC_QUEUES(
            "the number of receive queues (`ethtool -l`), against CPUs and rate",
            "A queue is emptied by one CPU at a time, which costs it about a microsecond or more a datagram, up to"
                    + " the socket. Above that, the ring overflows while other CPUs are idle."),
    /** Fields of the hash. */
    NIC_HASH(
            "the fields the card hashes for UDP (`ethtool -n DEV rx-flow-hash udp4`, `udp6`)",
            "The hash chooses the queue. Without the ports in it, all that one address sends (a relay, a NAT gateway, a load"
                    + " generator) goes to one queue and so to one CPU."),
    /** Receive packet steering. */
    NIC_RPS(
            "receive packet steering (`/sys/class/net/DEV/queues/rx-*/rps_cpus`)",
            "With a single queue, one CPU does all the kernel's work of receiving, unless RPS hands packets on to"
                    + " others."),
    /** Interrupts on one CPU. */
    NIC_INTERRUPTS(
            "which CPUs took the interrupts of the card's queues (`/proc/interrupts`)",
            "The CPU that takes a queue's interrupt also polls the queue. If one takes all of them, several queues are"
                    + " worth no more than one."),
    /** NUMA. */
    NIC_NUMA(
            "the NUMA node of the card, against `receive.receiverCpus`",
            "A receiver on another node reads every datagram over the link between the nodes. That costs CPU time, and"
                    + " loses nothing by itself."),
    /** Generic receive offload. */
    NIC_GRO(
            "generic receive offload (`ethtool -k`), if `receive.gro` is on",
            "GRO batches are put together by GRO of the interface. Without it `receive.gro` gains nothing; nothing is"
                    + " lost."),
    /** Backlog drops. */
    SOFTNET_DROPS(
            "the second column of `/proc/net/softnet_stat`",
            "The backlog of a CPU was full (net.core.netdev_max_backlog), and packets were dropped before any socket"
                    + " saw them."),
    /** Backlog size. */
    SOFTNET_BACKLOG(
            "`net.core.netdev_max_backlog`, where packets go through a backlog: RPS, loopback, virtual interfaces with none below",
            "A backlog of a CPU holds packets until its softirq runs; what does not fit is dropped."),
    /** Squeezes. */
    SOFTNET_SQUEEZES(
            "the third column of `/proc/net/softnet_stat`, `net.core.netdev_budget` and `netdev_budget_usecs`",
            "The kernel stopped polling with work left, because the budget of packets or of time was used up. What is left"
                    + " waits in rings and backlogs, which overflow if that happens often."),
    /** Flow limit. */
    SOFTNET_FLOW_LIMIT(
            "the eleventh column of `/proc/net/softnet_stat`, and `net.core.flow_limit_cpu_bitmap`",
            "The flow limit drops packets of the heaviest flow as soon as a backlog is half full, to protect the others. For"
                    + " a collector the heaviest sender is no offender."),
    /** Fragments. */
    IP_REASSEMBLY(
            "`ReasmFails` of IP (`/proc/net/snmp`, `snmp6`)",
            "A datagram longer than the MTU comes in fragments, and is lost as a whole when one is missing, or when the memory"
                    + " for fragments (ipfrag_high_thresh) is used up."),
    /** Connection tracking. */
    CONNTRACK(
            "connection tracking: entries, their limit and drops (`/proc/sys/net/netfilter`,"
                    + " `/proc/net/stat/nf_conntrack`)",
            "Each source address and port takes an entry for half a minute or more. When the table is full, datagrams of new"
                    + " sources are dropped before any socket sees them."),
    /** Kernel version. */
    KERNEL_VERSION(
            "the kernel's version, against what the configuration uses",
            "`SO_MEMINFO` (drops of a socket) came with Linux 4.12, steering by BPF with 4.5, `UDP_GRO` with 5.0."),
    /** File system. */
    DATA_FILE_SYSTEM(
            "the file system of the data directory (`/proc/self/mountinfo`)",
            "The journal is mapped into memory: on a network file system a page waits for the network, and the receiver with"
                    + " it. A tmpfs and a container's own layer (overlay) go with the host or the container, and what is"
                    + " journaled with them."),
    /** Free space. */
    DATA_SPACE(
            "free space for the journal (`stat -f`)",
            "When the disk has no room for what comes next, Millrace stops reading, and the kernel drops, or with"
                    + " whenFull drop-oldest deletes. Old files go only where `journal.retention` says so."),
    /** Inodes. */
    DATA_INODES(
            "free inodes of the data directory's file system (`stat -f`)",
            "Without an inode no file of the journal can be made, as without space."),
    /** Disk speed. */
    DATA_SPEED(
            "how fast the disk takes synced writes: up to 64 MiB or two seconds are written, and deleted"
                    + " (not with `--no-disk-test`)",
            "The kernel writes the journal's pages later. If the disk is slower than they come for long, the writer has to"
                    + " wait for it, the slabs fill, the receiver stops reading, and the kernel drops."),
    /** Limit of memory. */
    MEMORY_LIMIT(
            "the memory limit of the control group, against heap, slabs and socket buffers",
            "A process that reaches the limit is killed, and the slabs that are not journaled go with it. In a control group"
                    + " of version 2 the kernel's socket buffers count too, and datagrams that do not fit are dropped."),
    /** Limit of CPU time. */
    CPU_LIMIT(
            "the CPU limit of the control group (`cpu.max`, `cpu.stat`), against the threads that receive",
            "A group that has used up its quota stands still until the next period, mostly up to 100 ms, and its sockets are"
                    + " not read."),
    /** Number of CPUs. */
    PROCESSORS(
            "the CPUs the process may run on, against the threads that receive",
            "Threads that share a CPU wait for each other, for some milliseconds a turn; the sockets' buffers have to"
                    + " last that long."),
    /** File descriptors. */
    FILE_LIMIT(
            "the limit of open files, against sockets, journal and outputs",
            "Without a descriptor no socket can be opened, and no file of the journal."),
    /** Swap. */
    SWAP(
            "swap in use (`/proc/swaps`), and of the service (`VmSwap`)",
            "A page of the heap or of a slab that was swapped out is read from the disk when it is touched, and its thread"
                    + " stands still meanwhile."),
    /** Clock. */
    CLOCK(
            "whether the clock is synchronised (`chronyc`, `timedatectl`, systemd-timesyncd)",
            "Receive times are this host's. A wrong clock loses nothing, but a search by time finds the wrong datagrams."),
    /** A tool that is not installed. */
    MISSING_TOOL(
            "tools that are not installed, with what could not be looked at without them",
            "What could not be looked at may be good or not.");

    private final String looksAt;
    private final String why;

    Diagnosis(String looksAt, String why) {
        this.looksAt = looksAt;
        this.why = why;
    }

    /** The stable name: {@code receive-buffer}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is looked at, as Markdown. */
    String looksAt() {
        return looksAt;
    }

    /** Why it loses datagrams. */
    public String why() {
        return why;
    }
}
