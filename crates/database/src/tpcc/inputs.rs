//! What each transaction is asked for (clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1), and which comes next (5.2.3).
use super::{DISTRICTS, Scale, random::Random};

/// The five transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An order of 5 to 15 lines.
    NewOrder,
    /// A customer pays.
    Payment,
    /// The last order of a customer.
    OrderStatus,
    /// The oldest order of each district is delivered.
    Delivery,
    /// Items that run short.
    StockLevel,
}

impl Kind {
    /// All of them, in the standard's order.
    pub const ALL: [Kind; 5] =
        [Kind::NewOrder, Kind::Payment, Kind::OrderStatus, Kind::Delivery, Kind::StockLevel];
    /// The word in the record.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NewOrder => "new-order",
            Kind::Payment => "payment",
            Kind::OrderStatus => "order-status",
            Kind::Delivery => "delivery",
            Kind::StockLevel => "stock-level",
        }
    }
}

/// How often each transaction comes: a deck with so many cards of each, shuffled anew whenever it is used up (clause 5.2.4.2),
/// so that shares hold exactly over every deck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix(pub [u32; 5]);

impl Default for Mix {
    /// What the standard allows at most of New-Order.
    fn default() -> Mix {
        Mix([45, 43, 4, 4, 4])
    }
}

impl Mix {
    /// Reads it from five numbers between slashes or colons, in the order of [`Kind::ALL`]; at least one card, at most 10,000.
    pub fn named(text: &str) -> Option<Mix> {
        let cards: Option<Vec<u32>> =
            text.split(['/', ':']).map(|n| n.parse().ok().filter(|n| *n <= 10_000)).collect();
        let mix = Mix(cards?.try_into().ok()?);
        (1..=10_000).contains(&mix.0.iter().sum::<u32>()).then_some(mix)
    }
    /// The words that [`Mix::named`] reads.
    pub fn name(&self) -> String {
        self.0.map(|n| n.to_string()).join("/")
    }
}

/// A worker's deck.
#[derive(Debug, Clone)]
pub(crate) struct Deck {
    cards: Vec<Kind>,
    next: usize,
}

impl Deck {
    pub(crate) fn new(mix: &Mix) -> Deck {
        let cards: Vec<Kind> = Kind::ALL
            .iter()
            .zip(mix.0)
            .flat_map(|(kind, n)| std::iter::repeat_n(*kind, n as usize))
            .collect();
        Deck { next: cards.len(), cards }
    }
    pub(crate) fn draw(&mut self, random: &mut Random) -> Kind {
        if self.next >= self.cards.len() {
            random.shuffle(&mut self.cards);
            self.next = 0;
        }
        self.next += 1;
        self.cards[self.next - 1]
    }
}

/// Which warehouse a transaction is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Any, drawn each time: what most implementations do.
    Random,
    /// Always the worker's own, as the standard's terminals have one.
    Home,
}

impl Binding {
    /// The word on the command line and in the record.
    pub fn name(self) -> &'static str {
        match self {
            Binding::Random => "random",
            Binding::Home => "home",
        }
    }
    /// The binding of that name.
    pub fn named(name: &str) -> Option<Binding> {
        [Binding::Random, Binding::Home].into_iter().find(|b| b.name() == name)
    }
}

/// A line of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) item: i64,
    pub(crate) supply: i64,
    pub(crate) quantity: i64,
}

/// The most lines that an order has.
pub(crate) const LINES: usize = 15;

/// A customer, by number or by last name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Id(i64),
    Name(i64),
}

/// What is asked of a transaction; kept for when it has to be tried again.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "in a box it would be allocated in the timed loop")]
pub(crate) enum Input {
    NewOrder { w: i64, d: i64, c: i64, lines: [Line; LINES], count: usize },
    Payment { w: i64, d: i64, cw: i64, cd: i64, who: Who, cents: i64 },
    OrderStatus { w: i64, d: i64, who: Who },
    Delivery { w: i64, carrier: i64 },
    StockLevel { w: i64, d: i64, threshold: i64 },
}

impl Input {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Input::NewOrder { .. } => Kind::NewOrder,
            Input::Payment { .. } => Kind::Payment,
            Input::OrderStatus { .. } => Kind::OrderStatus,
            Input::Delivery { .. } => Kind::Delivery,
            Input::StockLevel { .. } => Kind::StockLevel,
        }
    }
    /// Draws the inputs of a transaction of this warehouse.
    pub(crate) fn draw(kind: Kind, w: i64, scale: &Scale, random: &mut Random) -> Input {
        let d = random.between(1, DISTRICTS);
        match kind {
            Kind::NewOrder => {
                let c = random.customer(scale.customers);
                let count = random.between(5, LINES as i64) as usize;
                let fails = random.percent(1);
                let mut lines = [Line::default(); LINES];
                for line in &mut lines[..count] {
                    let supply = if random.percent(1) { other(w, scale, random) } else { w };
                    let item = random.item(scale.items);
                    *line = Line { item, supply, quantity: random.between(1, 10) };
                }
                // In one order everywhere, so that two transactions that want the same stock wait and do not deadlock. The line that
                // fails stays the last: whatever comes before it has been done by then.
                lines[..count].sort_unstable_by_key(|line| (line.supply, line.item));
                if fails {
                    lines[count - 1] = Line { item: scale.items + 1, supply: w, quantity: 1 };
                }
                Input::NewOrder { w, d, c, lines, count }
            }
            Kind::Payment => {
                let remote = random.percent(15);
                let (cw, cd) = match remote {
                    true => (other(w, scale, random), random.between(1, DISTRICTS)),
                    false => (w, d),
                };
                let who = who(scale, random);
                Input::Payment { w, d, cw, cd, who, cents: random.between(100, 500_000) }
            }
            Kind::OrderStatus => Input::OrderStatus { w, d, who: who(scale, random) },
            Kind::Delivery => Input::Delivery { w, carrier: random.between(1, 10) },
            Kind::StockLevel => Input::StockLevel { w, d, threshold: random.between(10, 20) },
        }
    }
}

