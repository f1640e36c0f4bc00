//! An OCI image layout (image-spec 1.1) in a tar: one image for each architecture, of nothing but the program.
use crate::{About, archive, archive::Tar, payload::Payload, sha256};
use oci_spec::image::{
    Arch as OciArch, ConfigBuilder, Descriptor, DescriptorBuilder, ImageConfigurationBuilder,
    ImageIndexBuilder, ImageManifestBuilder, MediaType, OciLayoutBuilder, Os, PlatformBuilder,
    RootFsBuilder, SCHEMA_VERSION, Sha256Digest,
};
use std::{collections::BTreeMap, str::FromStr};
use xtask::dist::Arch;

pub(crate) fn layout(payloads: &[Payload], about: &About) -> Result<Vec<u8>, String> {
    build(payloads, about).map_err(|e| format!("OCI image: {e}"))
}

type Blobs = BTreeMap<String, Vec<u8>>;

fn build(payloads: &[Payload], about: &About) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut blobs = Blobs::new();
    let mut image = |payload| image(payload, about, &mut blobs);
    let manifests = payloads.iter().map(&mut image).collect::<Result<Vec<_>, _>>()?;
    let annotations = [("org.opencontainers.image.ref.name".to_owned(), about.version.clone())];
    let index = |manifests: Vec<Descriptor>| {
        let index = ImageIndexBuilder::default().schema_version(SCHEMA_VERSION);
        index.media_type(MediaType::ImageIndex).manifests(manifests).build()?.to_string()
    };
    // One name for all architectures: an index of which the layout's own index speaks.
    let mut all = add(&mut blobs, MediaType::ImageIndex, index(manifests)?.into_bytes())?;
    all.set_annotations(Some(annotations.into_iter().collect()));
    let version = OciLayoutBuilder::default().image_layout_version("1.0.0").build()?;
    let mut tar = Tar::new(about.time);
    tar.file("oci-layout", version.to_string()?.as_bytes(), 0o644)?;
    tar.file("index.json", index(vec![all])?.as_bytes(), 0o644)?;
    tar.folder("blobs/")?;
    tar.folder("blobs/sha256/")?;
    for (digest, bytes) in &blobs {
        tar.file(&format!("blobs/sha256/{digest}"), bytes, 0o644)?;
    }
    Ok(tar.done()?)
}

/// The layer is the same tree as in the other packages, and /tmp for scratch files.
fn image(
    payload: &Payload,
    about: &About,
    blobs: &mut Blobs,
) -> Result<Descriptor, Box<dyn std::error::Error>> {
    let layer = archive::tree(payload, about.time, "")?;
    let diff = format!("sha256:{}", sha256(&layer));
    let layer = add(blobs, MediaType::ImageLayerGzip, archive::gzip(&layer)?)?;
    let arch = match payload.arch {
        Arch::X86_64 => OciArch::Amd64,
        Arch::Aarch64 => OciArch::ARM64,
    };
    let program = ConfigBuilder::default()
        .entrypoint(vec!["/usr/bin/cpulens".to_owned()])
        .env(vec!["PATH=/usr/bin".to_owned()])
        .build()?;
    let config = ImageConfigurationBuilder::default()
        .architecture(arch.clone())
        .os(Os::Linux)
        .config(program)
        .rootfs(RootFsBuilder::default().typ("layers").diff_ids(vec![diff]).build()?)
        .build()?;
    let config = add(blobs, MediaType::ImageConfig, config.to_string()?.into_bytes())?;
    let manifest = ImageManifestBuilder::default()
        .schema_version(SCHEMA_VERSION)
        .media_type(MediaType::ImageManifest)
        .config(config)
        .layers(vec![layer])
        .build()?;
    let mut found = add(blobs, MediaType::ImageManifest, manifest.to_string()?.into_bytes())?;
    found.set_platform(Some(PlatformBuilder::default().architecture(arch).os(Os::Linux).build()?));
    Ok(found)
}

fn add(
    blobs: &mut Blobs,
    kind: MediaType,
    bytes: Vec<u8>,
) -> Result<Descriptor, Box<dyn std::error::Error>> {
    let digest = sha256(&bytes);
    let descriptor = DescriptorBuilder::default()
        .media_type(kind)
        .size(bytes.len() as u64)
        .digest(Sha256Digest::from_str(&digest)?)
        .build()?;
    blobs.insert(digest, bytes);
    Ok(descriptor)
}
