/** Prints what the method f of class Old gives for -3 to 6. The class is made by the test, so it is called by reflection. */
public class CallOld {
    public static void main(String[] args) throws Exception {
        java.lang.reflect.Method f = Class.forName("Old").getMethod("f", int.class);
        StringBuilder out = new StringBuilder();
        for (int x = -3; x <= 6; x++) {
            out.append(x == -3 ? "" : " ").append(f.invoke(null, x));
        }
        System.out.println(out);
    }
}
