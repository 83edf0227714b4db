//! Input on demand: which operations give a value of a type, out of all classes on the class path and in the JDK. Owns the order of preference and
//! the limits; the index of providers is the `World`'s.

use bytecode::access::Access;
use bytecode::class_info::ClassInfo;
use bytecode::names::ClassName;
use bytecode::world::{ProviderKind, Scope};
use testcase::classes::is_accessible;
use testcase::generic::{instantiate_as, instantiate_class};
use testcase::members::{MemberOptions, operations_of};
use testcase::operation::{Operation, OperationKind};
use testcase::types::{ClassType, Type, TypeArg};
use testcase::value::Constant;
use testcase::verify::verify_operation;

use super::{WorldLibrary, annotations, as_member, is_plain, lambdas, literals, reflected};
use crate::library::{Library, Offer};

/// Operations offered per type.
const ENOUGH: usize = 16;
/// So many are no reason to look further than the class path.
const A_FEW: usize = 3;
/// Class literals offered for something more general.
const A_FEW_LITERALS: usize = 12;
/// Classes looked into per type.
const MAX_CLASSES: usize = 10;
/// Leading names that packages of one library share.
const KIN: usize = 3;
/// Enum constants offered.
const MAX_ENUM: usize = 12;

/// Where everybody would look first.
const PREFERRED: [(&str, &[&str]); 22] = [
    ("java/lang/Iterable", &["java/util/ArrayList", "java/util/HashSet"]),
    ("java/util/Collection", &["java/util/ArrayList", "java/util/HashSet", "java/util/LinkedList"]),
    ("java/util/List", &["java/util/ArrayList", "java/util/LinkedList"]),
    ("java/util/AbstractList", &["java/util/ArrayList"]),
    ("java/util/Set", &["java/util/HashSet", "java/util/TreeSet"]),
    ("java/util/SortedSet", &["java/util/TreeSet"]),
    ("java/util/Queue", &["java/util/ArrayDeque", "java/util/PriorityQueue"]),
    ("java/util/Deque", &["java/util/ArrayDeque"]),
    ("java/util/Map", &["java/util/HashMap", "java/util/TreeMap"]),
    ("java/util/SortedMap", &["java/util/TreeMap"]),
    ("java/util/NavigableMap", &["java/util/TreeMap"]),
    ("java/lang/CharSequence", &["java/lang/StringBuilder"]),
    ("java/lang/Appendable", &["java/lang/StringBuilder"]),
    ("java/lang/Number", &["java/math/BigInteger", "java/math/BigDecimal"]),
    ("java/io/InputStream", &["java/io/ByteArrayInputStream"]),
    ("java/io/OutputStream", &["java/io/ByteArrayOutputStream"]),
    ("java/io/Reader", &["java/io/StringReader"]),
    ("java/io/Writer", &["java/io/StringWriter"]),
    ("java/lang/Throwable", &["java/lang/Exception", "java/lang/RuntimeException"]),
    ("java/util/concurrent/Executor", &[]),
    ("java/lang/Cloneable", &["java/util/ArrayList"]),
    ("java/io/Serializable", &["java/util/ArrayList"]),
];

/// Packages whose classes need a display, a network or a registry, and classes that wait for another thread.
const UNSUITABLE: [&str; 9] = [
    "java/awt",
    "javax/swing",
    "java/applet",
    "java/rmi",
    "java/net",
    "javax/",
    "java/beans",
    "java/sql",
    "java/io/Piped",
];

