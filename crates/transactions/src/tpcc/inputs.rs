//! The inputs of each transaction (clauses 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1) and the order of transactions (5.2.3).
use super::{DISTRICTS, Scale, random::Random};
use serde::{Deserialize, Serialize};

/// The five transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "names of the standard")]
pub enum TransactionType {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
}

impl TransactionType {
    /// In the standard's order.
    pub const ALL: [TransactionType; 5] = [
        TransactionType::NewOrder,
        TransactionType::Payment,
        TransactionType::OrderStatus,
        TransactionType::Delivery,
        TransactionType::StockLevel,
    ];
}

/// The mix as a deck with this number of cards per transaction. A used deck is shuffled again (clause 5.2.4.2), so the shares hold
/// exactly over every deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mix(pub [u32; 5]);

impl Default for Mix {
    /// The standard's maximum of New-Order.
    fn default() -> Mix {
        Mix([45, 43, 4, 4, 4])
    }
}

impl TryFrom<String> for Mix {
    type Error = &'static str;
    /// Parses five numbers between slashes or colons, in the order of [`TransactionType::ALL`]; 1 to 10,000 cards.
    fn try_from(text: String) -> Result<Mix, &'static str> {
        let cards: Option<Vec<u32>> =
            text.split(['/', ':']).map(|n| n.parse().ok().filter(|n| *n <= 10_000)).collect();
        let cards = cards.and_then(|cards| cards.try_into().ok());
        cards
            .filter(|cards: &[u32; 5]| (1..=10_000).contains(&cards.iter().sum::<u32>()))
            .map(Mix)
            .ok_or("five numbers between slashes, as in 45/43/4/4/4; one of them above 0")
    }
}

impl From<Mix> for String {
    fn from(mix: Mix) -> String {
        mix.0.map(|n| n.to_string()).join("/")
    }
}

/// A terminal's deck.
#[derive(Debug, Clone)]
pub(crate) struct Deck {
    cards: Vec<TransactionType>,
    next: usize,
}

impl Deck {
    pub(crate) fn new(mix: &Mix) -> Deck {
        let cards = TransactionType::ALL.iter().zip(mix.0);
        let cards: Vec<TransactionType> =
            cards.flat_map(|(card, n)| std::iter::repeat_n(*card, n as usize)).collect();
        Deck { next: cards.len(), cards }
    }
    pub(crate) fn draw(&mut self, random: &mut Random) -> TransactionType {
        if self.next >= self.cards.len() {
            random.shuffle(&mut self.cards);
            self.next = 0;
        }
        self.next += 1;
        self.cards[self.next - 1]
    }
}

/// The home warehouse of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binding {
    /// A random one for each transaction, as most implementations have it.
    Random,
    /// The terminal's own, as in the standard.
    Home,
}

/// A line of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) item: i64,
    pub(crate) supply: i64,
    pub(crate) quantity: i64,
}

/// The most lines of an order.
pub(crate) const LINES: usize = 15;

/// A customer, by number or by last name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CustomerKey {
    Id(i64),
    Name(i64),
}

/// The inputs of a transaction; a retry uses them again.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "a box would allocate in the timed loop")]
pub(crate) enum Input {
    NewOrder { w: i64, d: i64, c: i64, lines: [Line; LINES], count: usize },
    Payment { w: i64, d: i64, cw: i64, cd: i64, customer: CustomerKey, cents: i64 },
    OrderStatus { w: i64, d: i64, customer: CustomerKey },
    Delivery { w: i64, carrier: i64 },
    StockLevel { w: i64, d: i64, threshold: i64 },
}

