//! What to insert. Owns the plan and the default redirections; inserts nothing.

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
    /// Count steps at method entries and backward jumps.
    pub steps: bool,
    /// Report start and end of class initialisers.
    pub init_hooks: bool,
    pub redirects: Vec<Redirect>,
    /// Ids of this class's probes and sites start here.
    pub first_probe: u32,
    pub first_site: u32,
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
            steps: false,
            init_hooks: false,
            redirects: Vec::new(),
            first_probe: 0,
            first_site: 0,
            class_index: 0,
        }
    }

    /// Everything, with the default redirections and ids from 0.
    pub fn everything(hooks: ClassName) -> Plan {
        Plan {
            edges: true,
            lines: true,
            operands: true,
            steps: true,
            init_hooks: true,
            redirects: Redirect::defaults(&hooks),
            ..Plan::nothing(hooks)
        }
    }
}

/// Calls of one method become calls of a static one, which gets the receiver as its first argument if there is one. Calls by
/// `invokespecial` are left alone, and so are calls that name a subclass as the owner.
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

    /// Calls that look at the clock, change files or start programs. They go to the class `Outside` beside the hooks.
    fn outside(hooks: &ClassName) -> impl Iterator<Item = Redirect> {
        const SYSTEM: &str = "java/lang/System";
        const FILE: &str = "java/io/File";
        const FILES: &str = "java/nio/file/Files";
        const RUNTIME: &str = "java/lang/Runtime";
        const PATH: &str = "Ljava/nio/file/Path;";
        const STATIC: bool = true;
        let to_class = ClassName::new(format!("{}/Outside", hooks.package()));
        let fixed = [
            (SYSTEM, "currentTimeMillis", "()J", STATIC, "currentTimeMillis"),
            (SYSTEM, "nanoTime", "()J", STATIC, "nanoTime"),
            (FILE, "delete", "()Z", !STATIC, "delete"),
            (FILE, "deleteOnExit", "()V", !STATIC, "deleteOnExit"),
            (FILE, "mkdir", "()Z", !STATIC, "mkdir"),
            (FILE, "mkdirs", "()Z", !STATIC, "mkdirs"),
            (FILE, "createNewFile", "()Z", !STATIC, "createNewFile"),
            (FILE, "renameTo", "(Ljava/io/File;)Z", !STATIC, "renameTo"),
            (FILE, "setLastModified", "(J)Z", !STATIC, "setLastModified"),
            (FILE, "setReadOnly", "()Z", !STATIC, "setReadOnly"),
            ("java/lang/ProcessBuilder", "start", "()Ljava/lang/Process;", !STATIC, "start"),
            (RUNTIME, "exec", "(Ljava/lang/String;)Ljava/lang/Process;", !STATIC, "exec"),
            (RUNTIME, "exec", "([Ljava/lang/String;)Ljava/lang/Process;", !STATIC, "exec"),
        ];
        let on_paths = [
            ("delete", format!("({PATH})V")),
            ("deleteIfExists", format!("({PATH})Z")),
            ("createFile", format!("({PATH}[Ljava/nio/file/attribute/FileAttribute;){PATH}")),
            ("createDirectory", format!("({PATH}[Ljava/nio/file/attribute/FileAttribute;){PATH}")),
            ("createDirectories", format!("({PATH}[Ljava/nio/file/attribute/FileAttribute;){PATH}")),
            ("move", format!("({PATH}{PATH}[Ljava/nio/file/CopyOption;){PATH}")),
            ("copy", format!("({PATH}{PATH}[Ljava/nio/file/CopyOption;){PATH}")),
            ("write", format!("({PATH}[B[Ljava/nio/file/OpenOption;){PATH}")),
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
            .chain(
                on_paths.into_iter().map(|(name, d)| (FILES.to_owned(), name.to_owned(), d, STATIC, name.to_owned())),
            )
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
