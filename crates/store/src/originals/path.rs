//! The paths of originals: plain names with `/` between them, under the tenant's prefix.

use object_store::path::Path;
use quipu_core::tenancy::TenantScope;
use quipu_core::{
    AttachmentId, ConversationId, DocumentId, Error, KnowledgeBaseId, LeadId, Result,
};

/// The longest name, in bytes. Every file system takes it, with room for the mark that the
/// library puts after the name of an unfinished file.
const LONGEST_NAME: usize = 200;
/// Longer endings than this are not extensions.
const LONGEST_EXTENSION: usize = 16;
/// More names than any path of ours has.
const MOST_NAMES: usize = 8;
/// What a file is called when nothing is left of its name.
const NAMELESS: &str = "original";

pub(super) fn of(
    kb: KnowledgeBaseId,
    document: DocumentId,
    version: i32,
    filename: &str,
) -> String {
    let mut name = plain(filename);
    // Such a file would stand where the folder of a later version has to.
    if is_version(&name) {
        name.push('_');
    }
    if version > 1 {
        format!("{kb}/{document}/v{version}/{name}")
    } else {
        format!("{kb}/{document}/{name}")
    }
}

/// No knowledge base has this name, so nothing of a lead is ever below one.
const LEADS: &str = "leads";

pub(super) fn of_lead(lead: LeadId) -> String {
    format!("{LEADS}/{lead}")
}

pub(super) fn of_attachment(
    lead: LeadId,
    conversation: ConversationId,
    attachment: AttachmentId,
    filename: &str,
) -> String {
    let folder = of_lead(lead);
    let name = plain(filename);
    format!("{folder}/{conversation}/{attachment}/{name}")
}

/// Where a file of the tenant is.
pub(super) fn file(root: &Path, scope: TenantScope, path: &str) -> Result<Path> {
    inside(root, scope, path.split('/'))
}

/// Where a group of files of the tenant is; all of them for the empty prefix.
pub(super) fn prefix(root: &Path, scope: TenantScope, prefix: &str) -> Result<Path> {
    if prefix.is_empty() {
        return inside(root, scope, []);
    }
    inside(root, scope, prefix.split('/'))
}

fn inside<'a>(
    root: &Path,
    scope: TenantScope,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Path> {
    let mut location = format!("{root}/{}", scope.tenant_id());
    for (i, name) in names.into_iter().enumerate() {
        // A name that would have to be changed to be plain was not made here.
        if i >= MOST_NAMES || plain(name) != name {
            return Err(Error::internal("not the path of an original"));
        }
        location.push('/');
        location.push_str(name);
    }
    // The library's other constructor would spell every accent in three characters, and a long
    // name would not fit into a folder any more.
    Path::parse(location).map_err(Error::internal)
}

/// A name that means the same in a folder, in a bucket and in an address: no separators, nothing
/// that is escaped or invisible, no dots or blanks at the ends.
fn plain(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name
        .chars()
        .map(|c| if is_troublesome(c) { '_' } else { c })
        .collect();
    let name = name.trim_matches(is_edge);
    let name = shortened(name);
    if name.is_empty() {
        return NAMELESS.to_owned();
    }
    name
}

fn is_edge(c: char) -> bool {
    c == '.' || c.is_whitespace()
}

