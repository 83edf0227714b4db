package testudo.runtime;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Logger;

/**
 * Calls that reach outside, as instrumented code announces them right before it makes them. Owns what is asked about their arguments, rule by rule of the table {@code reach.txt}, and calls by reflection; runs no code under test.
 */
public final class Marks {
    private static final long FILE_PATH = Memory.UNSAFE.objectFieldOffset(File.class, "path");
    /** Variables that are set on most machines; ours has few. */
    private static final Set<String> USUAL_VARIABLES = new HashSet<String>(Arrays.asList(
            "PATH", "HOME", "USER", "USERNAME", "LOGNAME", "SHELL", "LANG", "LC_ALL", "PWD", "TERM", "TMPDIR", "TEMP", "TMP", "JAVA_HOME", "HOSTNAME", "COMPUTERNAME",
            "USERPROFILE", "APPDATA", "OS", "CI", "DISPLAY", "EDITOR", "TZ", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "HTTP_PROXY",
            "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
            "SSH_AUTH_SOCK", "GITHUB_ACTIONS", "GITHUB_TOKEN", "GITHUB_WORKSPACE"));
    private static final String[] KINDS = {"FILES", "NETWORK", "PROGRAM", "PROCESS", "IPC", "OTHER", "STATE", "LOOKS"};
    private static final String OURS = "testudo.runtime.";

    /** Files below these belong to the class path, which is the same everywhere. */
    private static String[] classPath = {};
    /** The table's rows by owner, read when reflection is first used. */
    private static Map<String, List<String[]>> rows;

    private Marks() {}

    static void classPath(String[] entries) {
        classPath = entries;
    }

    // What code calls.

    public static void always(int kinds, String call) {
        if ((kinds & Reach.STATE) != 0) State.suspected = true;
        Reach.mark(kinds, call);
    }

    public static void lasting(int kinds, String call) {
        State.lasts = true;
        Reach.mark(kinds, call);
    }

    public static void suspect(int kinds, String call) {
        State.suspected = true;
    }

    public static void path(Object path, int kinds, String call) {
        if (isThere(path)) Reach.mark(kinds, call);
    }

    public static void mode(Object path, Object mode, int kinds, String call) {
        if ("r".equals(mode)) path(path, Reach.LOOKS, call);
        else Reach.mark(kinds, call);
    }

    public static void options(Object path, Object options, int kinds, String call) {
        Object[] each = options instanceof OpenOption[] ? (OpenOption[]) options : null;
        // Sets may be of the code under test: nobody asks them.
        if (each == null) Reach.mark(kinds, call);
        else if (each.length == 0 || each.length == 1 && each[0] == StandardOpenOption.READ) path(path, Reach.LOOKS, call);
        else Reach.mark(kinds, call);
    }

    public static void host(Object host, int kinds, String call) {
        if (host instanceof String && !isAddress((String) host)) Reach.mark(kinds | Reach.LOOKS, call);
    }

    public static void url(Object receiver, int kinds, String call) {
        // The call will throw, and nothing else.
        if (receiver == null) return;
        URL url = receiver instanceof URLConnection ? ((URLConnection) receiver).getURL() : receiver instanceof URL ? (URL) receiver : null;
        String protocol = url == null ? null : url.getProtocol();
        if ("jar".equals(protocol) || "jrt".equals(protocol)) return;
        if ("file".equals(protocol) && (url.getHost() == null || url.getHost().isEmpty())) path(url.getPath(), Reach.LOOKS, call);
        else Reach.mark(kinds, call);
    }

    public static void env(Object name, int kinds, String call) {
        if (name instanceof String && (USUAL_VARIABLES.contains(name) || System.getenv((String) name) != null)) Reach.mark(kinds, call);
    }

    public static void logs(Object logger, int kinds, String call) {
        if (logger instanceof Logger && "".equals(((Logger) logger).getName())) lasting(kinds, call);
    }

