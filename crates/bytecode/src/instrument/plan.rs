//! What to insert. Owns the plan and the default redirections; inserts nothing.

use std::sync::Arc;

use super::reach::Reaches;
use crate::access::Access;
use crate::names::ClassName;

/// What instrumentation is to do to a class. With everything off and no redirects, classes stay byte-equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The class whose static members are called: `testudo/runtime/Hooks`.
    pub hooks: ClassName,
    /// Probes at method entries, both edges of branches, targets of switches, and handler entries.
    pub edges: bool,
    /// Probes at the start of every line-number entry.
    pub lines: bool,
    /// Report the operands of comparisons.
    pub operands: bool,
    /// Probes where a small fault of an instruction would have made a difference to what it does: `Infection` beside
    /// the hooks.
    pub infections: bool,
    /// Count steps at method entries and backward jumps.
    pub steps: bool,
    /// Report start and end of class initialisers.
    pub init_hooks: bool,
    /// Report calls: `Monitor.entering`, `entered`, `left`, `threw`.
    pub calls: Option<CallPlan>,
    /// Report objects and arrays right before a field or an element of them is written: `Monitor.wrote`.
    pub writes: bool,
    /// Report fields, elements and lengths right before they are read: `Monitor.read`, `readElement`, `readLength`,
    /// `readAll`.
    pub reads: bool,
    pub redirects: Vec<Redirect>,
    /// Say of calls that they reach outside, right before they are made: `Marks` beside the hooks.
    pub reaches: Option<Arc<Reaches>>,
    /// For these: classes that inherit what the class behind them has ([`Reaches::kin`]).
    pub kin: Vec<(ClassName, ClassName)>,
    /// Ids of this class's probes and sites start here.
    pub first_probe: u32,
    pub first_site: u32,
    /// Ids of the fields that this class's code reads start here.
    pub first_field: u32,
    /// What `initStart` and `initEnd` are called with.
    pub class_index: u32,
}

impl Plan {
    /// Nothing at all: a start for building plans.
    pub fn nothing(hooks: ClassName) -> Plan {
        Plan {
            hooks,
            edges: false,
            lines: false,
            operands: false,
            infections: false,
            steps: false,
            init_hooks: false,
            calls: None,
            writes: false,
            reads: false,
            redirects: Vec::new(),
            reaches: None,
            kin: Vec::new(),
            first_probe: 0,
            first_site: 0,
            first_field: 0,
            class_index: 0,
        }
    }

    /// Calls, writes and reads, with the redirections that writes and reads need, and ids from 0.
    pub fn observing(hooks: ClassName) -> Plan {
        Plan {
            calls: Some(CallPlan { which: Calls::OfClients, first_member: 0 }),
            writes: true,
            reads: true,
            redirects: Redirect::monitored(&hooks),
            ..Plan::nothing(hooks)
        }
    }

    /// The class whose static members receive calls, writes and reads: `Monitor` beside the hooks.
    pub fn monitor(&self) -> ClassName {
        monitor(&self.hooks)
    }

    /// Everything that serves the search, with the default redirections and ids from 0.
    pub fn everything(hooks: ClassName) -> Plan {
        Plan {
            edges: true,
            lines: true,
            operands: true,
            steps: true,
            init_hooks: true,
            redirects: Redirect::defaults(&hooks),
            reaches: Some(Reaches::standard()),
            ..Plan::nothing(hooks)
        }
    }
}

fn monitor(hooks: &ClassName) -> ClassName {
    ClassName::new(format!("{}/Monitor", hooks.package()))
}

/// Which calls are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPlan {
    pub which: Calls,
    /// Ids of this class's members start here.
    pub first_member: u32,
}

/// Members whose calls are reported. Never: class initialisers, and members without code or made by the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Calls {
    /// Constructors and methods that other classes can call: all but private ones.
    OfClients,
    /// Of these, only instance methods: for superclasses of a class that is looked at.
    OfHeirs,
    /// Of these, only public static methods: for collections of assertions.
    OfFunctions,
}

impl Calls {
    pub(super) fn include(self, name: &str, access: Access) -> bool {
        if access.is_private() || access.is_synthetic() || access.has(Access::BRIDGE) || name == "<clinit>" {
            return false;
        }
        match self {
            Calls::OfClients => true,
            Calls::OfHeirs => !access.is_static() && name != "<init>",
            Calls::OfFunctions => access.is_static() && access.is_public(),
        }
    }
}

/// Calls of one method become calls of a static one, which gets the receiver as its first argument if there is one.
/// Calls by `invokespecial` are left alone, and so are calls that name a subclass as the owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    pub owner: ClassName,
    pub name: String,
    pub descriptor: String,
    /// Of the original.
    pub is_static: bool,
    pub to_class: ClassName,
    pub to_name: String,
}

impl Redirect {
    /// The descriptor of the method called instead.
    pub fn to_descriptor(&self) -> String {
        match self.descriptor.strip_prefix('(') {
            Some(rest) if !self.is_static => format!("(L{};{rest}", self.owner),
            _ => self.descriptor.clone(),
        }
    }