pub fn find(library: &WorldLibrary<'_>, wanted: &Type) -> Vec<Offer> {
    let Type::Class(class) = wanted else {
        return reflected::arrays(wanted);
    };
    let mut offers = reflected::of(library, wanted);
    match class.name.internal() {
        "java/lang/Class" => return literals::of(library, class),
        "java/lang/Object" => {
            from_class(library, &class.name, wanted, &mut offers);
            return offers;
        }
        _ => {}
    }
    let Ok(info) = library.world.class(&class.name) else {
        return offers;
    };
    if info.is_enum() {
        return enum_constants(&info);
    }
    if info.is_interface() {
        offers.extend(lambdas::of(&library.subtyping, class));
        offers.extend(annotations::of(&class.name));
    }
    let mut looked: Vec<ClassName> = Vec::new();
    let preferred =
        PREFERRED.iter().find(|(name, _)| *name == class.name.internal()).map_or(&[][..], |(_, list)| *list);
    let own = (!info.is_abstract()).then(|| class.name.clone());
    let nested = library.classes.iter().filter(|c| library.world.is_subclass(c, &class.name) == Some(true)).cloned();
    for name in own.into_iter().chain(nested).chain(preferred.iter().map(ClassName::new)) {
        look_into(library, name, wanted, &mut looked, &mut offers);
    }
    // Classes that a package keeps to itself are the last resort: no colleague would begin a test with one, and their initialisers may rely on others'
    // having run before.
    let hidden = |c: &ClassName| {
        !library.classes.contains(c) && library.world.class(c).is_ok_and(|info| !info.access.is_public())
    };
    // A map of the JDK's is not borrowed from some other library that happens to be on the class path.
    let foreign = |c: &ClassName| !library.world.is_application(&class.name) && !is_kin(&library.package, c.package());
    for scope in Scope::ALL {
        // The platform's index takes a while to build: only for what nobody else provides.
        if offers.len() >= ENOUGH || (scope == Scope::Platform && offers.len() >= A_FEW) {
            break;
        }
        // The simplest of each kind first: constructors, then fields and factories.
        let mut providers = library.world.providers_for(&class.name, scope, &library.package);
        providers.sort_by_key(|p| (p.kind == ProviderKind::BuilderMethod, p.gives != class.name));
        for provider in providers {
            if offers.len() >= ENOUGH || looked.len() >= MAX_CLASSES {
                break;
            }
            let unsuitable = match scope {
                Scope::Application => foreign(&provider.class),
                Scope::Platform => UNSUITABLE
                    .iter()
                    .any(|p| provider.class.internal().starts_with(p) && !class.name.internal().starts_with(p)),
            };
            if !unsuitable && !hidden(&provider.class) {
                look_into(library, provider.class, wanted, &mut looked, &mut offers);
            }
        }
    }
    if offers.is_empty() {
        let providers = library.world.providers_for(&class.name, Scope::Application, &library.package);
        for provider in providers.into_iter().filter(|p| hidden(&p.class) || foreign(&p.class)) {
            if offers.len() >= ENOUGH || looked.len() >= MAX_CLASSES {
                break;
            }
            look_into(library, provider.class, wanted, &mut looked, &mut offers);
        }
    }
    // Last, so that they keep nobody from being looked for.
    if literals::STANDS_FOR.contains(&class.name.internal()) {
        offers.extend(literals::of(library, &literals::any()).into_iter().take(A_FEW_LITERALS));
    }
    // What is there already comes before what must be made, what needs little before what needs much.
    offers.sort_by_key(|o| (!is_plain(&o.operation) && !o.operation.params.is_empty(), o.operation.params.len()));
    offers
}

/// Packages of one library mostly begin with the same three names.
fn is_kin(package: &str, other: &str) -> bool {
    let shortest = package.split('/').count().min(other.split('/').count());
    package.split('/').zip(other.split('/')).take(KIN).take_while(|(a, b)| a == b).count() >= shortest.min(KIN)
}

fn look_into(
    library: &WorldLibrary<'_>,
    class: ClassName,
    wanted: &Type,
    looked: &mut Vec<ClassName>,
    offers: &mut Vec<Offer>,
) {
    if looked.contains(&class) || !is_accessible(library.world, &library.package, &class) {
        return;
    }
    from_class(library, &class, wanted, offers);
    looked.push(class);
}

