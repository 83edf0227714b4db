//! The static members of the hook class that inserted code uses, and which calls they stand in for. Owns their names
//! and descriptors (the worker's Java side has exactly these) and their constants; inserts nothing itself.

use super::constants::{NewConstants, PoolFull};
use super::plan::{Plan, Redirect};
use super::reach::Mark;
use super::report::SiteKind;
use crate::instruction::opcode as op;
use crate::names::ClassName;
use crate::raw::{MemberKind, MemberRef, Pool};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Hook {
    Hit,
    Step,
    IntCompare,
    IntCompareZero,
    LongCompare,
    FloatCompareLess,
    FloatCompareGreater,
    DoubleCompareLess,
    DoubleCompareGreater,
    Switch,
    InitStart,
    InitEnd,
    StringEquals,
    StringEqualsIgnoreCase,
    StringStartsWith,
    StringEndsWith,
    StringContains,
    StringCompareTo,
    StringIndexOf,
    StringMatches,
    StringIsEmpty,
    StringHash,
    ObjectEquals,
    ObjectsEqual,
    Contains,
    ContainsKey,
    ContainsValue,
    IsEmpty,
    IsEmptyMap,
    // From here on: members of the class `Monitor`.
    Entering,
    Entered,
    Left,
    Threw,
    Constructing,
    Constructed,
    Wrote,
    Read,
    ReadElement,
    ReadLength,
    ReadAll,
}

/// Name and descriptor by [`Hook`]. The first is a field.
const MEMBERS: [(&str, &str); 40] = [
    ("HIT", "[B"),
    ("step", "()V"),
    ("icmp", "(III)V"),
    ("icmp0", "(II)V"),
    ("lcmp", "(JJI)I"),
    ("fcmpl", "(FFI)I"),
    ("fcmpg", "(FFI)I"),
    ("dcmpl", "(DDI)I"),
    ("dcmpg", "(DDI)I"),
    ("sw", "(II)V"),
    ("initStart", "(I)V"),
    ("initEnd", "(I)V"),
    ("stringEquals", "(Ljava/lang/String;Ljava/lang/Object;I)Z"),
    ("stringEqualsIgnoreCase", "(Ljava/lang/String;Ljava/lang/String;I)Z"),
    ("stringStartsWith", "(Ljava/lang/String;Ljava/lang/String;I)Z"),
    ("stringEndsWith", "(Ljava/lang/String;Ljava/lang/String;I)Z"),
    ("stringContains", "(Ljava/lang/String;Ljava/lang/CharSequence;I)Z"),
    ("stringCompareTo", "(Ljava/lang/String;Ljava/lang/String;I)I"),
    ("stringIndexOf", "(Ljava/lang/String;Ljava/lang/String;I)I"),
    ("stringMatches", "(Ljava/lang/String;Ljava/lang/String;I)Z"),
    ("stringIsEmpty", "(Ljava/lang/String;I)Z"),
    ("stringHash", "(Ljava/lang/String;I)I"),
    ("objectEquals", "(Ljava/lang/Object;Ljava/lang/Object;I)Z"),
    ("objectsEqual", "(Ljava/lang/Object;Ljava/lang/Object;I)Z"),
    ("contains", "(Ljava/util/Collection;Ljava/lang/Object;I)Z"),
    ("containsKey", "(Ljava/util/Map;Ljava/lang/Object;I)Z"),
    ("containsValue", "(Ljava/util/Map;Ljava/lang/Object;I)Z"),
    ("isEmpty", "(Ljava/util/Collection;I)Z"),
    ("isEmpty", "(Ljava/util/Map;I)Z"),
    ("entering", "(I)Z"),
    ("entered", "(ILjava/lang/Object;[Ljava/lang/Object;)V"),
    ("left", "(ILjava/lang/Object;)V"),
    ("threw", "(ILjava/lang/Throwable;)V"),
    ("constructing", "(I)V"),
    ("constructed", "(I)V"),
    ("wrote", "(Ljava/lang/Object;)V"),
    ("read", "(Ljava/lang/Object;I)V"),
    ("readElement", "(Ljava/lang/Object;I)V"),
    ("readLength", "(Ljava/lang/Object;)V"),
    ("readAll", "(Ljava/lang/Object;)V"),
];

/// A method whose calls are reported, as the code names it.
struct Reported {
    owners: &'static [&'static str],
    name: &'static str,
    descriptor: &'static str,
    hook: Hook,
    kind: SiteKind,
}

