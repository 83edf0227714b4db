package testudo.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** The words in shared memory that tell where a worker was when it died. Owns their layout; costs one plain store each and never a system call. */
final class Progress {
    private static final int SIZE = 16;

    /** Kept alive because its memory is written by address. */
    private final MappedByteBuffer buffer;
    private final Object base;
    private final long address;
    private int generation;

    private Progress(MappedByteBuffer buffer, Object base, long address) {
        this.buffer = buffer;
        this.base = base;
        this.address = address;
    }

    static Progress open() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile("/dev/fd/6", "rw")) {
            MappedByteBuffer buffer = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
            return new Progress(buffer, null, Memory.address(buffer));
        }
    }

    /** Words nobody reads. */
    static Progress nowhere() {
        return new Progress(null, new int[SIZE / 4], Memory.INTS);
    }

    void batch(int number) {
        Memory.UNSAFE.putInt(base, address, number);
    }

    /** Counts from 1; 0 is "between batches". */
    void sequence(int index) {
        Memory.UNSAFE.putInt(base, address + 8, 0);
        Memory.UNSAFE.putInt(base, address + 4, index);
        Memory.UNSAFE.putInt(base, address + 12, ++generation);
    }

    void statement(int number) {
        Memory.UNSAFE.putInt(base, address + 8, number);
    }
}
