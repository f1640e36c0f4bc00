//! Several records side by side as data: every ratio with what it rests on, and every reason why there is none.
use super::{interval, maybe, quantity};
use analyse::compare::{Against, Cell, Comparison, Grade, Incomparable, Row, Standing};
use record::Unit;
use serde_json::{Value, json};

/// Version of the document. A change that readers of the old one would misread raises it.
const COMPARISON: u32 = 1;

pub(super) fn document(of: &Comparison) -> Value {
    let sides = of.sides.iter().enumerate().map(|(i, side)| {
        json!({
            "name": side.name,
            "baseline": i == of.baseline,
            "model": side.model,
            "watts": maybe(side.spent.watts, Unit::Watts),
            "price": side.spent.price,
            "made": side.made,
            "environment": side.environment,
            "doubt": side.doubt,
            "drift": maybe(side.drift, Unit::Ratio),
            "band": (i != of.baseline).then(|| quantity(of.band(i), Unit::Ratio)),
            "series": side.measured,
            "not_measured": side.missing,
            "only_here": of.alone[i],
            "unlike": of.unlike[i].iter().map(|u| unlike(u, "cpulens run")).collect::<Vec<_>>(),
            "means": of.means[i].iter().map(|m| json!({
                "group": m.group.name(),
                "rows": m.rows,
                "times_better": m.times,
                "interval": interval(m.interval, Unit::Ratio),
            })).collect::<Vec<_>>(),
        })
    });
    let facts = of.facts.iter().map(|fact| {
        let values = fact.values.iter().map(|v| {
            v.as_ref().map(|(value, unit)| json!({ "value": value, "unit": unit }))
        });
        json!({ "name": fact.name, "important": fact.important, "values": values.collect::<Vec<_>>() })
    });
    json!({
        "comparison": COMPARISON,
        "baseline": of.baseline,
        "summary": of.summary,
        "records": sides.collect::<Vec<_>>(),
        "facts": facts.collect::<Vec<_>>(),
        "explained": of.explained.iter().map(super::explained::one).collect::<Vec<_>>(),
        "rows": of.rows.iter().map(row).collect::<Vec<_>>(),
        "unmatched": of.unmatched.iter().map(|one| json!({
            "record": of.sides[one.side].name,
            "without": of.sides[one.without].name,
            "tool": one.tool,
            "figures": one.figures,
            "why": one.why.why,
            "remedy": one.why.remedy,
        })).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let q = &row.quantity;
    json!({
        "group": row.group.name(),
        "probe": q.probe,
        "metric": q.metric,
        "at": q.at,
        "better": q.better,
        "values": row.cells.iter().map(|c| c.as_ref().map(|c| cell(row, c))).collect::<Vec<_>>(),
    })
}

fn cell(row: &Row, cell: &Cell) -> Value {
    let (q, c) = (&row.quantity, &cell.conditions);
    let mut value = json!({
        "median": quantity(cell.median, q.unit),
        "interval": interval(cell.interval, q.unit),
        "count": cell.count,
        "frequency": maybe(cell.frequency, Unit::Hertz),
        "version": c.version,
        "cpus": c.cpus,
        "cores": c.cores,
        "pages": c.pages,
        "huge_share": maybe(c.huge_share, Unit::Ratio),
        "content": c.content.as_deref(),
        "llc_ratio": maybe(c.llc_ratio, Unit::Ratio),
        "variant": c.variant.as_deref(),
        "ours_of": c.equivalent.map(|row| row.what),
        "software": c.software.iter().map(|(name, baseline, here)| {
            json!({ "name": name, "baseline": baseline, "here": here })
        }).collect::<Vec<_>>(),
    });
    let (word, more) = match &cell.standing {
        Standing::Baseline => ("baseline", json!(null)),
        Standing::Alone => ("not in the baseline", json!(null)),
        Standing::Refused(why) => {
            ("not comparable", json!({ "unlike": [unlike(why, &q.command())] }))
        }
        Standing::Compared(a) => (a.verdict.word(), against(a, &q.command())),
    };
    value["standing"] = word.into();
    value["against_baseline"] = more;
    value
}

fn against(a: &Against, command: &str) -> Value {
    json!({
        "ratio": quantity(a.ratio, Unit::Ratio),
        "interval": interval(a.interval, Unit::Ratio),
        "p_adjusted": a.adjusted,
        "per_cycle": maybe(a.per_cycle, Unit::Ratio),
        "per_core": maybe(a.per_core, Unit::Ratio),
        "per_watt": maybe(a.per_watt, Unit::Ratio),
        "per_price": maybe(a.per_price, Unit::Ratio),
        "unlike": a.unlike.iter().map(|u| unlike(u, command)).collect::<Vec<_>>(),
    })
}

pub(super) fn unlike(of: &Incomparable, command: &str) -> Value {
    let reason = of.reason(command);
    let grade = match of.grade() {
        Grade::Noted => "noted",
        Grade::Unclaimed => "nothing claimed",
        Grade::Refused => "no ratio",
    };
    json!({ "grade": grade, "what": of.word(), "why": reason.why, "remedy": reason.remedy })
}