    /// Calls that would end the JVM, make it wait, or change state that outlives the code under test.
    pub fn defaults(hooks: &ClassName) -> Vec<Redirect> {
        const SYSTEM: &str = "java/lang/System";
        const RUNTIME: &str = "java/lang/Runtime";
        const STATIC: bool = true;
        let list = [
            (SYSTEM, "exit", "(I)V", STATIC, "exit"),
            (RUNTIME, "exit", "(I)V", !STATIC, "runtimeExit"),
            (RUNTIME, "halt", "(I)V", !STATIC, "runtimeHalt"),
            (RUNTIME, "addShutdownHook", "(Ljava/lang/Thread;)V", !STATIC, "addShutdownHook"),
            ("java/lang/Thread", "sleep", "(J)V", STATIC, "sleep"),
            ("java/lang/Thread", "sleep", "(JI)V", STATIC, "sleep"),
            (SYSTEM, "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", STATIC, "setProperty"),
            (SYSTEM, "clearProperty", "(Ljava/lang/String;)Ljava/lang/String;", STATIC, "clearProperty"),
            (SYSTEM, "setProperties", "(Ljava/util/Properties;)V", STATIC, "setProperties"),
            (SYSTEM, "setOut", "(Ljava/io/PrintStream;)V", STATIC, "setOut"),
            (SYSTEM, "setErr", "(Ljava/io/PrintStream;)V", STATIC, "setErr"),
            (SYSTEM, "setIn", "(Ljava/io/InputStream;)V", STATIC, "setIn"),
            (SYSTEM, "setSecurityManager", "(Ljava/lang/SecurityManager;)V", STATIC, "setSecurityManager"),
            ("java/util/Locale", "setDefault", "(Ljava/util/Locale;)V", STATIC, "setLocale"),
            ("java/util/Locale", "setDefault", "(Ljava/util/Locale$Category;Ljava/util/Locale;)V", STATIC, "setLocale"),
            ("java/util/TimeZone", "setDefault", "(Ljava/util/TimeZone;)V", STATIC, "setTimeZone"),
        ];
        let redirect = |(owner, name, descriptor, is_static, to): (&str, &str, &str, bool, &str)| Redirect {
            owner: ClassName::new(owner),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            is_static,
            to_class: hooks.clone(),
            to_name: to.to_owned(),
        };
        list.into_iter().map(redirect).chain(Self::outside(hooks)).collect()
    }

    /// Native code that writes or reads arrays. The first copies and reports both arrays. The second says of a
    /// comparison of two arrays how many elements it left uncompared; when it leaves all, the loop behind its callers
    /// compares, and reports, each.
    pub fn monitored(hooks: &ClassName) -> Vec<Redirect> {
        let list = [
            ("java/lang/System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V"),
            ("jdk/internal/util/ArraysSupport", "vectorizedMismatch", "(Ljava/lang/Object;JLjava/lang/Object;JII)I"),
        ];
        let redirect = |(owner, name, descriptor): (&str, &str, &str)| Redirect {
            owner: ClassName::new(owner),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            is_static: true,
            to_class: monitor(hooks),
            to_name: name.to_owned(),
        };
        list.map(redirect).into()
    }

    /// Calls that read the clock or use random numbers, and files to be deleted when the JVM ends, which is never.
    /// They go to the class `Outside` beside the hooks.
    fn outside(hooks: &ClassName) -> impl Iterator<Item = Redirect> {
        const SYSTEM: &str = "java/lang/System";
        const FILE: &str = "java/io/File";
        const STATIC: bool = true;
        let to_class = ClassName::new(format!("{}/Outside", hooks.package()));
        let fixed = [
            (SYSTEM, "currentTimeMillis", "()J", STATIC, "currentTimeMillis"),
            (SYSTEM, "nanoTime", "()J", STATIC, "nanoTime"),
            ("java/lang/Math", "random", "()D", STATIC, "random"),
            ("java/lang/StrictMath", "random", "()D", STATIC, "random"),
            ("java/util/UUID", "randomUUID", "()Ljava/util/UUID;", STATIC, "randomUUID"),
            ("java/util/Collections", "shuffle", "(Ljava/util/List;)V", STATIC, "shuffle"),
            (FILE, "deleteOnExit", "()V", !STATIC, "deleteOnExit"),
        ];
        let now = |class: &str, zoned: bool, to: &str| {
            let owner = format!("java/time/{class}");
            let zone = if zoned { "Ljava/time/ZoneId;" } else { "" };
            let descriptor = format!("({zone})L{owner};");
            (owner, "now".to_owned(), descriptor, STATIC, to.to_owned())
        };
        let clocks = [
            now("Instant", false, "instant"),
            now("LocalDate", false, "localDate"),
            now("LocalDate", true, "localDate"),
            now("LocalTime", false, "localTime"),
            now("LocalTime", true, "localTime"),
            now("LocalDateTime", false, "localDateTime"),
            now("LocalDateTime", true, "localDateTime"),
            now("ZonedDateTime", false, "zonedDateTime"),
            now("ZonedDateTime", true, "zonedDateTime"),
            now("OffsetDateTime", false, "offsetDateTime"),
            now("Year", false, "year"),
            now("YearMonth", false, "yearMonth"),
        ];
        fixed
            .into_iter()
            .map(|(owner, name, descriptor, is_static, to)| {
                (owner.to_owned(), name.to_owned(), descriptor.to_owned(), is_static, to.to_owned())
            })
            .chain(clocks)
            .map(move |(owner, name, descriptor, is_static, to_name)| Redirect {
                owner: ClassName::new(owner),
                name,
                descriptor,
                is_static,
                to_class: to_class.clone(),
                to_name,
            })
    }
}
