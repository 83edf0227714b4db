//! Methods whose effects are written down instead of read from code: native ones, and a few that only look as if they
//! did more (they cache, trace or report). Owns the table; a native method that is not in it is assumed to do its
//! worst.

use super::summary::{FIXED, GLOBAL, RESULT, Summary, beyond, bit, param};

/// What is known of a method.
pub(super) fn known(owner: &str, name: &str, descriptor: &str, is_native: bool) -> Option<Summary> {
    let result = given(descriptor);
    let harmless = || Some(Summary::giving(result));
    match owner {
        "java/lang/Object" => match name {
            "getClass" => Some(Summary::giving(bit(GLOBAL))),
            "hashCode" | "notify" | "notifyAll" | "registerNatives" => harmless(),
            "clone" => Some(Summary::giving(bit(RESULT)).linking(RESULT, bit(beyond(0)))),
            _ => None,
        },
        "java/lang/System" => match name {
            "arraycopy" => Some(Summary::default().writing(bit(param(2))).linking(param(2), bit(beyond(0)))),
            // There is none unless one was asked for when the JVM was started.
            "getSecurityManager" => Some(Summary::default()),
            "identityHashCode" | "currentTimeMillis" | "nanoTime" | "mapLibraryName" => harmless(),
            _ => None,
        },
        "java/lang/Class" => match name {
            "getName"
            | "getSimpleName"
            | "getTypeName"
            | "getCanonicalName"
            | "getPackageName"
            | "toString"
            | "hashCode"
            | "isInstance"
            | "isAssignableFrom"
            | "isInterface"
            | "isArray"
            | "isPrimitive"
            | "isHidden"
            | "isEnum"
            | "isRecord"
            | "getSuperclass"
            | "getModifiers"
            | "getComponentType"
            | "componentType"
            | "desiredAssertionStatus"
            | "desiredAssertionStatus0"
            | "getPrimitiveClass"
            | "getClassLoader"
            | "getClassLoader0"
            | "initClassName"
            | "getEnumConstantsShared"
            | "isAnonymousClass"
            | "isLocalClass"
            | "isMemberClass"
            | "getEnclosingClass"
            | "getDeclaringClass"
            | "getInterfaces"
            | "getModule" => harmless(),
            _ => None,
        },
        "java/lang/String" => match name {
            "intern" => harmless(),
            // The texts of the arguments are asked for, and those of what they refer to.
            "format" | "formatted" => {
                let all = (0..3).fold(0, |all, n| all | bit(param(n)) | bit(beyond(n)));
                Some(Summary::giving(bit(FIXED)).asking(all))
            }
            _ => None,
        },
        "java/lang/Throwable" => match name {
            "fillInStackTrace" if is_native => Some(Summary::giving(bit(param(0))).writing(bit(param(0)))),
            _ => None,
        },
        "java/lang/StackTraceElement" if is_native => Some(Summary::default().writing(bit(param(0)) | bit(beyond(0)))),
        "java/lang/Thread" => match name {
            "currentThread" | "currentCarrierThread" => Some(Summary::giving(bit(GLOBAL))),
            "holdsLock" | "onSpinWait" | "yield" | "yield0" | "isInterrupted" => harmless(),
            _ => None,
        },
        "java/lang/Double" | "java/lang/Float" => match name {
            "toString" | "parseDouble" | "parseFloat" => harmless(),
            _ if is_native => harmless(),
            _ => None,
        },
        "java/lang/Runtime" => match name {
            "availableProcessors" | "freeMemory" | "totalMemory" | "maxMemory" => harmless(),
            _ => None,
        },
        "java/lang/StrictMath" | "java/lang/Math" if is_native => harmless(),
        "java/lang/ref/Reference" if is_native => match name {
            "refersTo0" => harmless(),
            "clear0" => Some(Summary::default().writing(bit(param(0)))),
            _ => None,
        },
        "java/lang/reflect/Array" => match name {
            "newArray" | "multiNewArray" | "newInstance" => Some(Summary::giving(bit(RESULT))),
            "getLength" => harmless(),
            "get" => Some(Summary::giving(bit(beyond(0)))),
            "set" => Some(Summary::default().writing(bit(param(0))).linking(param(0), bit(param(2)))),
            _ if name.starts_with("get") => harmless(),
            _ if name.starts_with("set") => Some(Summary::default().writing(bit(param(0)))),
            _ => None,
        },
        "jdk/internal/math/FloatingDecimal" => match name {
            "toJavaFormatString" | "parseDouble" | "parseFloat" => harmless(),
            "appendTo" => Some(Summary::default().writing(bit(param(1)) | bit(beyond(1)))),
            _ => None,
        },
        // Says that an index is wrong, by an exception that the caller may have chosen.
        "jdk/internal/util/Preconditions" if name != "<clinit>" && name != "<init>" => harmless(),
        "jdk/internal/reflect/Reflection" if is_native => harmless(),
        "jdk/internal/misc/CDS" if is_native => harmless(),
        // Memory outside the heap is shared by all code.
        "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe" if descriptor.starts_with("(J") && changes_memory(name) => {
            Some(Summary::giving(result).writing(bit(GLOBAL)))
        }
        "jdk/internal/misc/ScopedMemoryAccess" if changes_memory(name) => {
            let all = (0..6).fold(bit(GLOBAL), |all, n| all | bit(param(n)) | bit(beyond(n)));
            Some(Summary::giving(result).writing(all))
        }
        "jdk/internal/misc/Unsafe" | "sun/misc/Unsafe" if is_native => unsafe_memory(name, result),
        _ if owner.starts_with("jdk/internal/event/") => harmless(),
        _ => None,
    }
}

/// Fields by their offset: the object is the first argument behind the receiver, the values come behind the offset.
fn unsafe_memory(name: &str, result: u64) -> Option<Summary> {
    let values = bit(param(3)) | bit(param(4));
    let held = if result == 0 { 0 } else { bit(beyond(1)) };
    if changes_memory(name) {
        return Some(Summary::giving(held).writing(bit(param(1))).linking(param(1), values));
    }
    match name {
        "allocateInstance" => Some(Summary::giving(bit(RESULT))),
        "staticFieldBase0" => Some(Summary::giving(bit(GLOBAL))),
        "fullFence"
        | "loadFence"
        | "storeFence"
        | "park"
        | "unpark"
        | "pageSize"
        | "addressSize0"
        | "arrayBaseOffset0"
        | "arrayIndexScale0"
        | "objectFieldOffset0"
        | "objectFieldOffset1"
        | "staticFieldOffset0"
        | "shouldBeInitialized0"
        | "isBigEndian0"
        | "unalignedAccess0" => Some(Summary::giving(0)),
        _ if name.starts_with("get") => Some(Summary::giving(held)),
        _ => None,
    }
}

fn changes_memory(name: &str) -> bool {
    let prefixes = ["put", "compareAnd", "weakCompareAnd", "getAnd", "set", "copy", "swap", "free", "unload", "force"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// A result of which nothing more is known: shared by all code.
fn given(descriptor: &str) -> u64 {
    match descriptor.rsplit_once(')').map_or("V", |(_, result)| result) {
        "Ljava/lang/String;" => bit(FIXED),
        result if result.starts_with(['L', '[']) => bit(GLOBAL),
        _ => 0,
    }
}