/// Another warehouse than this, where there is one.
fn other(w: i64, scale: &Scale, random: &mut Random) -> i64 {
    if scale.warehouses < 2 {
        return w;
    }
    let drawn = random.between(1, scale.warehouses - 1);
    if drawn >= w { drawn + 1 } else { drawn }
}

/// Three of five customers are asked for by name.
fn who(scale: &Scale, random: &mut Random) -> Who {
    match random.percent(60) {
        true => Who::Name(random.last_name(scale.names())),
        false => Who::Id(random.customer(scale.customers)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tpcc::random::Constants;

    #[test]
    fn the_mix_is_exact_over_a_deck_and_random_within() {
        let (mut random, mix) = (Random::new(1, Constants::RUN), Mix::default());
        let mut deck = Deck::new(&mix);
        for _ in 0..20 {
            let mut counts = [0; 5];
            let drawn: Vec<Kind> = (0..100).map(|_| deck.draw(&mut random)).collect();
            drawn.iter().for_each(|kind| counts[*kind as usize] += 1);
            assert_eq!(counts, mix.0);
            assert!(drawn.windows(2).filter(|two| two[0] > two[1]).count() > 10, "it is shuffled");
        }
    }

    #[test]
    fn mixes_are_read_back() {
        for text in ["45/43/4/4/4", "10:10:1:1:1", "1/0/0/0/0"] {
            let mix = Mix::named(text).unwrap();
            assert_eq!(Mix::named(&mix.name()), Some(mix));
        }
        for bad in [
            "",
            "45/43/4/4",
            "0/0/0/0/0",
            "1/2/3/4/5/6",
            "-1/1/1/1/1",
            "99999/0/0/0/1",
            "a/b/c/d/e",
        ] {
            assert_eq!(Mix::named(bad), None, "{bad}");
        }
        assert_eq!(Binding::named("home"), Some(Binding::Home));
    }

    #[test]
    fn inputs_have_the_shares_that_the_standard_wants() {
        const DRAWS: i64 = 40_000;
        let (scale, mut random) = (Scale::standard(10), Random::new(5, Constants::RUN));
        let within = |count: i64, of: i64, share: f64| {
            let (mean, sd) = (of as f64 * share, (of as f64 * share * (1.0 - share)).sqrt());
            assert!((count as f64 - mean).abs() < 5.0 * sd, "{count} of {of} for {share}");
        };
        let (mut failing, mut remote, mut total) = (0, 0, 0);
        for _ in 0..DRAWS {
            let Input::NewOrder { w, lines, count, .. } =
                Input::draw(Kind::NewOrder, 3, &scale, &mut random)
            else {
                panic!("it is a new order");
            };
            assert!((5..=15).contains(&count) && w == 3);
            // One in a hundred names an item that there is not, in its last line, and is rolled back.
            let fails = lines[count - 1].item > scale.items;
            failing += i64::from(fails);
            let used = &lines[..count - usize::from(fails)];
            assert!(used.is_sorted_by_key(|l| (l.supply, l.item)));
            assert!(
                used.iter()
                    .all(|l| (1..=10).contains(&l.supply) && (1..=100_000).contains(&l.item))
            );
            total += used.len() as i64;
            remote += used.iter().filter(|l| l.supply != 3).count() as i64;
        }
        within(failing, DRAWS, 0.01);
        within(remote, total, 0.01);
        let (mut away, mut named) = (0, 0);
        for _ in 0..DRAWS {
            let Input::Payment { w, d, cw, cd, who, cents } =
                Input::draw(Kind::Payment, 3, &scale, &mut random)
            else {
                panic!("it is a payment");
            };
            assert!((100..=500_000).contains(&cents) && (cw != w || cd == d));
            away += i64::from(cw != w);
            named += i64::from(matches!(who, Who::Name(_)));
        }
        within(away, DRAWS, 0.15);
        within(named, DRAWS, 0.6);
        let alone = Scale::standard(1);
        for _ in 0..1000 {
            let Input::Payment { cw, .. } = Input::draw(Kind::Payment, 1, &alone, &mut random)
            else {
                panic!("it is a payment");
            };
            assert_eq!(cw, 1, "there is no other warehouse");
        }
    }
}
