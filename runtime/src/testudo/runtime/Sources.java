package testudo.runtime;

import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;

/**
 * Where classes and their members are in Java sources, told by javac's own parser. Owns the translation of its trees into the answer; resolves no
 * names, needs no class path, and changes nothing. Offsets are in UTF-16 units of the text.
 */
final class Sources {
    private static final int METHOD = 0;
    private static final int CONSTRUCTOR = 1;
    private static final int CLASS = 2;
    private static final int OTHER = 3;

    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final Output classes = new Output(256);
    private final Output members = new Output(1024);
    private int classCount;
    private int memberCount;
    /** Names of type variables in scope, with how many times each is declared. */
    private final Map<String, Integer> variables = new HashMap<String, Integer>();

    private Sources(SourcePositions positions, CompilationUnitTree unit) {
        this.positions = positions;
        this.unit = unit;
    }

    /** Answers a request: for every file its problems, or its classes and members. */
    static Output parse(JavaCompiler compiler, Input in) {
        if (compiler == null) throw new Input.Problem("this Java installation has no compiler (a JDK is needed, this is a JRE)");
        List<Compiler.Source> sources = new ArrayList<Compiler.Source>();
        int n = in.bounded(in.count());
        for (int i = 0; i < n; i++) {
            String file = in.str();
            sources.add(new Compiler.Source(file, in.str()));
        }
        Output answer = new Output(4096);
        answer.v(n);
        // Parsing opens no file, but javac wants a manager of files.
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            for (Compiler.Source source : sources) one(compiler, files, source, answer);
        } catch (IOException failure) {
            throw new Input.Problem(failure.toString());
        }
        return answer;
    }

    private static void one(JavaCompiler compiler, StandardJavaFileManager files, Compiler.Source source, Output answer) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<JavaFileObject>();
        Output found = new Output(1024);
        String crash = null;
        try {
            List<String> options = Arrays.asList("-proc:none", "-processorpath", Compiler.NOTHING, "-Xlint:none", "-nowarn");
            JavacTask task = (JavacTask) compiler.getTask(null, files, diagnostics, options, null, Arrays.asList(source));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) new Sources(positions, unit).write(found);
        } catch (IOException | RuntimeException | StackOverflowError failure) {
            crash = failure.toString();
        }
        Output problems = new Output(64);
        int count = 0;
        for (Diagnostic<? extends JavaFileObject> each : diagnostics.getDiagnostics()) {
            if (each.getKind() != Diagnostic.Kind.ERROR) continue;
            count++;
            problems.v(Math.max(0, each.getPosition()));
            problems.str(each.getMessage(null));
        }
        if (crash != null) {
            count++;
            problems.v(0);
            problems.str(crash);
        }
        answer.v(count);
        answer.append(problems);
        if (count == 0) answer.append(found);
    }

    private void write(Output out) {
        String prefix = unit.getPackageName() == null ? "" : unit.getPackageName().toString().replace('.', '/') + "/";
        long before = end(unit.getPackageName());
        for (Tree each : unit.getImports()) before = Math.max(before, end(each));
        for (Tree each : unit.getTypeDecls()) {
            if (each instanceof ClassTree) type((ClassTree) each, prefix, 0);
        }
        out.v(Math.max(0, before));
        out.v(classCount);
        out.append(classes);
        out.v(memberCount);
        out.append(members);
    }

    private long end(Tree tree) {
        return tree == null ? -1 : positions.getEndPosition(unit, tree);
    }

    /** A class and all in it. `parent`: number of the class around it plus one. */
    private void type(ClassTree tree, String prefix, int parent) {
        String name = prefix + tree.getSimpleName();
        int index = classCount++;
        long header = end(tree.getModifiers());
        for (Tree each : tree.getTypeParameters()) header = Math.max(header, end(each));
        header = Math.max(header, end(tree.getExtendsClause()));
        for (Tree each : tree.getImplementsClause()) header = Math.max(header, end(each));
        for (Tree each : tree.getPermitsClause()) header = Math.max(header, end(each));
        boolean isRecord = tree.getKind().name().equals("RECORD");
        for (Tree each : tree.getMembers()) {
            if (isRecord && isComponent(each)) header = Math.max(header, end(each));
        }
        long start = positions.getStartPosition(unit, tree);
        classes.str(name);
        classes.u8(kind(tree));
        // Where the search for the opening brace begins: behind everything of the header that may hold braces of its own.
        classes.v(Math.max(start, header));
        member(CLASS, parent, tree.getSimpleName().toString(), tree, tree.getModifiers());
        members.v(0);
        uses(null);
        Set<String> declared = declare(tree.getTypeParameters());
        for (Tree each : tree.getMembers()) {
            if (each instanceof ClassTree) {
                type((ClassTree) each, name + "$", index + 1);
            } else if (each instanceof MethodTree) {
                method((MethodTree) each, index + 1);
            } else if (!(isRecord && isComponent(each))) {
                boolean isField = each instanceof VariableTree;
                String field = isField ? ((VariableTree) each).getName().toString() : "";
                member(OTHER, index + 1, field, each, isField ? ((VariableTree) each).getModifiers() : null);
                members.v(0);
                uses(each);
            }
        }
        undeclare(declared);
    }

    private static boolean isComponent(Tree member) {
        return member instanceof VariableTree && !((VariableTree) member).getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private static int kind(ClassTree tree) {
        switch (tree.getKind().name()) {
            case "INTERFACE": return 1;
            case "ENUM": return 2;
            case "RECORD": return 3;
            case "ANNOTATION_TYPE": return 4;
            default: return 0;
        }
    }

    private void method(MethodTree tree, int owner) {
        boolean isConstructor = tree.getReturnType() == null;
        member(isConstructor ? CONSTRUCTOR : METHOD, owner, tree.getName().toString(), tree, tree.getModifiers());
        Set<String> declared = declare(tree.getTypeParameters());
        members.v(tree.getParameters().size());
        for (VariableTree each : tree.getParameters()) parameter(each.getType());
        undeclare(declared);
        uses(tree);
    }

    private void member(int kind, int owner, String name, Tree tree, ModifiersTree modifiers) {
        memberCount++;
        members.u8(kind);
        members.v(owner);
        members.str(name);
        members.v(positions.getStartPosition(unit, tree));
        members.v(positions.getEndPosition(unit, tree));
        int flags = 0;
        List<? extends AnnotationTree> annotations = new ArrayList<AnnotationTree>();
        if (modifiers != null) {
            annotations = modifiers.getAnnotations();
            Set<Modifier> set = modifiers.getFlags();
            if (set.contains(Modifier.STATIC)) flags |= 1;
            if (set.contains(Modifier.ABSTRACT)) flags |= 2;
            if (set.contains(Modifier.PRIVATE)) flags |= 4;
            if (set.contains(Modifier.PUBLIC)) flags |= 8;
        }
        members.u8(flags);
        members.v(annotations.size());
        for (AnnotationTree each : annotations) members.str(each.getAnnotationType().toString());
    }

    /** A type as written and, for finding it in a descriptor, its last name, whether that is a type variable, and its dimensions. */
    private void parameter(Tree written) {
        Tree type = written;
        int dimensions = 0;
        while (true) {
            if (type instanceof AnnotatedTypeTree) {
                type = ((AnnotatedTypeTree) type).getUnderlyingType();
            } else if (type instanceof ParameterizedTypeTree) {
                type = ((ParameterizedTypeTree) type).getType();
            } else if (type instanceof ArrayTypeTree) {
                dimensions++;
                type = ((ArrayTypeTree) type).getType();
            } else {
                break;
            }
        }
        boolean isName = type instanceof IdentifierTree;
        String name = type instanceof MemberSelectTree ? ((MemberSelectTree) type).getIdentifier().toString() : String.valueOf(type);
        members.str(String.valueOf(written));
        members.str(name);
        members.u8(isName && variables.containsKey(name) ? 1 : 0);
        members.v(dimensions);
    }

    private Set<String> declare(List<? extends TypeParameterTree> parameters) {
        Set<String> names = new HashSet<String>();
        for (TypeParameterTree each : parameters) {
            String name = each.getName().toString();
            names.add(name);
            Integer times = variables.get(name);
            variables.put(name, times == null ? 1 : times + 1);
        }
        return names;
    }

    private void undeclare(Set<String> names) {
        for (String name : names) {
            int times = variables.get(name) - 1;
            if (times == 0) variables.remove(name);
            else variables.put(name, times);
        }
    }

    /** Names of the methods that are called, referred to, or named as sources of arguments. */
    private void uses(Tree tree) {
        final Set<String> names = new TreeSet<String>();
        if (tree != null) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                    Tree called = call.getMethodSelect();
                    if (called instanceof IdentifierTree) names.add(((IdentifierTree) called).getName().toString());
                    if (called instanceof MemberSelectTree) names.add(((MemberSelectTree) called).getIdentifier().toString());
                    return super.visitMethodInvocation(call, nothing);
                }

                @Override
                public Void visitMemberReference(MemberReferenceTree reference, Void nothing) {
                    names.add(reference.getName().toString());
                    return super.visitMemberReference(reference, nothing);
                }

                @Override
                public Void visitAnnotation(AnnotationTree annotation, Void nothing) {
                    if (!annotation.getAnnotationType().toString().endsWith("MethodSource")) return null;
                    final int before = names.size();
                    new TreeScanner<Void, Void>() {
                        @Override
                        public Void visitLiteral(LiteralTree literal, Void nothing) {
                            if (literal.getValue() instanceof String) names.add((String) literal.getValue());
                            return null;
                        }
                    }.scan(annotation.getArguments(), null);
                    // Without a name it is the method of the same name.
                    if (names.size() == before && tree instanceof MethodTree) names.add(((MethodTree) tree).getName().toString());
                    return null;
                }
            }.scan(tree, null);
        }
        members.v(names.size());
        for (String name : names) members.str(name);
    }
}
