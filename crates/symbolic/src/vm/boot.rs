//! Starting a machine: the few classes everything needs, system properties, streams that lead nowhere. Owns what a
//! JVM's own start would set up, as far as programs can tell; the rest is initialised when it is first used.

use std::sync::Arc;

use bytecode::world::ClassSource;

use super::class::ClassId;
use super::machine::{Limits, Machine};
use super::stop::{Run, Stop, Trap};

/// What programs may read. Nothing of the machine this runs on.
const PROPERTIES: &[(&str, &str)] = &[
    ("java.home", "/"),
    ("java.class.path", ""),
    ("java.io.tmpdir", "/tmp"),
    ("java.library.path", ""),
    ("sun.boot.library.path", ""),
    ("java.vendor", "unknown"),
    ("java.vm.name", "unknown"),
    ("java.vm.info", ""),
    ("user.home", "/"),
    ("user.dir", "/"),
    // As the worker's JVMs are told.
    ("user.name", "tester"),
    ("user.language", "en"),
    ("user.country", "US"),
    ("user.timezone", "UTC"),
    ("java.awt.headless", "true"),
    ("file.separator", "/"),
    ("path.separator", ":"),
    ("line.separator", "\n"),
    ("file.encoding", "UTF-8"),
    ("native.encoding", "UTF-8"),
    ("sun.jnu.encoding", "UTF-8"),
    ("stdout.encoding", "UTF-8"),
    ("stderr.encoding", "UTF-8"),
    ("stdin.encoding", "UTF-8"),
    ("os.name", "Linux"),
    ("os.arch", "amd64"),
    ("os.version", "1"),
];

/// Why a machine could not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the classes of the JDK could not be started in the symbolic machine: {reason}")]
pub struct BootProblem {
    pub reason: String,
}

impl Machine {
    /// A machine over the classes of a source, which must have the JDK's.
    pub fn boot(source: Arc<dyn ClassSource>, limits: Limits) -> Result<Machine, BootProblem> {
        let mut machine = Machine::bare(source, Limits { steps: u64::MAX, ..limits });
        machine.start().map_err(|trap| BootProblem { reason: machine.describe(&trap) })?;
        machine.limits = limits;
        machine.fix_baseline();
        Ok(machine)
    }

    /// A trap in words: the class and message of an exception, or why it stopped.
    pub fn describe(&mut self, trap: &Trap) -> String {
        match trap {
            Trap::Stop(stop) => format!("{stop}, called by {}", self.stopped_in().join(" < ")),
            Trap::Throw(exception) => {
                let class = self.class_name_of(*exception).replace('/', ".");
                let message = self.message_of(*exception);
                let trace = self.stack_trace(*exception);
                let place =
                    trace.first().map_or(String::new(), |(m, line)| format!(" at {}:{line}", self.method_name(*m)));
                format!("{class}: {}{place}", message.unwrap_or_default())
            }
        }
    }

    /// The message field of an exception.
    pub(super) fn message_of(&mut self, exception: u32) -> Option<String> {
        let slot = self.throwable_slot("detailMessage", "Ljava/lang/String;").ok()?;
        let text = self.heap.slot(exception, slot) as u32;
        (text != 0).then(|| self.string_text(text))
    }

    fn start(&mut self) -> Run<()> {
        self.define_primitives();
        self.well_known.object = self.known_class("java/lang/Object")?;
        self.well_known.serializable = self.known_class("java/io/Serializable")?;
        self.well_known.cloneable = self.known_class("java/lang/Cloneable")?;
        let byte = self.primitive_class('B').ok_or_else(|| Stop::unmodelled("bytes"))?;
        self.well_known.byte_array = self.array_class(byte);
        let class = self.known_class("java/lang/Class")?;
        self.well_known.class = class;
        self.well_known.mirror_slot = self.field_slot(class, "$class", "J")?;
        let string = self.known_class("java/lang/String")?;
        self.well_known.string = string;
        self.well_known.string_value = self.field_slot(string, "value", "[B")?;
        self.well_known.string_coder = self.field_slot(string, "coder", "B")?;
        self.initialise(self.well_known.object)?;
        self.initialise(string)?;
        self.initialise(class)?;
        self.set_unsafe_constants()?;
        let thread = self.known_class("java/lang/Thread")?;
        self.thread = self.allocate(thread)?;
        self.set_chance(self.thread)?;
        // It gives other classes access to reflected members, and they rely on its having been initialised first.
        let accessible = self.known_class("java/lang/reflect/AccessibleObject")?;
        self.initialise(accessible)?;
        let system = self.known_class("java/lang/System")?;
        self.initialise(system)?;
        let access = self.declared_method(system, "setJavaLangAccess", "()V")?;
        self.call(access, &[])?;
        self.set_properties(system)?;
        self.set_streams(system)
    }

