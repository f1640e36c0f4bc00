//! Files into facts about a machine.
