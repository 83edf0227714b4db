import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/** Runs the test methods of the classes given and prints one line for each: name and outcome. */
public class RunTests {
    public static void main(String[] args) throws Exception {
        for (String name : args) {
            Class<?> type = Class.forName(name);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                boolean test = false;
                for (Annotation a : method.getAnnotations()) test |= a.annotationType().getSimpleName().equals("Test");
                if (!test) continue;
                method.setAccessible(true);
                try {
                    method.invoke(constructor.newInstance());
                    System.out.println(method.getName() + ": passed");
                } catch (InvocationTargetException e) {
                    System.out.println(method.getName() + ": " + e.getCause());
                }
            }
        }
    }
}
