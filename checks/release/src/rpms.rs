//! An RPM package for distributions since Enterprise Linux 8.
use crate::{About, payload::Payload};
use rpm::{BuildConfig, FileOptions, PackageBuilder};

pub(crate) fn rpm(payload: &Payload, about: &About) -> Result<Vec<u8>, String> {
    build(payload, about).map_err(|e| format!("rpm: {e}"))
}

fn build(payload: &Payload, about: &About) -> Result<Vec<u8>, rpm::Error> {
    let config =
        BuildConfig::v4().compression(rpm::CompressionWithLevel::Gzip(6)).source_date(about.time);
    let mut builder = PackageBuilder::new(
        "cpulens",
        &about.version,
        &about.license,
        payload.arch.name(),
        "CPU and memory benchmark that explains its results",
    );
    builder.using_config(config).release("1").description(format!("{}.", about.description));
    builder.build_host("localhost");
    for file in &payload.files {
        // Red Hat's zsh looks elsewhere than Debian's.
        let path = file.path.replace("zsh/vendor-completions", "zsh/site-functions");
        let mode = u16::try_from(file.mode).unwrap_or(0o644);
        let options = FileOptions::new(format!("/{path}")).permissions(mode);
        builder.with_file_contents(file.bytes.clone(), options)?;
    }
    let mut bytes = vec![];
    builder.build()?.write(&mut bytes)?;
    Ok(bytes)
}