impl Input {
    /// Whether the transaction only reads.
    pub(crate) fn is_read_only(&self) -> bool {
        matches!(self, Input::OrderStatus { .. } | Input::StockLevel { .. })
    }
    /// Draws the inputs of a transaction of this warehouse.
    pub(crate) fn draw(
        transaction: TransactionType,
        w: i64,
        scale: &Scale,
        random: &mut Random,
    ) -> Input {
        let d = random.between(1, DISTRICTS);
        match transaction {
            TransactionType::NewOrder => {
                let c = random.customer(scale.customers);
                let count = random.between(5, LINES as i64) as usize;
                let fails = random.percent(1);
                let mut lines = [Line::default(); LINES];
                for line in &mut lines[..count] {
                    let remote = random.percent(1);
                    let supply = if remote { other_warehouse(w, scale, random) } else { w };
                    let item = random.item(scale.items);
                    *line = Line { item, supply, quantity: random.between(1, 10) };
                }
                // Sorted, so that two transactions that need the same stock wait and do not deadlock. The line that fails stays
                // the last: all others are executed before it.
                lines[..count].sort_unstable_by_key(|line| (line.supply, line.item));
                if fails {
                    lines[count - 1] = Line { item: scale.items + 1, supply: w, quantity: 1 };
                }
                Input::NewOrder { w, d, c, lines, count }
            }
            TransactionType::Payment => {
                let remote = random.percent(15);
                let (cw, cd) = match remote {
                    true => (other_warehouse(w, scale, random), random.between(1, DISTRICTS)),
                    false => (w, d),
                };
                let customer = customer(scale, random);
                Input::Payment { w, d, cw, cd, customer, cents: random.between(100, 500_000) }
            }
            TransactionType::OrderStatus => {
                Input::OrderStatus { w, d, customer: customer(scale, random) }
            }
            TransactionType::Delivery => Input::Delivery { w, carrier: random.between(1, 10) },
            TransactionType::StockLevel => {
                Input::StockLevel { w, d, threshold: random.between(10, 20) }
            }
        }
    }
}

/// Another warehouse than `w`, if there is one.
fn other_warehouse(w: i64, scale: &Scale, random: &mut Random) -> i64 {
    if scale.warehouses < 2 {
        return w;
    }
    let drawn = random.between(1, scale.warehouses - 1);
    if drawn >= w { drawn + 1 } else { drawn }
}

/// 60 % of the customers are selected by last name.
fn customer(scale: &Scale, random: &mut Random) -> CustomerKey {
    match random.percent(60) {
        true => CustomerKey::Name(random.last_name(scale.names())),
        false => CustomerKey::Id(random.customer(scale.customers)),
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
            let drawn: Vec<TransactionType> = (0..100).map(|_| deck.draw(&mut random)).collect();
            drawn.iter().for_each(|kind| counts[*kind as usize] += 1);
            assert_eq!(counts, mix.0);
            assert!(drawn.windows(2).filter(|two| two[0] > two[1]).count() > 10, "it is shuffled");
        }
    }

    #[test]
    fn mixes_are_parsed() {
        for text in ["45/43/4/4/4", "10:10:1:1:1", "1/0/0/0/0"] {
            let mix = Mix::try_from(text.to_owned()).unwrap();
            assert_eq!(String::from(mix), text.replace(':', "/"));
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
            assert!(Mix::try_from(bad.to_owned()).is_err(), "{bad}");
        }
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
                Input::draw(TransactionType::NewOrder, 3, &scale, &mut random)
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
            let Input::Payment { w, d, cw, cd, customer, cents } =
                Input::draw(TransactionType::Payment, 3, &scale, &mut random)
            else {
                panic!("it is a payment");
            };
            assert!((100..=500_000).contains(&cents) && (cw != w || cd == d));
            away += i64::from(cw != w);
            named += i64::from(matches!(customer, CustomerKey::Name(_)));
        }
        within(away, DRAWS, 0.15);
        within(named, DRAWS, 0.6);
        let alone = Scale::standard(1);
        for _ in 0..1000 {
            let Input::Payment { cw, .. } =
                Input::draw(TransactionType::Payment, 1, &alone, &mut random)
            else {
                panic!("it is a payment");
            };
            assert_eq!(cw, 1, "there is no other warehouse");
        }
    }
}
