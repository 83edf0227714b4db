//! What code asks for that is not the same every time: the clock, random numbers, identity, the machine. Owns the list of such calls and the walk to them;
//! follows no overriding methods and enters no code of the JDK.

use std::collections::{BTreeSet, VecDeque};

use bytecode::analysis::Call;
use bytecode::names::ClassName;
use bytecode::world::World;

use super::{Cause, Member};

/// Methods looked at from one call.
const MOST: usize = 400;

/// All that a method asks for, directly or through methods it calls, each once.
pub fn sources(world: &World, member: Member<'_>) -> Vec<Cause> {
    let (class, name, descriptor) = member;
    let mut found = BTreeSet::new();
    let mut known: BTreeSet<(ClassName, String, String)> = BTreeSet::new();
    let mut open = VecDeque::from([(class.clone(), name.to_owned(), descriptor.to_owned())]);
    while let Some(next) = open.pop_front() {
        if known.len() >= MOST || !known.insert(next.clone()) {
            continue;
        }
        let (class, name, descriptor) = next;
        let Some((declaring, at)) = declared(world, &class, &name, &descriptor) else { continue };
        let Ok(facts) = world.facts(&declaring) else { continue };
        let Some(method) = facts.methods.get(at) else { continue };
        if name != "<clinit>" && method.fields.writes.iter().any(|f| f.is_static) {
            found.insert(Cause::StaticState);
        }
        for call in &method.calls {
            found.extend(asked(call));
            if let Some(owner) = call.class().filter(|c| !is_platform(c)) {
                open.push_back((owner.clone(), call.name.clone(), call.descriptor.clone()));
            }
        }
    }
    found.into_iter().collect()
}

/// The class that declares a method, and its place there.
fn declared(world: &World, class: &ClassName, name: &str, descriptor: &str) -> Option<(ClassName, usize)> {
    let mut next = Some(class.clone());
    // Class files may lie about their ancestors.
    for _ in 0..64 {
        let info = world.class(&next?).ok()?;
        let place = info.methods.iter().position(|m| m.name == name && m.raw_descriptor == descriptor);
        if let Some(place) = place {
            return (!is_platform(&info.name)).then(|| (info.name.clone(), place));
        }
        next = info.superclass.clone();
    }
    None
}

fn is_platform(class: &ClassName) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"].iter().any(|p| class.internal().starts_with(p))
}

/// What a single call asks for.
fn asked(call: &Call) -> Option<Cause> {
    let owner = call.class()?.internal();
    let (name, no_arguments) = (call.name.as_str(), call.descriptor.starts_with("()"));
    let cause = match (owner, name) {
        ("java/lang/System", "currentTimeMillis" | "nanoTime") => Cause::Time,
        ("java/util/Calendar" | "java/util/GregorianCalendar", "getInstance" | "<init>") if no_arguments => Cause::Time,
        ("java/util/Date", "<init>") if no_arguments => Cause::Time,
        ("java/time/Clock", "systemUTC" | "systemDefaultZone" | "system") => Cause::Time,
        (_, "now") if owner.starts_with("java/time/") => Cause::Time,
        ("java/lang/Math" | "java/lang/StrictMath", "random") => Cause::Randomness,
        ("java/util/Random" | "java/util/SplittableRandom", "<init>") if no_arguments => Cause::Randomness,
        ("java/util/concurrent/ThreadLocalRandom", "current") => Cause::Randomness,
        ("java/util/UUID", "randomUUID") => Cause::Randomness,
        ("java/security/SecureRandom", _) => Cause::Randomness,
        ("java/util/Collections", "shuffle") if call.descriptor == "(Ljava/util/List;)V" => Cause::Randomness,
        ("java/lang/System", "identityHashCode") => Cause::IdentityHash,
        ("java/lang/Object", "hashCode" | "toString") => Cause::IdentityHash,
        ("java/util/IdentityHashMap", "<init>") => Cause::IdentityHash,
        ("java/util/Set" | "java/util/Map", "of" | "copyOf" | "ofEntries") => Cause::IterationOrder,
        ("java/util/HashMap" | "java/util/HashSet" | "java/util/concurrent/ConcurrentHashMap", "<init>") => {
            Cause::IterationOrder
        }
        ("java/lang/Thread", "start" | "startVirtualThread") => Cause::Threads,
        (_, "parallelStream" | "parallel") => Cause::Threads,
        ("java/util/concurrent/CompletableFuture", n) if n.ends_with("Async") => Cause::Threads,
        (_, "submit" | "execute" | "invokeAll") if owner.starts_with("java/util/concurrent/") => Cause::Threads,
        ("java/util/Locale", "getDefault") => Cause::Locale,
        ("java/lang/String", "toUpperCase" | "toLowerCase") if no_arguments => Cause::Locale,
        ("java/lang/String", "format" | "formatted") if !call.descriptor.starts_with("(Ljava/util/Locale;") => {
            Cause::Locale
        }
        ("java/text/NumberFormat" | "java/text/DecimalFormat" | "java/text/Collator", "getInstance" | "<init>") => {
            Cause::Locale
        }
        ("java/util/TimeZone", "getDefault") | ("java/time/ZoneId", "systemDefault") => Cause::TimeZone,
        ("java/util/Date", "toString") | ("java/text/SimpleDateFormat", "<init>") => Cause::TimeZone,
        ("java/lang/System", "getProperty" | "getenv" | "getProperties" | "lineSeparator" | "console") => {
            Cause::Environment
        }
        ("java/lang/Boolean", "getBoolean") | ("java/lang/Integer", "getInteger") => Cause::Environment,
        ("java/lang/Runtime", "availableProcessors" | "freeMemory" | "totalMemory" | "maxMemory") => Cause::Environment,
        ("java/nio/charset/Charset", "defaultCharset") => Cause::Environment,
        ("java/lang/String", "getBytes") if no_arguments => Cause::Environment,
        ("java/net/InetAddress", _) | ("java/awt/GraphicsEnvironment", _) | ("java/nio/file/Files", _) => {
            Cause::Environment
        }
        ("java/io/File", "exists" | "isFile" | "isDirectory" | "length" | "list" | "listFiles" | "getAbsolutePath") => {
            Cause::Environment
        }
        _ => return None,
    };
    Some(cause)
}
