import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Prints the public methods of each class named in a file, inherited ones included, with the class declaring them. Never judges them. */
public final class Methods {
    public static void main(String[] args) throws Exception {
        StringBuilder out = new StringBuilder();
        for (String name : Files.readAllLines(Paths.get(args[0]))) {
            Method[] methods;
            boolean functional;
            try {
                Class<?> c = Class.forName(name, false, ClassLoader.getSystemClassLoader());
                methods = c.getMethods();
                functional = c.isAnnotationPresent(FunctionalInterface.class);
            } catch (Throwable notLoadable) {
                continue;
            }
            out.append("class ").append(name).append(functional ? " functional" : "").append('\n');
            for (Method m : methods) {
                String descriptor = MethodType.methodType(m.getReturnType(), m.getParameterTypes()).toMethodDescriptorString();
                out.append(m.getName()).append(descriptor).append(' ').append(m.getDeclaringClass().getName()).append('\n');
            }
        }
        System.out.print(out);
    }
}