    public static void name(Object name, int kinds, String call) {
        if (name instanceof String && ((String) name).startsWith(OURS)) Marks.<RuntimeException>refuse((String) name);
    }

    public static void member(Object member, int kinds, String call) {
        if (member instanceof Method) called(((Method) member).getDeclaringClass(), ((Method) member).getName());
        else if (member instanceof Constructor) called(((Constructor<?>) member).getDeclaringClass(), "<init>");
        else if (member instanceof Class) called((Class<?>) member, "<init>");
    }

    public static void lookup(Object type, Object name, int kinds, String call) {
        if (type instanceof Class) called((Class<?>) type, name instanceof String ? (String) name : "<init>");
    }

    // What they are asked.

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void refuse(String name) throws T {
        throw (T) new ClassNotFoundException(name);
    }

    /** Whether a file is there that need not be there elsewhere. A path of somebody else's file system is none. */
    private static boolean isThere(Object path) {
        String name;
        if (path instanceof String) name = (String) path;
        else if (path instanceof File) name = (String) Memory.reference(path, FILE_PATH);
        else if (path instanceof Path && path.getClass().getName().startsWith("sun.nio.fs.")) name = path.toString();
        else return false;
        if (name == null) return false;
        for (String entry : classPath) {
            if (!entry.isEmpty() && (name.equals(entry) || name.startsWith(entry + File.separator)) && !name.contains("..")) return false;
        }
        // The empty path is the folder at hand for some and no file for others.
        return path instanceof Path && name.isEmpty() || new File(name).exists();
    }

    /** Nothing has to be asked about it. */
    private static boolean isAddress(String host) {
        if (host.isEmpty() || host.indexOf(':') >= 0) return true;
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c != '.' && (c < '0' || c > '9')) return false;
        }
        return true;
    }

    /** By reflection; what its arguments are is not asked. */
    private static void called(Class<?> type, String name) {
        State.suspected = true;
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (inTable(at, name)) return;
            for (Class<?> implemented : at.getInterfaces()) {
                if (inTable(implemented, name)) return;
            }
            if (name.equals("<init>")) return;
        }
    }

    private static boolean inTable(Class<?> type, String name) {
        // All of them are the JDK's.
        if (type.getClassLoader() instanceof TargetLoader) return false;
        List<String[]> found = table().get(type.getName().replace('.', '/'));
        if (found == null) return false;
        for (String[] row : found) {
            boolean asks = row[1].startsWith("member") || row[1].startsWith("name") || row[1].startsWith("lookup") || row[1].startsWith("logs");
            if (asks || row[1].equals("suspect")) continue;
            for (int i = 3; i < row.length; i++) {
                int end = row[i].indexOf('(');
                String member = end < 0 ? row[i] : row[i].substring(0, end);
                boolean matches = member.endsWith("*") ? !name.equals("<init>") && name.startsWith(member.substring(0, member.length() - 1)) : member.equals(name);
                if (!matches) continue;
                if (row[1].equals("lasting")) State.lasts = true;
                Reach.mark(1 << Arrays.asList(KINDS).indexOf(row[0]), name.equals("<init>") ? type.getName() : type.getName() + "." + name);
                return true;
            }
        }
        return false;
    }

    private static synchronized Map<String, List<String[]>> table() {
        if (rows != null) return rows;
        Map<String, List<String[]>> read = new HashMap<String, List<String[]>>();
        InputStream in = Marks.class.getResourceAsStream("reach.txt");
        if (in == null) throw new IllegalStateException("the table of calls that reach outside is not in the jar");
        try {
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, "UTF-8"));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() || line.startsWith("#")) continue;
                String[] words = line.split(" ");
                List<String[]> ofOwner = read.get(words[2]);
                if (ofOwner == null) read.put(words[2], ofOwner = new ArrayList<String[]>());
                ofOwner.add(words);
            }
            lines.close();
        } catch (IOException broken) {
            throw new IllegalStateException("the table of calls that reach outside cannot be read", broken);
        }
        return rows = read;
    }
}
