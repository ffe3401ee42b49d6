package io.millrace.app.doctor;

import java.util.Locale;

/** The diagnoses: the only table of ids, subjects, and reasons for a loss. */
public enum Diagnosis {
    RECEIVE_BUFFER(
            "`net.core.rmem_max` and the capability `CAP_NET_ADMIN`, against `receive.receiveBuffer`",
            "While the receiver does not run (the scheduler, a garbage collection, a slow disk), datagrams wait in the"
                    + " socket's buffer; when that is full the kernel drops them. The kernel grants net.core.rmem_max at"
                    + " most, unless the process has CAP_NET_ADMIN, and charges each datagram with the memory it takes, not"
                    + " with its length."),
    UDP_MEMORY(
            "`net.ipv4.udp_mem`, against the buffers of all sockets of the configuration",
            "Above the first value of net.ipv4.udp_mem the kernel gives UDP sockets no more memory, and drops, though a"
                    + " socket's own buffer has room: UDP knows no memory pressure, so the second and third value do not"
                    + " help."),
    SOCKET_DROPS(
            "the drops of the sockets on the configured ports (`/proc/net/udp`, `udp6`)",
            "The kernel counts what it drops at a socket, mostly because its buffer was full."),
    UDP_BUFFER_ERRORS(
            "`RcvbufErrors` of UDP (`/proc/net/snmp`, `snmp6`)",
            "Datagrams reached a socket of this host whose buffer was full. The count covers all programs; if the"
                    + " service runs and its own sockets dropped nothing, the drops are of other programs or earlier."),
    UDP_MEMORY_ERRORS(
            "`MemErrors` of UDP",
            "Datagrams were dropped because the kernel gave UDP no more memory: net.ipv4.udp_mem, or the memory limit of a"
                    + " container, was reached."),
    UDP_CHECKSUM_ERRORS(
            "`InCsumErrors` of UDP",
            "Datagrams with a wrong checksum are discarded: they were damaged in transit, or sent wrong. No"
                    + " setting of this host can recover them."),
    UDP_NO_PORT(
            "`NoPorts` of UDP",
            "Datagrams arrived for a port without a listener: of other programs, or of the service while it was"
                    + " stopped."),
    TCP_BACKLOG(
            "`net.core.somaxconn` and `net.ipv4.tcp_max_syn_backlog`, if an input is TCP",
            "New connections wait in a queue until they are accepted. When it is full, the kernel ignores further ones, and"
                    + " their senders retry after 1 s or more."),
    TCP_LISTEN_DROPS(
            "`ListenOverflows` and `ListenDrops` of TCP (`/proc/net/netstat`), if an input is TCP",
            "The kernel ignored attempts to connect, mostly because a queue was full. No message is lost by that, but senders"
                    + " wait. The count covers all programs."),
    TCP_MEMORY(
            "`net.ipv4.tcp_mem`, against the memory in use (`/proc/net/sockstat`), if an input is TCP",
            "Above the second value of net.ipv4.tcp_mem the kernel makes the buffers of all connections smaller, which slows"
                    + " senders down; above the third it resets connections."),
    LISTEN_PORT(
            "the owners of the configured ports",
            "Only one program can bind a port; with SO_REUSEPORT, programs of one user share its datagrams, and"
                    + " each gets a part."),
    LISTEN_PERMISSION(
            "ports below `net.ipv4.ip_unprivileged_port_start`, and the capability `CAP_NET_BIND_SERVICE`",
            "Without the capability the kernel refuses a port below net.ipv4.ip_unprivileged_port_start: the service does not"
                    + " start."),
    INTERFACES(
            "which interfaces are up and carry the configured addresses",
            "Only interfaces that are up receive datagrams. An address without an interface cannot be listened"
                    + " on."),
    NIC_DROPS(
            "`rx_missed_errors`, `rx_fifo_errors`, `rx_over_errors` of the interface, and the counters of `ethtool -S` that"
                    + " mean no buffer or no room",
            "The network card had a packet and no free buffer in its ring: the kernel did not take packets out in time. No"
                    + " socket ever sees them."),
    NIC_RING(
            "the receive ring (`ethtool -g`)",
            "The ring holds packets until the kernel polls the card. Polling can be late by milliseconds: other"
                    + " softirqs, a busy CPU, a hypervisor that runs other guests."),
    NIC_COALESCING(
            "interrupt coalescing (`ethtool -c`), against ring and rate",
            "The card delays interrupts by that time; packets that arrive meanwhile must fit into the ring."),
    NIC_QUEUES(
            "the number of receive queues (`ethtool -l`), against CPUs and rate",
            "One CPU at a time processes a queue, at a cost of about 1 µs or more per datagram up to the socket."
                    + " Above its capacity, the ring overflows while other CPUs are idle."),
    NIC_HASH(
            "the fields the card hashes for UDP (`ethtool -n DEV rx-flow-hash udp4`, `udp6`)",
            "The hash chooses the queue. Without the ports in it, all that one address sends (a relay, a NAT gateway, a load"
                    + " generator) goes to one queue and so to one CPU."),
    NIC_RPS(
            "receive packet steering (`/sys/class/net/DEV/queues/rx-*/rps_cpus`)",
            "With a single queue, one CPU does all receive work of the kernel, unless RPS distributes packets to"
                    + " other CPUs."),
    NIC_INTERRUPTS(
            "which CPUs took the interrupts of the card's queues (`/proc/interrupts`)",
            "The CPU that takes a queue's interrupt also polls the queue. If one takes all of them, several queues are"
                    + " worth no more than one."),
    NIC_NUMA(
            "the NUMA node of the card, against `receive.receiverCpus`",
            "A receiver on another node reads every datagram over the link between the nodes. That costs CPU"
                    + " time, but loses nothing by itself."),
    NIC_GRO(
            "generic receive offload (`ethtool -k`), if `receive.gro` is on",
            "GRO of the interface creates GRO batches. Without it `receive.gro` gains nothing; nothing is lost."),
    SOFTNET_DROPS(
            "the second column of `/proc/net/softnet_stat`",
            "The backlog of a CPU was full (net.core.netdev_max_backlog), and packets were dropped before any socket"
                    + " saw them."),
    SOFTNET_BACKLOG(
            "`net.core.netdev_max_backlog`, where packets go through a backlog: RPS, loopback, virtual interfaces with none below",
            "A CPU's backlog holds packets until its softirq runs; further packets are dropped."),
    SOFTNET_SQUEEZES(
            "the third column of `/proc/net/softnet_stat`, `net.core.netdev_budget` and `netdev_budget_usecs`",
            "The kernel stopped polling with work left, because its budget of packets or of time was used up. The"
                    + " remaining packets wait in rings and backlogs, which overflow if that happens often."),
    SOFTNET_FLOW_LIMIT(
            "the eleventh column of `/proc/net/softnet_stat`, and `net.core.flow_limit_cpu_bitmap`",
            "The flow limit drops packets of the heaviest flow when a backlog is half full, to protect other"
                    + " flows. For a collector, a heavy sender is legitimate."),
    IP_REASSEMBLY(
            "`ReasmFails` of IP (`/proc/net/snmp`, `snmp6`)",
            "A datagram longer than the MTU arrives in fragments. It is lost completely if one is missing, or if"
                    + " the memory for fragments (ipfrag_high_thresh) is used up."),
    CONNTRACK(
            "connection tracking: entries, their limit and drops (`/proc/sys/net/netfilter`,"
                    + " `/proc/net/stat/nf_conntrack`)",
            "Each source address and port uses an entry for 30 s or more. When the table is full, datagrams of"
                    + " new sources are dropped before any socket sees them."),
    KERNEL_VERSION(
            "the kernel's version, against what the configuration uses",
            "`SO_MEMINFO` (drops of a socket) came with Linux 4.12, steering by BPF with 4.5, `UDP_GRO` with 5.0."),
    DATA_FILE_SYSTEM(
            "the file system of the data directory (`/proc/self/mountinfo`)",
            "The journal is mapped into memory: on a network file system a page waits for the network, and the"
                    + " receiver with it. A tmpfs, or a container's own layer (overlay), is deleted with the host or"
                    + " container, and the journal with it."),
    DATA_SPACE(
            "free space for the journal (`stat -f`)",
            "On a full disk, Millrace stops reading, and the kernel drops; with whenFull drop-oldest, it deletes"
                    + " old files. Otherwise old files are deleted only by `journal.retention`."),
    DATA_INODES(
            "free inodes of the data directory's file system (`stat -f`)",
            "Without a free inode no journal file can be created, as on a full disk."),
    DATA_SPEED(
            "the speed of synced writes: up to 64 MiB or two seconds are written, and deleted (not with"
                    + " `--no-disk-test`)",
            "The kernel writes the journal's pages later. If the disk is slower than the load for long, the"
                    + " writer waits for it, the slabs fill, the receiver stops reading, and the kernel drops."),
    MEMORY_LIMIT(
            "the memory limit of the control group, against heap, slabs and socket buffers",
            "A process that reaches the limit is killed, and the slabs that are not journaled are lost. In a"
                    + " control group of version 2, socket buffers of the kernel count as well, and datagrams that do not"
                    + " fit are dropped."),
    CPU_LIMIT(
            "the CPU limit of the control group (`cpu.max`, `cpu.stat`), against the threads that receive",
            "A group that has used up its quota is throttled until the next period, usually up to 100 ms, and its"
                    + " sockets are not read."),
    PROCESSORS(
            "the CPUs the process may run on, against the threads that receive",
            "Threads that share a CPU wait for each other, for some milliseconds each time; the sockets' buffers"
                    + " must last that long."),
    FILE_LIMIT(
            "the limit of open files, against sockets, journal and outputs",
            "Without a free descriptor no socket and no journal file can be opened."),
    SWAP(
            "swap in use (`/proc/swaps`), and of the service (`VmSwap`)",
            "A page of the heap or of a slab that was swapped out is read from the disk when it is accessed, and"
                    + " its thread waits meanwhile."),
    CERTIFICATE(
            "the certificates of inputs on TLS: whether they can be used, and how long they are valid",
            "When a certificate has expired, clients refuse to connect, and their messages wait or are lost there."),
    CLOCK(
            "whether the clock is synchronised (`chronyc`, `timedatectl`, systemd-timesyncd)",
            "Receive times are this host's. A wrong clock loses nothing, but a search by time finds the wrong datagrams."),
    MISSING_TOOL("tools that are not installed, and the checks that need them", "These checks have no result.");

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

    /** The subject, as Markdown. */
    String looksAt() {
        return looksAt;
    }

    public String why() {
        return why;
    }
}
