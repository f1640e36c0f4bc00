//! A page in the reader's language: `sections` writes it in English.
use messages::{Lang, prose};
use record::Text;
use sections::chart::{Chart, Kind};
use sections::page::{Block, Page, Section};

/// The page in a language. What is to be pasted stays as it is.
#[must_use]
pub(crate) fn page(lang: Lang, mut page: Page) -> Page {
    if lang == Lang::En {
        return page;
    }
    for section in &mut page.sections {
        section.title = title(lang, section);
    }
    let translate = &mut |text: &mut Text| translate(lang, text);
    translate(&mut page.title);
    translate(&mut page.subtitle);
    if let Some(banner) = &mut page.banner {
        banner.each_text(translate);
    }
    page.sections.iter_mut().flat_map(|s| &mut s.blocks).for_each(|b| block(lang, b));
    page
}

/// The chart with its words in a language.
pub(crate) fn chart(lang: Lang, chart: &Chart) -> Chart {
    let (title, of_machine) = (&chart.title, chart.is_of_machine());
    let mut chart = chart.clone();
    chart.each_text(&mut |text| {
        if let Some(said) = prose::translated(lang, text) {
            *text = said.into();
        }
    });
    if of_machine {
        chart.title.clone_from(title);
    }
    let change = |name: &mut &'static str| *name = messages::word(lang, name);
    match &mut chart.kind {
        Kind::Curves(curves) => {
            change(&mut curves.axes.x.0);
            change(&mut curves.axes.y.0);
        }
        Kind::Timeline(panels) => panels.iter_mut().for_each(|panel| change(&mut panel.label)),
        _ => {}
    }
    chart
}

fn translate(lang: Lang, text: &mut Text) {
    if let Some(said) = prose::translated(lang, text) {
        *text = said.into();
    }
}

/// A section's title in a language.
pub(crate) fn title(lang: Lang, section: &Section) -> &'static str {
    let of_section = messages::text(lang, &format!("section-{}", section.id));
    let word = messages::translated(lang, section.title);
    word.or(of_section.filter(|_| lang != Lang::En)).unwrap_or(section.title)
}

/// Its words in a language, but for lines to be pasted and for parts of a drawing, of which a renderer makes lines.
fn block(lang: Lang, block: &mut Block) {
    match block {
        Block::Lines(_) => {}
        Block::Chart(drawn) if matches!(drawn.kind, Kind::Drawing(_)) => {
            let kind = drawn.kind.clone();
            **drawn = chart(lang, drawn);
            drawn.kind = kind;
        }
        Block::Chart(drawn) if drawn.is_of_machine() => **drawn = chart(lang, drawn),
        Block::Details(details) => {
            translate(lang, &mut details.summary);
            details.instead.iter_mut().for_each(|text| translate(lang, text));
            details.blocks.iter_mut().for_each(|inner| self::block(lang, inner));
        }
        Block::Table(table) => table.each_text(false, &mut |text| translate(lang, text)),
        _ => block.each_text(&mut |text| translate(lang, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sections::page::Table;

    #[test]
    fn a_machine_that_is_called_as_a_word_keeps_its_name() {
        let mut table = Table::new(["@machine", "figure"]);
        table.row(["kernel", "read bandwidth"]);
        let mut block = Block::Table(table);
        super::block(Lang::Zh, &mut block);
        let Block::Table(table) = block else { panic!("{block:?}") };
        assert_eq!(table.rows, [["kernel", "读带宽"]]);
        assert_ne!(table.columns[0].name, "machine");
    }
}