    fn set_static(&mut self, class: ClassId, name: &str, descriptor: &str, value: u64) -> Run<()> {
        let slot = self.field_slot(class, name, descriptor)?;
        let statics = self.class(class).statics;
        self.heap.set_slot(statics, slot, value);
        Ok(())
    }

    fn set_unsafe_constants(&mut self) -> Run<()> {
        let constants = self.known_class("jdk/internal/misc/UnsafeConstants")?;
        self.initialise(constants)?;
        self.set_static(constants, "ADDRESS_SIZE0", "I", 8)?;
        self.set_static(constants, "PAGE_SIZE", "I", 4096)?;
        self.set_static(constants, "UNALIGNED_ACCESS", "Z", 1)
    }

    fn set_properties(&mut self, system: ClassId) -> Run<()> {
        let properties = self.known_class("java/util/Properties")?;
        let all = self.construct(properties, "()V", &[])?;
        let set = self.declared_method(
            properties,
            "setProperty",
            "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;",
        )?;
        let maps = self.known_class("java/util/HashMap")?;
        let saved = self.construct(maps, "()V", &[])?;
        let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        let put = self.declared_method(maps, "put", put)?;
        let release = self.release();
        let (specification, class_version) = (release.to_string(), format!("{}.0", release + 44));
        let of_release = [
            ("java.version", &*specification),
            ("java.runtime.version", &specification),
            ("java.vm.version", &specification),
            ("java.specification.version", &specification),
            ("java.vm.specification.version", &specification),
            ("java.class.version", &class_version),
        ];
        for (name, value) in PROPERTIES.iter().chain(&of_release) {
            let name = self.literal(&name.encode_utf16().collect::<Vec<_>>())?;
            let value = self.literal(&value.encode_utf16().collect::<Vec<_>>())?;
            self.call(set, &[u64::from(all), u64::from(name), u64::from(value)])?;
            self.call(put, &[u64::from(saved), u64::from(name), u64::from(value)])?;
        }
        self.set_static(system, "props", "Ljava/util/Properties;", u64::from(all))?;
        let separator = self.literal(&[u16::from(b'\n')])?;
        self.set_static(system, "lineSeparator", "Ljava/lang/String;", u64::from(separator))?;
        let vm = self.known_class("jdk/internal/misc/VM")?;
        self.initialise(vm)?;
        let save = self.declared_method(vm, "saveProperties", "(Ljava/util/Map;)V")?;
        self.call(save, &[u64::from(saved)])?;
        let level = self.declared_method(vm, "initLevel", "(I)V")?;
        self.call(level, &[4]).map(|_| ())
    }

    /// The release of the JDK whose classes these are.
    pub(super) fn release(&self) -> u16 {
        let bytes = &self.class(self.well_known.object).bytes;
        // Class files of Java 17 have version 61.
        bytes.get(6..8).map_or(17, |v| u16::from_be_bytes([v[0], v[1]]).saturating_sub(44))
    }

    fn set_streams(&mut self, system: ClassId) -> Run<()> {
        let nowhere = self.known_method("java/io/OutputStream", "nullOutputStream", "()Ljava/io/OutputStream;")?;
        let nowhere = self.call(nowhere, &[])?;
        let nothing = self.known_method("java/io/InputStream", "nullInputStream", "()Ljava/io/InputStream;")?;
        let nothing = self.call(nothing, &[])?;
        let stream = self.known_class("java/io/PrintStream")?;
        let out = self.construct(stream, "(Ljava/io/OutputStream;)V", &[nowhere])?;
        self.set_static(system, "in", "Ljava/io/InputStream;", nothing)?;
        self.set_static(system, "out", "Ljava/io/PrintStream;", u64::from(out))?;
        self.set_static(system, "err", "Ljava/io/PrintStream;", u64::from(out))
    }
}