const REPORTED_CALLS: [Reported; 18] = {
    const fn call(
        owners: &'static [&'static str],
        name: &'static str,
        descriptor: &'static str,
        hook: Hook,
        kind: SiteKind,
    ) -> Reported {
        Reported { owners, name, descriptor, hook, kind }
    }
    const STRING: &[&str] = &["java/lang/String"];
    const WITH_OBJECT: &str = "(Ljava/lang/Object;)Z";
    const WITH_STRING: &str = "(Ljava/lang/String;)Z";
    const EQUALS: &[&str] = &[
        "java/lang/Object",
        "java/lang/Boolean",
        "java/lang/Byte",
        "java/lang/Character",
        "java/lang/Double",
        "java/lang/Float",
        "java/lang/Integer",
        "java/lang/Long",
        "java/lang/Short",
    ];
    const COLLECTIONS: &[&str] = &[
        "java/util/ArrayDeque",
        "java/util/ArrayList",
        "java/util/Collection",
        "java/util/Deque",
        "java/util/HashSet",
        "java/util/LinkedHashSet",
        "java/util/LinkedList",
        "java/util/List",
        "java/util/Queue",
        "java/util/Set",
        "java/util/SortedSet",
        "java/util/TreeSet",
    ];
    const MAPS: &[&str] = &[
        "java/util/HashMap",
        "java/util/LinkedHashMap",
        "java/util/Map",
        "java/util/SortedMap",
        "java/util/TreeMap",
        "java/util/concurrent/ConcurrentHashMap",
        "java/util/concurrent/ConcurrentMap",
    ];
    [
        call(STRING, "equals", WITH_OBJECT, Hook::StringEquals, SiteKind::StringEquals),
        call(STRING, "equalsIgnoreCase", WITH_STRING, Hook::StringEqualsIgnoreCase, SiteKind::StringEqualsIgnoreCase),
        call(STRING, "startsWith", WITH_STRING, Hook::StringStartsWith, SiteKind::StringStartsWith),
        call(STRING, "endsWith", WITH_STRING, Hook::StringEndsWith, SiteKind::StringEndsWith),
        call(STRING, "contains", "(Ljava/lang/CharSequence;)Z", Hook::StringContains, SiteKind::StringContains),
        call(STRING, "compareTo", "(Ljava/lang/String;)I", Hook::StringCompareTo, SiteKind::StringCompareTo),
        call(STRING, "indexOf", "(Ljava/lang/String;)I", Hook::StringIndexOf, SiteKind::StringIndexOf),
        call(STRING, "matches", WITH_STRING, Hook::StringMatches, SiteKind::StringMatches),
        call(STRING, "isEmpty", "()Z", Hook::StringIsEmpty, SiteKind::StringIsEmpty),
        call(STRING, "hashCode", "()I", Hook::StringHash, SiteKind::StringSwitch),
        call(EQUALS, "equals", WITH_OBJECT, Hook::ObjectEquals, SiteKind::ObjectEquals),
        call(
            &["java/util/Objects"],
            "equals",
            "(Ljava/lang/Object;Ljava/lang/Object;)Z",
            Hook::ObjectsEqual,
            SiteKind::ObjectEquals,
        ),
        call(COLLECTIONS, "contains", WITH_OBJECT, Hook::Contains, SiteKind::Contains),
        call(COLLECTIONS, "isEmpty", "()Z", Hook::IsEmpty, SiteKind::IsEmpty),
        call(MAPS, "containsKey", WITH_OBJECT, Hook::ContainsKey, SiteKind::Contains),
        call(MAPS, "containsValue", WITH_OBJECT, Hook::ContainsValue, SiteKind::Contains),
        call(MAPS, "isEmpty", "()Z", Hook::IsEmptyMap, SiteKind::IsEmpty),
        call(&["java/util/Properties"], "containsKey", WITH_OBJECT, Hook::ContainsKey, SiteKind::Contains),
    ]
};

/// What a method reference in the pool means for instrumentation. Whether it applies depends on the call's opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Other,
    /// Nothing to do, but its result can only be 0 or 1.
    Boolean,
    Reported(Hook, SiteKind),
    /// Index into the plan's redirects.
    Redirected(u16),
}

/// Constants for the hooks of one class, made when first needed.
pub(super) struct Hooks<'p> {
    plan: &'p Plan,
    monitor: ClassName,
    members: [u16; MEMBERS.len()],
    redirects: Vec<u16>,
    /// By pool index; `None`: not looked at yet.
    calls: Vec<Option<Call>>,
    /// The same for what reaches outside.
    marks: Vec<Option<Option<Mark>>>,
}

