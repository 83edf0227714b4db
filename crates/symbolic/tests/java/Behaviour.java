import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import java.math.*;
/** Static methods whose results a JVM and the symbolic machine must agree on; {@link Main} prints them all. */
public class Behaviour {
  enum Color { RED, GREEN, BLUE; Color next() { return values()[(ordinal()+1)%3]; } }
  interface Shape { double area(); default String name() { return getClass().getSimpleName()+area(); } }
  record Circle(double r) implements Shape { public double area() { return 3*r*r; } }
  record Pt(int x, long y, String s, double d, float f, boolean b, char c) {}
  static class Node { int v; Node next; Node(int v, Node n) { this.v=v; next=n; } }
  static String t01() { return "hello " + 1 + 'c' + 2L + 1.5 + 2.5f + true + null; }
  static String t02() { int s=0; for (int i=0;i<1000;i++) s+=i*i%7; return ""+s; }
  static String t03() { List<Integer> l = new ArrayList<>(); for (int i=0;i<20;i++) l.add(i*37%11); Collections.sort(l); return l.toString(); }
  static String t04() { Map<String,Integer> m = new HashMap<>(); for (String s : "a b c a b a".split(" ")) m.merge(s,1,Integer::sum); return m.toString(); }
  static String t05() { return new TreeMap<>(Map.of("x",1,"y",2)).toString(); }
  static String t06() { return IntStream.range(0,20).filter(i->i%3==0).mapToObj(Integer::toString).collect(Collectors.joining(",")); }
  static String t07() { return new BigInteger("123456789012345678901234567890").pow(3).mod(BigInteger.valueOf(1000007)).toString(); }
  static String t08() { return new BigDecimal("1.10").add(new BigDecimal("2.205")).setScale(2, RoundingMode.HALF_UP).toString(); }
  static String t09() { return "a1b22c333".replaceAll("[0-9]+","#") + "x,y;z".split("[,;]").length; }
  static String t10() { try { Object o = "s"; Integer i = (Integer) o; return ""+i; } catch (ClassCastException e) { return e.getMessage(); } }
  static String t11() { try { int[] a = new int[3]; a[3]=1; return ""; } catch (ArrayIndexOutOfBoundsException e) { return e.getMessage(); } finally { System.out.println("fin"); } }
  static String t12() { try { return "" + 1/(Integer.parseInt("0")); } catch (ArithmeticException e) { return e.toString(); } }
  static String t13() { try { Integer.parseInt("x1"); return ""; } catch (NumberFormatException e) { return e.getMessage(); } }
  static String t14() { return new Pt(1,2L,"s",1.5,2.5f,true,'c').toString() + new Pt(1,2L,"s",1.5,2.5f,true,'c').hashCode() + new Pt(1,2L,"s",1.5,2.5f,true,'c').equals(new Pt(1,2L,"s",1.5,2.5f,true,'c')); }
  static String t15() { return new Circle(2).name() + Color.RED.next() + Color.valueOf("BLUE").ordinal() + EnumSet.allOf(Color.class); }
  static String t16() { Color c = Color.GREEN; switch (c) { case RED: return "r"; case GREEN: return "g"; default: return "d"; } }
  static String t17() { String s = "two"; switch (s) { case "one": return "1"; case "two": return "2"; default: return "d"; } }
  static String t18() { StringBuilder sb = new StringBuilder(); for (char ch='a'; ch<'g'; ch++) sb.insert(0,ch).append((int)ch); return sb.reverse().toString(); }
  static String t19() { return Double.toString(0.1+0.2) + " " + Float.toString(1e10f) + " " + Double.toString(1e-5) + (int)Double.NaN + (long)1e30 + (char)98 + (byte)300; }
  static String t20() { return Long.toHexString(-1L>>>4) + Integer.toBinaryString(42) + (5%-3) + (-5/3) + (1<<33) + (1L<<33) + (-7>>1) + (-7>>>28); }
  static String t21() { Function<Integer,Function<Integer,Integer>> add = a -> b -> a+b; Supplier<List<String>> s = ArrayList::new; List<String> l = s.get(); l.add("q"); return add.apply(3).apply(4) + l.toString(); }
  static String t22() { try { throw new IllegalStateException("boo", new RuntimeException("c")); } catch (RuntimeException e) { return e.getMessage()+e.getCause()+e.getStackTrace()[0].getMethodName()+e.getStackTrace()[0].getLineNumber(); } }
  static String t23() { Object o = new int[]{1,2,3}.clone(); int[][] m = new int[2][3]; m[1][2]=5; return Arrays.toString((int[])o) + Arrays.deepToString(m); }
  static String t24() { PriorityQueue<Integer> q = new PriorityQueue<>(Comparator.reverseOrder()); for (int i=0;i<8;i++) q.add(i*5%8); StringBuilder b = new StringBuilder(); while(!q.isEmpty()) b.append(q.poll()); return b.toString(); }
  static String t25() { return Optional.of(5).map(x->x*2).filter(x->x>5).orElse(0) + "" + Stream.of("b","a","c").sorted().collect(Collectors.toList()); }
  static String t26() { return Stream.of(1,2,3,4).collect(Collectors.groupingBy(x->x%2==0?"e":"o", Collectors.summingInt(x->x))).toString(); }
  static String t27() { java.util.concurrent.ConcurrentHashMap<String,Integer> m = new java.util.concurrent.ConcurrentHashMap<>(); m.put("a",1); m.computeIfAbsent("b",k->2); m.merge("a",5,Integer::sum); return m.toString(); }
  static String t28() { java.util.concurrent.atomic.AtomicInteger i = new java.util.concurrent.atomic.AtomicInteger(); i.incrementAndGet(); i.compareAndSet(1,7); java.util.concurrent.atomic.AtomicReference<String> r = new java.util.concurrent.atomic.AtomicReference<>("x"); r.compareAndSet("x","y"); return i+r.get(); }
  static String t29() { return String.format("%d-%s-%05d-%x", 5, "a", 42, 255); }
  static String t30() { return java.time.LocalDate.of(2024,2,28).plusDays(2).toString() + java.time.Duration.ofSeconds(3661); }
  static String t31() { return "Hello".toUpperCase() + "ÄÖ".toLowerCase() + "  x ".trim() + "abc".indexOf("c") + "abc".contains("bc") + "a-b".replace('-','+') + String.join("/", "a","b") + "x".repeat(3) + "abc".hashCode() + "été".length(); }
  static String t32() { BitSet b = new BitSet(); b.set(3); b.set(70); return b.toString() + b.cardinality(); }
  static String t33() { LinkedHashMap<Integer,String> m = new LinkedHashMap<>(); m.put(3,"c"); m.put(1,"a"); m.remove(3); m.put(3,"z"); return m.entrySet().iterator().next().getValue()+m; }
  static String t34() { try { Object[] a = new String[1]; a[0] = 1; return ""; } catch (ArrayStoreException e) { return e.getMessage(); } }
  static String t35() { try { int[] a = new int[-1]; return ""; } catch (NegativeArraySizeException e) { return e.getMessage(); } }
  static String t36() { try { List.of(1,2).add(3); return ""; } catch (UnsupportedOperationException e) { return "uoe" + e.getMessage(); } }
  static String t37() { Iterator<Integer> it = new ArrayList<>(List.of(1,2,3)).iterator(); int s=0; while (it.hasNext()) s+=it.next(); return ""+s; }
  static String t38() { return Math.sqrt(2)+" "+Math.abs(-3.5)+" "+Math.floor(-1.5)+" "+Math.round(2.5)+" "+Math.max(1,2)+" "+Math.pow(2,10)+" "+Math.hypot(3,4)+Math.ceil(1.2)+Math.floorMod(-3,5); }
  static String t39() { Object o = Color.BLUE; return o instanceof Color c && c.ordinal()==2 ? "blue" : "no"; }
  static String t40() { int[] a = {5,3,9,1}; Arrays.sort(a); return Arrays.toString(a)+Arrays.binarySearch(a,5)+Arrays.stream(a).sum()+Arrays.hashCode(a)+Arrays.equals(a,new int[]{1,3,5,9}); }
  static String t41() { return new java.util.Scanner("1 2 x").nextInt()+""; }
  static String t42() { StringBuilder s = new StringBuilder(); for (String x : new TreeSet<>(Arrays.asList("q","w","e"))) s.append(x); Deque<Integer> d = new ArrayDeque<>(); d.push(1); d.addLast(2); return s.toString()+d; }
  static String t43() { Random r = new Random(42); return r.nextInt(100)+" "+r.nextDouble()+" "+r.nextLong(); }
  static String t44() { return Integer.valueOf(127)==Integer.valueOf(127) ? ""+Integer.MAX_VALUE+Long.MIN_VALUE+Integer.compare(3,4)+Character.isLetter('x')+Character.isDigit('5')+Character.getNumericValue('7') : ""; }
  static String t45() { try { Objects.requireNonNull(null, "msg"); return ""; } catch (NullPointerException e) { return e.getMessage(); } }
  static String t46() { ThreadLocal<Integer> tl = ThreadLocal.withInitial(() -> 5); tl.set(tl.get()+1); return ""+tl.get(); }
  static String t47() { return Behaviour.class.getName()+int[].class.getName()+new Object(){}.getClass().getName()+Color.RED.getClass()+String[].class.getSimpleName(); }
  static String t48() { synchronized (Behaviour.class) { long h = 0; Node n = null; for (int i=0;i<100;i++) n = new Node(i,n); while(n!=null){h=h*31+n.v;n=n.next;} return ""+h; } }
  static String t49() { try { return recurse(5); } catch (StackOverflowError e) { return "so"; } }
  static class Bean<T extends Comparable<T>> { public int size = 3; private static long count = 5; protected T value; private final String name; public Bean(String name) { this.name = name; } Bean() { this("none"); } public String greet(String who, int times) { if (times < 0) throw new IllegalStateException("negative"); return name + who.repeat(times); } static double half(long x) { return x / 2.0; } }
  static String t50() { long h = 0; double x = 1e-300; for (int i=0;i<3000;i++) { x *= 1.59; h = h*31 + Double.doubleToLongBits(StrictMath.log(x)); } return h + " " + StrictMath.log(Double.MAX_VALUE) + " " + StrictMath.log(4.9e-324) + " " + StrictMath.log(1 + 0x1p-30); }
  static String t51() { return Math.log(10) + " " + Math.log(2) + " " + Math.log(1e10) + " " + Math.log(7.25e-9) + " " + Math.log(-1) + Math.log(0); }
  static String t52() throws Exception { java.lang.reflect.Field f = Bean.class.getField("size"); Bean<String> b = new Bean<>("x"); f.setInt(b, 7); f.set(b, f.getInt(b) + 1); java.lang.reflect.Field s = Bean.class.getDeclaredField("count"); s.setAccessible(true); s.setLong(null, 9L); return b.size + " " + f.get(b) + s.get(null) + f + s.getType() + Arrays.toString(Arrays.stream(Bean.class.getDeclaredFields()).map(java.lang.reflect.Field::getName).toArray()) + Bean.class.getDeclaredField("value").getGenericType(); }
  static String t53() throws Exception { java.lang.reflect.Method m = Bean.class.getMethod("greet", String.class, int.class); Object b = Bean.class.getConstructor(String.class).newInstance("hi "); String r = m.invoke(b, "yo", 3) + " " + m + m.getReturnType() + m.getParameterCount(); try { m.invoke(b, "yo", -1); } catch (java.lang.reflect.InvocationTargetException e) { r += e.getCause().getMessage(); } try { m.invoke(b, 1, 2); } catch (IllegalArgumentException e) { r += e.getMessage(); } try { m.invoke("s", "a", 2); } catch (IllegalArgumentException e) { r += e.getMessage(); } try { m.invoke(b, "a"); } catch (IllegalArgumentException e) { r += e.getMessage(); } return r + Bean.class.getDeclaredMethod("half", long.class).invoke(null, 7) + Bean.class.getDeclaredConstructor().newInstance().greet("!", 1); }
  static String t54() { Object a = java.lang.reflect.Array.newInstance(int.class, 3); java.lang.reflect.Array.set(a, 0, (short) 4); java.lang.reflect.Array.setByte(a, 1, (byte) 5); String r = "" + java.lang.reflect.Array.get(a, 0) + java.lang.reflect.Array.getLong(a, 1); try { java.lang.reflect.Array.set(a, 2, "x"); } catch (IllegalArgumentException e) { r += e.getMessage(); } try { java.lang.reflect.Array.getInt("x", 0); } catch (IllegalArgumentException e) { r += e.getMessage(); } return r; }
  static String t55() { return Arrays.toString(Bean.class.getTypeParameters()) + Bean.class.getTypeParameters()[0].getBounds()[0] + Pt.class.getRecordComponents()[2] + Pt.class.getRecordComponents().length + Bean.class.getModule().isNamed() + String.class.getModule().getName() + Bean.class.getEnclosingClass() + Modifiers.of(Bean.class); }
  static class Modifiers { static String of(Class<?> c) { return java.lang.reflect.Modifier.toString(c.getModifiers()) + c.isMemberClass() + c.getNestHost().getSimpleName(); } }
  static String t56() { return java.text.MessageFormat.format("{0} of {1}: {2}", 12345, 1.5, "x") + java.text.NumberFormat.getInstance(Locale.US).format(1234567.891) + new java.text.DecimalFormat("#,##0.00", java.text.DecimalFormatSymbols.getInstance(Locale.GERMANY)).format(9876.5); }
  static String t57() throws Exception { try { java.lang.reflect.Field f = String.class.getDeclaredField("value"); f.setAccessible(true); return "open"; } catch (RuntimeException e) { return e.getClass().getName(); } }
  static String t58() { try { ResourceBundle.getBundle("no.such.Bundle", Locale.US); return ""; } catch (MissingResourceException e) { return e.getMessage() + e.getClassName(); } }
  static class Chain { Chain next; int[] numbers; int[][] table; Chain[] row; long wide; String text; static Chain root; Chain step(int by, String... how) { return next; } static Chain none() { return null; } }
  static String nulls(Runnable... all) { StringBuilder b = new StringBuilder(); for (Runnable each : all) try { each.run(); b.append("none;"); } catch (NullPointerException e) { b.append(e.getMessage()).append(';'); } return b.toString(); }
  static String t59() { Chain c = new Chain(); int i = 3; return nulls(() -> c.text.length(), () -> c.next.next.text.isEmpty(), () -> c.step(1, "a").wide++, () -> c.next.wide = 4L, () -> c.numbers[i]++, () -> c.table[i + 1][2] = 1, () -> c.row[c.numbers[i]].step(2), () -> Chain.root.text = "", () -> Chain.none().step(3), () -> { throw (RuntimeException) (Object) c.text; }); }
  static String t60() { Chain c = new Chain(); c.row = new Chain[4]; c.table = new int[2][]; int i = 2; return nulls(() -> c.row[i].text.length(), () -> c.table[1][0] = 2, () -> { synchronized (c.text) { c.wide++; } }, () -> System.out.println(c.numbers.length), () -> { Integer n = (Integer) (Object) c.text; int k = n; }, () -> { Object o = i > 1 ? c.text : c.next; o.hashCode(); }, () -> Objects.requireNonNull(c.text), () -> { throw new NullPointerException(); }, () -> System.arraycopy(null, 0, c.row, 0, 1), () -> c.numbers.clone(), () -> { for (Chain x : c.next.row) x.step(1); }, () -> { switch (c.text) { case "a": break; default: } }); }
  static String t61() { return nulls(() -> parameters(null, 3L, null), () -> new Chain().row.equals(null), () -> "x".compareTo(null), () -> List.of("a", null), () -> new TreeMap<String, String>().put(null, ""), () -> "a".concat(null), () -> new ArrayList<>(null), () -> Integer.valueOf(3).compareTo(null)); }
  static void parameters(String first, long second, int[][] third) { if (second > 5) first.length(); else if (third == null) third[(int) second][1] = first.length(); }
  static String frames(Runnable r) { StringBuilder b = new StringBuilder(); try { r.run(); } catch (RuntimeException e) { for (StackTraceElement f : e.getStackTrace()) { if (f.getMethodName().startsWith("t6")) break; b.append(f.getClassName()).append('.').append(f.getMethodName()).append(':').append(f.getLineNumber()).append(';'); } } return b.toString(); }
  static String t62() { return frames(() -> System.arraycopy(new int[1], 0, new int[1], 0, 2)) + frames(() -> List.of(1).forEach(x -> { throw new IllegalStateException(); })) + frames(() -> java.lang.reflect.Array.getLength("")) + frames(() -> Optional.of("x").map(x -> x.charAt(3))); }
  static String t63() { Currency c = Currency.getInstance("EUR"); return c.getSymbol(Locale.US) + c.getDefaultFractionDigits() + c.getNumericCode() + Currency.getInstance(Locale.JAPAN) + java.text.NumberFormat.getCurrencyInstance(Locale.US).format(-1234.5) + ((java.text.DecimalFormat) java.text.NumberFormat.getInstance(Locale.US)).toPattern(); }
  static String words(Locale l, String... keys) { ResourceBundle b = ResourceBundle.getBundle("words", l); StringBuilder r = new StringBuilder(); for (String key : keys) try { r.append(b.getString(key)).append(','); } catch (MissingResourceException e) { r.append(e.getMessage()).append(e.getKey()).append(','); } return r.toString() + new TreeSet<>(b.keySet()) + b.getBaseBundleName() + (b == ResourceBundle.getBundle("words", l)); }
  static String t64() { return words(Locale.US, "yes", "no", "maybe") + words(new Locale("de", "AT"), "yes", "no") + words(Locale.FRANCE, "yes", "no") + words(Locale.ROOT, "yes", "no", "") + (ResourceBundle.getBundle("words") == ResourceBundle.getBundle("words", Locale.ENGLISH)); }
  static String recurse(int n) { return n == 0 ? "." : n + recurse(n-1); }
}
class Main { public static void main(String[] a) throws Exception { java.lang.reflect.Method[] ms = Behaviour.class.getDeclaredMethods(); java.util.Arrays.sort(ms, java.util.Comparator.comparing(m->m.getName())); java.io.PrintStream o = System.out; System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream())); for (java.lang.reflect.Method m : ms) if (m.getName().startsWith("t")) { try { o.println(m.getName()+": "+m.invoke(null)); } catch (java.lang.reflect.InvocationTargetException e) { o.println(m.getName()+": threw "+e.getCause()); } } } }
