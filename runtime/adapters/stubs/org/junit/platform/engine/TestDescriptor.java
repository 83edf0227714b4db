package org.junit.platform.engine;

import java.util.Optional;
import java.util.Set;

/** The shape of JUnit's own type, to compile against; never packed. */
public interface TestDescriptor {
    UniqueId getUniqueId();

    String getDisplayName();

    Optional<TestSource> getSource();

    Optional<TestDescriptor> getParent();

    Set<? extends TestDescriptor> getChildren();

    Set<? extends TestDescriptor> getDescendants();

    void removeFromHierarchy();

    boolean isTest();

    void prune();

    void accept(Visitor visitor);

    /** As above. */
    interface Visitor {
        void visit(TestDescriptor descriptor);
    }
}