/// Everything of a class that gives the wanted type without needing it.
fn from_class(library: &WorldLibrary<'_>, class: &ClassName, wanted: &Type, offers: &mut Vec<Offer>) {
    let mut candidates = arguments(wanted);
    candidates.extend(library.candidates.iter().take(3).cloned());
    let before = offers.len();
    let (choices, result) = match wanted {
        Type::Class(wanted) => {
            (instantiate_as(&library.subtyping, class, wanted, &candidates, 2), Some(wanted.clone()))
        }
        _ => (instantiate_class(&library.subtyping, class, &candidates, 2), None),
    };
    let options = MemberOptions { candidates, method_choices: 1, wanted: result, ..MemberOptions::default() };
    for choice in choices {
        for (operation, member) in operations_of(&library.subtyping, &choice, &library.package, &options) {
            let makes = match &operation.kind {
                OperationKind::Construct { .. } | OperationKind::Constant(_) => true,
                OperationKind::Call { is_static, .. } => *is_static || gives_away(&member.name, &operation),
                OperationKind::ReadField { is_static, .. } => *is_static,
                _ => false,
            };
            let circular = operation.params.iter().any(|p| p == wanted)
                && !matches!(operation.kind, OperationKind::Construct { .. });
            let fits = operation.result == *wanted || library.fits(&operation.result, wanted);
            if makes
                && fits
                && !circular
                && !is_of_the_moment(&operation)
                && offers.len() < before + ENOUGH
                && verify_operation(&operation, &library.subtyping).is_ok()
            {
                let bare = operation.is_constant();
                let offer = Offer {
                    operation,
                    member: (!bare).then(|| as_member(library.world, member)),
                    hints: Vec::new(),
                    also: Vec::new(),
                };
                if !offers.iter().any(|o| o.operation == offer.operation) {
                    offers.push(offer);
                }
            }
        }
    }
}

/// Values of the JDK that are never the same twice, or belong to the machine: the time, chance, standard streams, defaults, threads.
fn is_of_the_moment(operation: &Operation) -> bool {
    match &operation.kind {
        OperationKind::Construct { class, .. } => {
            let by_time =
                ["java/util/Date", "java/util/GregorianCalendar", "java/util/Random", "java/util/SplittableRandom"];
            class.internal() == "java/security/SecureRandom"
                || (operation.params.is_empty() && by_time.contains(&class.internal()))
        }
        OperationKind::Call { owner, name, is_static: true, .. } => {
            let owner = owner.internal();
            owner.starts_with("java/")
                && (matches!(
                    &**name,
                    "now"
                        | "random"
                        | "randomUUID"
                        | "getDefault"
                        | "getLocalHost"
                        | "getLoopbackAddress"
                        | "systemDefault"
                        | "systemDefaultZone"
                        | "systemUTC"
                        | "system"
                        | "current"
                        | "currentThread"
                        | "getRuntime"
                        | "defaultCharset"
                        | "createTempFile"
                        | "createTempDirectory"
                        | "listRoots"
                        | "getenv"
                        | "getProperties"
                        | "console"
                ) || (owner == "java/util/Calendar" && &**name == "getInstance"))
        }
        OperationKind::ReadField { owner, .. } => owner.internal() == "java/lang/System",
        _ => false,
    }
}

/// Instance methods of builders and factories.
fn gives_away(name: &str, operation: &Operation) -> bool {
    let builder = ["build", "create", "make", "new", "get"].iter().any(|p| name.starts_with(p));
    builder && operation.params.first() != Some(&operation.result)
}

fn arguments(wanted: &Type) -> Vec<Type> {
    let Type::Class(class) = wanted else {
        return Vec::new();
    };
    let of = |a: &TypeArg| match a {
        TypeArg::Exact(t) | TypeArg::Extends(t) | TypeArg::Super(t) => Some(t.clone()),
        TypeArg::Any => None,
    };
    class.args.iter().filter_map(of).collect()
}

fn enum_constants(info: &ClassInfo) -> Vec<Offer> {
    let ty = Type::Class(ClassType { name: info.name.clone(), args: Vec::new() });
    info.fields
        .iter()
        .filter(|f| f.access.has(Access::ENUM))
        .take(MAX_ENUM)
        .map(|f| Constant::Enum { class: info.name.clone(), name: f.name.as_str().into() })
        .map(|c| Offer::bare(Operation::constant(c, ty.clone())))
        .collect()
}
