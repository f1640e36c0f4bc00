//! A Debian package (deb(5)): an `ar` of a version, control files and the files to install.
use crate::{
    About,
    archive::{self, Tar},
    payload::Payload,
};

/// gzip, which every version of dpkg unpacks.
pub(crate) fn deb(payload: &Payload, about: &About) -> Result<Vec<u8>, String> {
    let size: usize = payload.files.iter().map(|f| f.bytes.len()).sum();
    let control = format!(
        "Package: cpulens\nVersion: {}\nArchitecture: {}\nMaintainer: cpulens developers <cpulens@localhost>\n\
         Installed-Size: {}\nSection: utils\nPriority: optional\nDescription: CPU and memory benchmark that explains its \
         results\n {}.\n",
        about.version,
        payload.arch.debian(),
        size.div_ceil(1024),
        about.description
    );
    let mut meta = Tar::new(about.time);
    meta.folder("./")?;
    meta.file("./control", control.as_bytes(), 0o644)?;
    let data = archive::tree(payload, about.time, "./")?;
    let parts = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", archive::gzip(&meta.done()?)?),
        ("data.tar.gz", archive::gzip(&data)?),
    ];
    let mut out = ar::Builder::new(vec![]);
    for (name, bytes) in parts {
        let mut header = ar::Header::new(name.as_bytes().to_vec(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(about.time.into());
        out.append(&header, bytes.as_slice()).map_err(|e| format!("ar: {name}: {e}"))?;
    }
    out.into_inner().map_err(|e| format!("ar: {e}"))
}
