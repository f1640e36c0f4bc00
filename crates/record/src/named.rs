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

/// An enum with a name for each variant, and what lists and names them.
///
/// ```
/// record::named! {
///     /// A side.
///     #[derive(Clone, Copy)]
///     pub enum Side {
///         /// This one.
///         Left = "left",
///         /// That one.
///         Right = "right",
///     }
/// }
/// assert_eq!(Side::ALL.map(Side::name), ["left", "right"]);
/// assert!(matches!(Side::named("right"), Some(Side::Right)) && Side::named("up").is_none());
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$of_enum:meta])* $vis:vis enum $Enum:ident {
        $($(#[$of_variant:meta])* $Variant:ident = $name:literal,)*
    }) => {
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
    };
}