impl<'p> Hooks<'p> {
    pub fn new(plan: &'p Plan, slots: usize) -> Hooks<'p> {
        Hooks {
            plan,
            monitor: plan.monitor(),
            members: [0; MEMBERS.len()],
            redirects: vec![0; plan.redirects.len()],
            calls: vec![None; slots],
            marks: vec![None; if plan.reaches.is_some() { slots } else { 0 }],
        }
    }

    /// The constant of a hook.
    pub fn member(&mut self, hook: Hook, pool: &mut NewConstants) -> Result<u16, PoolFull> {
        let slot = &mut self.members[hook as usize];
        if *slot == 0 {
            let (name, descriptor) = MEMBERS[hook as usize];
            let owner = if hook as u8 >= Hook::Entering as u8 { &self.monitor } else { &self.plan.hooks };
            let owner = owner.internal().as_bytes();
            *slot = if hook == Hook::Hit {
                pool.field(owner, name.as_bytes(), descriptor.as_bytes())?
            } else {
                pool.method(owner, name.as_bytes(), descriptor.as_bytes())?
            };
        }
        Ok(*slot)
    }

    /// The constant of the method a redirect goes to.
    pub fn redirect(&mut self, index: u16, pool: &mut NewConstants) -> Result<u16, PoolFull> {
        let slot = &mut self.redirects[usize::from(index)];
        if *slot == 0 {
            let r = &self.plan.redirects[usize::from(index)];
            let descriptor = r.to_descriptor();
            *slot = pool.method(r.to_class.internal().as_bytes(), r.to_name.as_bytes(), descriptor.as_bytes())?;
        }
        Ok(*slot)
    }

    /// What the method reference at a pool index is.
    pub fn call(&mut self, constant: u16, pool: &Pool<'_>) -> Call {
        let Some(slot) = self.calls.get_mut(usize::from(constant)) else {
            return Call::Other;
        };
        *slot.get_or_insert_with(|| match pool.member(constant) {
            Ok(member) => classify(&member, self.plan),
            Err(_) => Call::Other,
        })
    }

    /// What belongs in front of a call of the method at a pool index.
    pub fn mark_of(&mut self, constant: u16, has_receiver: bool, pool: &Pool<'_>) -> Option<Mark> {
        let plan = self.plan;
        let reaches = plan.reaches.as_ref()?;
        let slot = self.marks.get_mut(usize::from(constant))?;
        let mark = slot.get_or_insert_with(|| {
            let member = pool.member(constant).ok().filter(|m| m.kind != MemberKind::Field)?;
            reaches.mark(&plan.kin, &member, has_receiver)
        });
        mark.clone()
    }

    /// Does the hook apply to a call with this opcode?
    pub fn is_reported_by(hook: Hook, opcode: u8) -> bool {
        match opcode {
            op::INVOKESTATIC => hook == Hook::ObjectsEqual,
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE => hook != Hook::ObjectsEqual,
            _ => false,
        }
    }

    /// The redirect that applies to a call with this opcode.
    pub fn redirect_of(&self, call: Call, opcode: u8) -> Option<u16> {
        let Call::Redirected(index) = call else {
            return None;
        };
        let r = &self.plan.redirects[usize::from(index)];
        let applies = match opcode {
            op::INVOKESTATIC => r.is_static,
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE => !r.is_static,
            _ => false,
        };
        applies.then_some(index)
    }
}

fn classify(member: &MemberRef<'_>, plan: &Plan) -> Call {
    let is_redirected = |r: &Redirect| {
        member.name == r.name.as_str()
            && member.owner == r.owner.internal()
            && member.descriptor == r.descriptor.as_str()
    };
    if let Some(index) = plan.redirects.iter().position(is_redirected) {
        // A plan with 65,536 redirects does not exist; should it, the rest is ignored.
        return u16::try_from(index).map_or(Call::Other, Call::Redirected);
    }
    let reported = REPORTED_CALLS.iter().find(|r| {
        member.name == r.name && member.descriptor == r.descriptor && r.owners.iter().any(|o| member.owner == *o)
    });
    if let (Some(r), MemberKind::Method | MemberKind::InterfaceMethod) = (reported, member.kind) {
        return Call::Reported(r.hook, r.kind);
    }
    if member.descriptor.bytes().ends_with(b")Z") { Call::Boolean } else { Call::Other }
}
