import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Prints what reflection says about each class named in a file, one sorted line per fact. Owns the words of that form; never judges it. */
public final class Reflect {
    public static void main(String[] args) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String name : Files.readAllLines(Paths.get(args[0]))) {
            List<String> lines;
            try {
                lines = describe(Class.forName(name, false, ClassLoader.getSystemClassLoader()));
            } catch (Throwable notLoadable) {
                continue;
            }
            out.append("class ").append(name).append('\n');
            for (String line : lines) {
                out.append(line).append('\n');
            }
        }
        System.out.write(out.toString().getBytes("UTF-8"));
        System.out.flush();
    }

    private static List<String> describe(Class<?> c) {
        List<String> lines = new ArrayList<>();
        lines.add("flags " + (c.getModifiers() & 0x7fdf) + deprecated(c));
        if (c.getSuperclass() != null) {
            lines.add("super " + type(c.getGenericSuperclass()));
        }
        for (Type i : c.getGenericInterfaces()) {
            lines.add("interface " + type(i));
        }
        lines.add("params " + variables(c.getTypeParameters()));
        lines.add("host " + c.getNestHost().getName());
        if (c.isMemberClass()) {
            lines.add("member of " + c.getDeclaringClass().getName() + " as " + c.getSimpleName());
        } else if (c.isLocalClass()) {
            lines.add("local in " + c.getEnclosingClass().getName() + " as " + c.getSimpleName());
        } else if (c.isAnonymousClass()) {
            lines.add("anonymous in " + c.getEnclosingClass().getName());
        }
        for (Class<?> member : c.getDeclaredClasses()) {
            lines.add("has " + member.getName());
        }
        if (c.isSealed()) {
            for (Class<?> permitted : c.getPermittedSubclasses()) {
                lines.add("permits " + permitted.getName());
            }
        }
        if (c.isRecord()) {
            for (RecordComponent r : c.getRecordComponents()) {
                lines.add("component " + r.getName() + " " + type(r.getGenericType()));
            }
        }
        for (Field f : c.getDeclaredFields()) {
            lines.add("field " + f.getModifiers() + " " + f.getName() + " " + f.getType().descriptorString() + " "
                    + type(f.getGenericType()) + deprecated(f));
        }
        boolean plain = !c.isEnum() && !c.isLocalClass() && !c.isAnonymousClass()
                && (!c.isMemberClass() || (c.getModifiers() & 8) != 0);
        for (Constructor<?> k : c.getDeclaredConstructors()) {
            lines.add(executable(k, "<init>", void.class, void.class, plain));
        }
        for (Method m : c.getDeclaredMethods()) {
            lines.add(executable(m, m.getName(), m.getReturnType(), m.getGenericReturnType(), true));
        }
        Collections.sort(lines);
        return lines;
    }

    private static String executable(Executable e, String name, Class<?> result, Type genericResult, boolean generic) {
        StringBuilder s = new StringBuilder("method ").append(e.getModifiers()).append(' ').append(name).append('(');
        for (Class<?> p : e.getParameterTypes()) {
            s.append(p.descriptorString());
        }
        s.append(')').append(result.descriptorString());
        if (generic) {
            s.append(' ').append(variables(e.getTypeParameters())).append('(');
            for (Type p : e.getGenericParameterTypes()) {
                s.append(type(p));
            }
            s.append(')').append(type(genericResult));
        }
        for (Class<?> t : e.getExceptionTypes()) {
            s.append(" throws ").append(t.getName());
        }
        return s.append(deprecated(e)).toString();
    }

    private static String deprecated(AnnotatedElement e) {
        return e.isAnnotationPresent(Deprecated.class) ? " deprecated" : "";
    }

    private static String variables(TypeVariable<?>[] variables) {
        StringBuilder s = new StringBuilder("<");
        for (TypeVariable<?> v : variables) {
            s.append(v.getName());
            for (Type bound : v.getBounds()) {
                s.append(':').append(type(bound));
            }
        }
        return s.append('>').toString();
    }

    private static String type(Type t) {
        if (t instanceof Class) {
            return ((Class<?>) t).descriptorString();
        } else if (t instanceof TypeVariable) {
            return "T" + ((TypeVariable<?>) t).getName() + ";";
        } else if (t instanceof GenericArrayType) {
            return "[" + type(((GenericArrayType) t).getGenericComponentType());
        }
        ParameterizedType p = (ParameterizedType) t;
        StringBuilder s = new StringBuilder("L").append(((Class<?>) p.getRawType()).getName().replace('.', '/'));
        StringBuilder outer = new StringBuilder();
        outerArguments(p.getOwnerType(), outer);
        if (outer.length() > 0) {
            s.append('^').append(outer);
        }
        return s.append(arguments(p)).append(';').toString();
    }

    private static void outerArguments(Type owner, StringBuilder s) {
        if (owner instanceof ParameterizedType) {
            outerArguments(((ParameterizedType) owner).getOwnerType(), s);
            s.append(arguments((ParameterizedType) owner));
        }
    }

    private static String arguments(ParameterizedType p) {
        StringBuilder s = new StringBuilder();
        for (Type a : p.getActualTypeArguments()) {
            if (a instanceof WildcardType) {
                WildcardType w = (WildcardType) a;
                if (w.getLowerBounds().length > 0) {
                    s.append('-').append(type(w.getLowerBounds()[0]));
                } else if (w.getUpperBounds()[0] == Object.class) {
                    s.append('*');
                } else {
                    s.append('+').append(type(w.getUpperBounds()[0]));
                }
            } else {
                s.append('=').append(type(a));
            }
        }
        return s.toString();
    }
}
