//! The place of a run's record and page, and the reason if they cannot be saved.
use crate::{files, output::say};
use analyse::Report;
use anyhow::{Context, Result, bail};
use record::Record;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The record's place, and the reason if it cannot be saved.
pub(crate) struct Store {
    /// The record's file, if there is a place for one.
    pub(crate) file: Option<PathBuf>,
    /// The first failure.
    pub(crate) trouble: Option<String>,
}

impl Store {
    /// Chooses the place and checks that it can be written, before anything is measured.
    pub(crate) fn open(asked: Option<&Path>, record: &Record) -> Result<Store> {
        if let Some(file) = asked {
            if file.extension().is_some_and(|x| x == "html") {
                bail!(
                    "--record {}: a record is JSON, and its page is saved beside it as .html; name it .json",
                    file.display()
                );
            }
            let folder = files::folder_of(file);
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            let bytes = record::to_vec(record)?;
            files::replace(file, &bytes)
                .with_context(|| format!("cannot write {}", file.display()))?;
            return Ok(Store { file: Some(file.to_owned()), trouble: None });
        }
        Ok(match files::writable_folder() {
            Ok((folder, refused)) => {
                let file = files::fresh(&folder, &files::name(record));
                if let Some(why) = refused {
                    say(&format!("cpulens: {why}; the record goes to {}", file.display()));
                }
                Store { file: Some(file), trouble: None }
            }
            // A run that cannot be saved still gives its report.
            Err(why) => {
                let trouble =
                    format!("the record is not saved: {why:#}; name a place with --record FILE");
                say(&format!("cpulens: {trouble}"));
                Store { file: None, trouble: Some(trouble) }
            }
        })
    }
    /// Saves the record. The first failure is printed at once, the last one at the end.
    pub(crate) fn save(&mut self, record: &Record) {
        let Some(file) = &self.file else { return };
        let saved = record::to_vec(record)
            .map_err(anyhow::Error::from)
            .and_then(|bytes| Ok(files::replace(file, &bytes)?));
        let trouble = saved.err().map(|why| {
            let earlier = if file.exists() { "; an earlier state of it is there" } else { "" };
            format!("the record could not be saved as {}: {why}{earlier}", file.display())
        });
        if let (Some(new), None) = (&trouble, &self.trouble) {
            say(&format!("cpulens: {new}; measuring goes on"));
        }
        self.trouble = trouble;
    }
    /// Saves the HTML report beside the record.
    pub(crate) fn save_page(&mut self, report: &Report<'_>) {
        let Some(page) = self.page() else { return };
        let mut bytes = vec![];
        let rendered = render::renderer::render("html", report, &Default::default(), &mut bytes);
        if let Err(why) = rendered.and_then(|()| files::replace(&page, &bytes)) {
            self.trouble
                .get_or_insert(format!("the page could not be saved as {}: {why}", page.display()));
        }
    }
    /// Where the page goes: beside the record, but not beside a device such as /dev/null.
    fn page(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        let device = fs::metadata(file).is_ok_and(|m| !m.is_file());
        (!device).then(|| file.with_extension("html"))
    }
    /// Prints where the record and the page are.
    pub(crate) fn print_places(&self, quiet: bool) {
        match &self.trouble {
            Some(trouble) => say(&format!("cpulens: {trouble}")),
            None if quiet => {}
            None => {
                let places = [("Record", self.file.clone()), ("Report", self.page())];
                for (what, file) in places {
                    file.iter().for_each(|f| say(&format!("{what}: {}", f.display())));
                }
            }
        }
    }
}
