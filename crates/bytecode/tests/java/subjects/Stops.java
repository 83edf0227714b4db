/** Calls that are redirected, directly and through handles; and one that is not, because it is a super call. */
public class Stops {
    interface Stop {
        void now(int status);
    }

    static class Base extends Stops {
        void exit(int status) {
            System.out.println("base " + status);
        }
    }

    static class Derived extends Base {
        @Override
        void exit(int status) {
            super.exit(status + 1);
        }
    }

    public static void main(String[] args) throws Exception {
        System.exit(3);
        Runtime.getRuntime().exit(4);
        Runtime.getRuntime().halt(5);
        Thread.sleep(600000L);
        System.setProperty("stops", "yes");
        Stop stop = System::exit;
        stop.now(6);
        Stop halt = Runtime.getRuntime()::halt;
        halt.now(9);
        new Derived().exit(7);
        System.out.println("still here " + System.getProperty("stops"));
    }
}
