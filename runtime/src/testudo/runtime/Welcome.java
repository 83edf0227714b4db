package testudo.runtime;

import java.io.File;
import java.io.IOException;

/** The answer to a greeting: who we are. Owns the protocol's version number on this side. */
final class Welcome {
    static final int KIND = 0x81;
    static final int VERSION = 4;

    private Welcome() {}

    static Output message() {
        Output welcome = new Output(64);
        welcome.v(VERSION);
        welcome.str(System.getProperty("java.version"));
        welcome.v(pid());
        return welcome;
    }

    /** By the file system where it tells, because the JDK's way starts up far more than a number is worth. */
    private static long pid() {
        try {
            return Long.parseLong(new File("/proc/self").getCanonicalFile().getName());
        } catch (IOException | NumberFormatException noSuchFileSystem) {
            return ProcessHandle.current().pid();
        }
    }
}
