//! Prints how long the usual questions take on a JDK: `world_speed JDK_HOME`. Owns the measuring only.

use std::borrow::Cow;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use bytecode::class_info::ClassInfo;
use bytecode::jimage::Jimage;
use bytecode::names::ClassName;
use bytecode::world::{ClassSource, Scope, World};
use memmap2::Mmap;

struct Jdk {
    image: Jimage<Mmap>,
    names: Vec<ClassName>,
}

impl ClassSource for Jdk {
    fn class_bytes(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.image.class_bytes(name).ok().flatten()
    }
    fn names(&self, scope: Scope) -> Vec<ClassName> {
        if scope == Scope::Platform { self.names.clone() } else { Vec::new() }
    }
    fn is_exported(&self, package: &str) -> bool {
        self.image.is_exported(package).ok().flatten().unwrap_or(true)
    }
}

#[expect(clippy::disallowed_methods, reason = "measuring is what this program is for")]
fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    println!("{:8.1} ms  {what}", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = std::env::args().nth(1).ok_or("usage: world_speed JDK_HOME")?;
    // The file belongs to an installed JDK; nothing writes it meanwhile.
    let map = unsafe { Mmap::map(&File::open(format!("{home}/lib/modules"))?)? };
    let image = timed("open the image", || Jimage::open(map))?;
    let all: Vec<(String, ClassName)> = timed("list all classes", || {
        image.classes().map(|c| c.map(|(module, name)| (module.to_owned(), name))).collect::<Result<_, _>>()
    })?;
    timed("10,000 look-ups by name", || {
        all.iter().cycle().step_by(7).take(10_000).filter(|(_, n)| image.class_bytes(n.internal()).is_ok()).count()
    });
    for round in ["first", "again"] {
        let count = timed(&format!("read {} classes, {round}", all.len()), || {
            let read =
                |n: &ClassName| image.class_bytes(n.internal()).ok().flatten().and_then(|b| ClassInfo::read(&b).ok());
            all.iter().filter_map(|(_, n)| read(n)).map(|(info, _)| info.methods.len()).sum::<usize>()
        });
        println!("             ({count} methods)");
    }
    let exported = timed("exported classes", || image.exported_classes())?;
    let base: Vec<ClassName> =
        exported.iter().filter(|n| image.module_of(n.package()) == Ok(Some("java.base"))).cloned().collect();
    for (label, names) in [("java.base", base), ("all modules", exported)] {
        println!("{label}: {} exported classes", names.len());
        let map = unsafe { Mmap::map(&File::open(format!("{home}/lib/modules"))?)? };
        let world = World::new(Arc::new(Jdk { image: Jimage::open(map)?, names }));
        let list = ClassName::new("java/util/List");
        timed("providers of List, index included", || world.providers(&list, Scope::Platform));
        let found = timed("providers of List, again", || world.providers(&list, Scope::Platform));
        println!("             ({} providers)", found.len());
        let below = timed("implementors of List, index included", || world.implementors(&list, Scope::Platform));
        println!("             ({} classes)", below.len());
        timed("implementors of List, again", || world.implementors(&list, Scope::Platform));
        timed("methods of ArrayList", || world.methods_of(&ClassName::new("java/util/ArrayList")))?;
        timed("providers of Object", || world.providers(&ClassName::new("java/lang/Object"), Scope::Platform));
    }
    Ok(())
}