fn is_troublesome(c: char) -> bool {
    c.is_control()
        // What buckets advise against; the number sign also marks unfinished files in folders.
        || "{}^%`[]\"<>~#|*?:".contains(c)
        // Marks that turn the direction of text or take no room make a name look like another.
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        // The lists of buckets are XML, which has no words for these.
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn shortened(name: &str) -> String {
    if name.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let extension = name
        .rfind('.')
        .map(|dot| &name[dot..])
        .filter(|extension| extension.len() <= LONGEST_EXTENSION)
        .unwrap_or_default();
    let stem = &name[..name.floor_char_boundary(LONGEST_NAME - extension.len())];
    format!("{}{extension}", stem.trim_end_matches(is_edge))
}

fn is_version(name: &str) -> bool {
    name.strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quipu_core::TenantId;
    use uuid::Uuid;

    fn ids() -> (KnowledgeBaseId, DocumentId, TenantScope) {
        let id = Uuid::from_u128(7);
        (id.into(), id.into(), TenantScope::of(TenantId::from(id)))
    }

    #[test]
    fn paths_are_the_knowledge_base_the_document_and_the_name() {
        let (kb, document, _) = ids();
        let folder = format!("{kb}/{document}");
        let path = |version, name| of(kb, document, version, name);
        assert_eq!(path(1, "carta.pdf"), format!("{folder}/carta.pdf"));
        assert_eq!(path(2, "carta.pdf"), format!("{folder}/v2/carta.pdf"));
        assert_eq!(path(1, "v2"), format!("{folder}/v2_"));
        assert_eq!(path(3, "v2"), format!("{folder}/v3/v2_"));
    }

    #[test]
    fn attachments_lie_below_their_lead_and_alone() {
        let id = Uuid::from_u128(7);
        let path = of_attachment(id.into(), id.into(), id.into(), "../foto\n1.png");
        assert_eq!(path, format!("leads/{id}/{id}/{id}/foto_1.png"));
        assert!(path.starts_with(&of_lead(id.into())));
        let (_, _, scope) = ids();
        assert!(file(&Path::ROOT, scope, &path).is_ok());
    }

    #[test]
    fn names_become_plain() {
        for (given, kept) in [
            (
                "Menú del año 2025 (final).pdf",
                "Menú del año 2025 (final).pdf",
            ),
            ("メニュー.docx", "メニュー.docx"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\carta.doc", "carta.doc"),
            ("..", "original"),
            ("", "original"),
            ("   ", "original"),
            ("/", "original"),
            (".env", "env"),
            ("a\0b\n.txt", "a_b_.txt"),
            ("100%.csv", "100_.csv"),
            ("a%2f..%2fb", "a_2f.._2fb"),
            ("foto#1", "foto_1"),
            ("carta\u{202e}fdp.exe", "carta_fdp.exe"),
        ] {
            assert_eq!(plain(given), kept, "{given:?}");
        }
        let long = format!("{}.pdf", "ñ".repeat(300));
        assert_eq!(plain(&long), format!("{}.pdf", "ñ".repeat(98)));
    }

    #[test]
    fn a_path_that_is_not_plain_is_refused() {
        let (_, _, scope) = ids();
        let root = Path::ROOT;
        for bad in [
            "",
            "/",
            "a/",
            "/a",
            "a//b",
            ".",
            "..",
            "../a",
            "a/../b",
            "a/..",
            "a/./b",
            "a\\b",
            "a%2fb",
            "%2e%2e/a",
            "a\0",
            "a#1",
            "a/b/c/d/e/f/g/h/i",
        ] {
            assert!(file(&root, scope, bad).is_err(), "{bad:?}");
        }
        assert!(file(&root, scope, &"a".repeat(201)).is_err());
        assert!(prefix(&root, scope, "..").is_err());
        assert!(prefix(&root, scope, "").is_ok());
    }

    proptest! {
        #[test]
        fn every_name_makes_a_path_that_survives(name in any::<String>(), version in 0i32..4) {
            let (kb, document, scope) = ids();
            let path = of(kb, document, version, &name);
            let location = file(&Path::ROOT, scope, &path).unwrap();
            let tenant = scope.tenant_id();
            prop_assert_eq!(location.as_ref(), format!("{tenant}/{path}"));
            // Another pass changes nothing: what is stored is found under the same name.
            let last = path.rsplit('/').next().unwrap();
            prop_assert_eq!(plain(last), last);
            prop_assert!(!last.is_empty() && last.len() <= LONGEST_NAME + 1);
            prop_assert!(!last.contains(['/', '\\', '#', '%']) && !last.chars().any(char::is_control));
        }

        #[test]
        fn no_path_leaves_its_tenant(path in "([a-z.%/\\\\~]|\\.\\./|%2[eEfF]){0,40}") {
            let (_, _, scope) = ids();
            let home = format!("bucket/{}/", scope.tenant_id());
            if let Ok(location) = file(&Path::parse("bucket").unwrap(), scope, &path) {
                prop_assert!(location.as_ref().starts_with(&home));
                prop_assert!(location.parts().all(|part| part.as_ref() != ".."));
            }
        }
    }
}
