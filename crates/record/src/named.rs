//! Enums whose variants have a name each, declared as a table or by serde.
use serde::Serialize;
use std::fmt;

/// The name of an enum's variant without fields in the record's JSON.
///
/// ```
/// assert_eq!(record::stored_name(&record::Unit::PerSecond), "per_second");
/// ```
pub fn stored_name(variant: &impl Serialize) -> String {
    struct Name<'a, T>(&'a T);
    impl<T: Serialize> fmt::Display for Name<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.serialize(f)
        }
    }
    Name(variant).to_string()
}

/// Enums with a name for each variant, and what lists and names them. They are copied, compared and ordered as they are listed.
///
/// ```
/// record::named! {
///     /// A side.
///     pub enum Side {
///         /// This one.
///         Left = "left",
///         /// That one.
///         Right = "right",
///     }
/// }
/// assert_eq!(Side::ALL.map(Side::name), ["left", "right"]);
/// assert_eq!((Side::named("right"), Side::named("up")), (Some(Side::Right), None));
/// ```
#[macro_export]
macro_rules! named {
    ($($(#[$of_enum:meta])* $vis:vis enum $Enum:ident {
        $($(#[$of_variant:meta])* $Variant:ident = $name:literal,)*
    })*) => {$(
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $(#[$of_enum])*
        $vis enum $Enum {
            $($(#[$of_variant])* $Variant,)*
        }

        impl $Enum {
            /// All of them, in this order.
            $vis const ALL: [$Enum; [$($name),*].len()] = [$($Enum::$Variant),*];
            /// Its name.
            $vis fn name(self) -> &'static str {
                match self {
                    $($Enum::$Variant => $name,)*
                }
            }
            /// The one with this name.
            $vis fn named(name: &str) -> Option<$Enum> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    )*};
}

/// A name of Rust in snake case: `LoadToUse` and `LOAD_TO_USE` are `load_to_use`.
pub(crate) const fn snake<const N: usize>(name: &str) -> [u8; N] {
    let (name, mut snake) = (name.as_bytes(), [0; N]);
    let (mut from, mut to) = (0, 0);
    while to < N {
        if begins_word(name, from) {
            snake[to] = b'_';
            to += 1;
        }
        snake[to] = name[from].to_ascii_lowercase();
        (from, to) = (from + 1, to + 1);
    }
    snake
}

/// The length of a name in snake case.
pub(crate) const fn snake_length(name: &str) -> usize {
    let (mut at, mut length) = (0, name.len());
    while at < name.len() {
        length += begins_word(name.as_bytes(), at) as usize;
        at += 1;
    }
    length
}

const fn begins_word(name: &[u8], at: usize) -> bool {
    at > 0 && name[at].is_ascii_uppercase() && name[at - 1].is_ascii_lowercase()
}

/// The name of an identifier in a record: what is stated, else the identifier in snake case.
macro_rules! name_of {
    ($Identifier:ident, $name:literal) => {
        $name
    };
    ($Identifier:ident) => {{
        use $crate::named::{snake, snake_length};
        const NAME: &str = stringify!($Identifier);
        const SNAKE: [u8; snake_length(NAME)] = snake(NAME);
        match std::str::from_utf8(&SNAKE) {
            Ok(name) => name,
            Err(_) => NAME,
        }
    }};
}
pub(crate) use name_of;
