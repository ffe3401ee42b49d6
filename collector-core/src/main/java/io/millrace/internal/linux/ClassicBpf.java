package io.millrace.internal.linux;

import io.netty.channel.unix.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program of classic BPF ({@code linux/filter.h}) for a socket option: a {@code struct sock_fprog}, which is the
 * number of instructions and the address of the first. The kernel copies the program when it is attached.
 */
public final class ClassicBpf {
    private static final int INSTRUCTION_BYTES = 8;
    private static final int PROGRAM_BYTES = 16;
    private static final int ADDRESS_OFFSET = 8;

    private static final int LOAD_WORD = 0x20;
    private static final int MODULO = 0x94;
    private static final int RETURN_CONSTANT = 0x06;
    private static final int RETURN_RESULT = 0x16;

    /** {@code SKF_AD_OFF}: offsets from here on load ancillary data of the kernel instead of packet bytes. */
    private static final int ANCILLARY = -0x1000;

    private static final int CPU = ANCILLARY + 36;
    private static final int RANDOM = ANCILLARY + 56;

    private final ByteBuffer instructions;
    private final ByteBuffer program = direct(PROGRAM_BYTES);

    private ClassicBpf(long... codesAndConstants) {
        instructions = direct(codesAndConstants.length * INSTRUCTION_BYTES);
        for (long instruction : codesAndConstants) {
            instructions.putLong(instruction);
        }
        program.putShort(0, (short) codesAndConstants.length);
        program.putLong(ADDRESS_OFFSET, Buffer.memoryAddress(instructions));
    }

    /** Keeps 0 bytes of every packet, so the kernel drops it. */
    public static ClassicBpf refuseAll() {
        return new ClassicBpf(instruction(RETURN_CONSTANT, 0));
    }

    /**
     * Returns the number of a socket in a group: the CPU that runs the receive softirq, modulo the number of sockets.
     */
    public static ClassicBpf chooseByCpu(int sockets) {
        return choose(CPU, sockets);
    }

    /** Returns a random number of a socket in a group. */
    public static ClassicBpf chooseRandom(int sockets) {
        return choose(RANDOM, sockets);
    }

    private static ClassicBpf choose(int value, int sockets) {
        return new ClassicBpf(
                instruction(LOAD_WORD, value), instruction(MODULO, sockets), instruction(RETURN_RESULT, 0));
    }

    /** The value of the socket option. It points to memory of this object: keep the object until the option is set. */
    public ByteBuffer program() {
        return program;
    }

    /**
     * {@code struct sock_filter}: code u16, two jumps u8 that are not used here, constant u32; in native byte order.
     */
    private static long instruction(int code, int constant) {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? Integer.toUnsignedLong(constant) << 32 | code
                : (long) code << 48 | Integer.toUnsignedLong(constant);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
