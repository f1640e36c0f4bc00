//! An OCI image layout (image-spec 1.1) in a tar: one image for each architecture, of nothing but the program.
use crate::{About, archive, archive::Tar, payload::Payload, sha256};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Contents by their digests.
type Blobs = BTreeMap<String, Vec<u8>>;

pub(crate) fn layout(payloads: &[Payload], about: &About) -> Result<Vec<u8>, String> {
    let mut blobs = Blobs::new();
    let mut image = |payload| image(payload, about, &mut blobs);
    let manifests = payloads.iter().map(&mut image).collect::<Result<Vec<_>, _>>()?;
    let index = |manifests: &[Value]| {
        json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests }).to_string()
    };
    // One name for all architectures: an index of which the layout's own index speaks.
    let mut all = add(&mut blobs, INDEX, index(&manifests).into_bytes());
    all["annotations"] = json!({ "org.opencontainers.image.ref.name": about.version });
    let mut tar = Tar::new(about.time);
    let version = json!({ "imageLayoutVersion": "1.0.0" }).to_string();
    tar.file("oci-layout", version.as_bytes(), 0o644)?;
    tar.file("index.json", index(&[all]).as_bytes(), 0o644)?;
    tar.folder("blobs/")?;
    tar.folder("blobs/sha256/")?;
    for (digest, bytes) in &blobs {
        tar.file(&format!("blobs/sha256/{digest}"), bytes, 0o644)?;
    }
    tar.done()
}

/// The layer is the same tree as in the other packages.
fn image(payload: &Payload, about: &About, blobs: &mut Blobs) -> Result<Value, String> {
    let layer = archive::tree(payload, about.time, "")?;
    let layers = json!({ "type": "layers", "diff_ids": [format!("sha256:{}", sha256(&layer))] });
    let layer = add(blobs, LAYER, archive::gzip(&layer)?);
    // Go's names of architectures are Debian's.
    let platform = json!({ "architecture": payload.arch.debian(), "os": "linux" });
    let mut config = platform.clone();
    config["config"] = json!({ "Entrypoint": ["/usr/bin/cpulens"], "Env": ["PATH=/usr/bin"] });
    config["rootfs"] = layers;
    let config = add(blobs, CONFIG, config.to_string().into_bytes());
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": config,
        "layers": [layer],
    });
    let mut found = add(blobs, MANIFEST, manifest.to_string().into_bytes());
    found["platform"] = platform;
    Ok(found)
}

/// Keeps the content, and describes it.
fn add(blobs: &mut Blobs, kind: &str, bytes: Vec<u8>) -> Value {
    let digest = sha256(&bytes);
    let descriptor =
        json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len() });
    blobs.insert(digest, bytes);
    descriptor
}
