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
  static String recurse(int n) { return n == 0 ? "." : n + recurse(n-1); }
}
class Main { public static void main(String[] a) throws Exception { java.lang.reflect.Method[] ms = Behaviour.class.getDeclaredMethods(); java.util.Arrays.sort(ms, java.util.Comparator.comparing(m->m.getName())); java.io.PrintStream o = System.out; System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream())); for (java.lang.reflect.Method m : ms) if (m.getName().startsWith("t")) { try { o.println(m.getName()+": "+m.invoke(null)); } catch (java.lang.reflect.InvocationTargetException e) { o.println(m.getName()+": threw "+e.getCause()); } } } }
