//! Compressed resources: layers of headers, each naming what undoes it. Owns the `zip` layer; others are named in a
//! problem.

use super::location::Strings;
use super::{JimageProblem, Layout};

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER: usize = 29;
/// No class file or JDK resource comes near this; a header that claims more is broken.
const MAX_SIZE: u64 = 1 << 30;

pub(super) fn decompress(
    content: &[u8],
    size: u64,
    layout: Layout,
    strings: Strings<'_>,
    resource: &str,
) -> Result<Vec<u8>, JimageProblem> {
    let malformed = |expected| JimageProblem::Malformed { offset: layout.strings_end, expected };
    let mut layer: Vec<u8> = content.to_vec();
    while layout.u32(&layer, 0) == Some(MAGIC) {
        let (Some(_), Some(inflated), Some(name)) =
            (layout.u64(&layer, 4), layout.u64(&layer, 12), layout.u32(&layer, 20))
        else {
            return Err(malformed("the header of a compressed resource"));
        };
        let body = layer.get(HEADER..).ok_or(malformed("the header of a compressed resource"))?;
        let decompressor = strings.get(u64::from(name))?;
        if decompressor != "zip" {
            let (resource, decompressor) = (resource.to_owned(), decompressor.to_owned());
            return Err(JimageProblem::Decompressor { resource, decompressor });
        }
        if inflated > MAX_SIZE {
            return Err(malformed("a resource below 1 GiB"));
        }
        layer = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(body, inflated as usize)
            .map_err(|_| malformed("zlib data that inflates to the size stated"))?;
    }
    if layer.len() as u64 == size { Ok(layer) } else { Err(malformed("a resource of the size stated")) }
}
