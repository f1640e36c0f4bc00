//! String literals of source files that may be printed: not those of tests, attributes, patterns, comparisons, panics and
//! standard error.
use crate::patterns::HOLE;
use crate::{data, exceptions};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Lit, Token};

/// A text whose arguments are holes.
#[derive(Debug, Clone)]
pub(crate) struct Literal {
    pub(crate) text: String,
    /// File and line.
    pub(crate) place: String,
    /// Whether it is written to standard error.
    pub(crate) is_error: bool,
}

/// Methods whose texts are searched for, or read by programmers.
const SEARCHES: [&str; 11] = [
    "contains",
    "ends_with",
    "expect",
    "find",
    "get",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];
/// Macros whose texts no report has.
const SILENT: [&str; 16] = [
    "anyhow",
    "asm",
    "assert",
    "assert_eq",
    "bail",
    "cfg",
    "ensure",
    "env",
    "eprintln",
    "include_bytes",
    "include_str",
    "json",
    "json_schema",
    "matches",
    "panic",
    "unreachable",
];
/// Macros whose first text has arguments.
const FORMATS: [&str; 6] = ["format", "format_args", "print", "println", "write", "writeln"];

/// Functions and methods whose texts go to standard error, in the files of `exceptions::ERRORS`.
const COMPLAINTS: [&str; 10] = [
    "Err",
    "complain",
    "context",
    "left_out",
    "map_err",
    "note",
    "ok_or",
    "ok_or_else",
    "say",
    "with_context",
];

#[derive(Debug, Default)]
pub(crate) struct Reader {
    path: String,
    pub(crate) found: Vec<Literal>,
    /// Modules of tests.
    tests: Vec<String>,
    /// Names of functions, types and variants, some of which are those of series and parameters.
    pub(crate) names: BTreeSet<String>,
    is_error: bool,
}

impl Reader {
    fn add(&mut self, text: &str, is_format: bool, line: usize) {
        let text = if is_format { holes(text) } else { text.to_owned() };
        let place = format!("{}:{line}", self.path);
        self.found.push(Literal { text, place, is_error: self.is_error });
    }
    fn arguments(&mut self, name: &str, all: &Punctuated<Expr, Token![,]>) {
        let before = self.is_error;
        let of_file = exceptions::ERRORS.iter().any(|path| self.path.starts_with(path));
        self.is_error |= of_file && COMPLAINTS.contains(&name);
        all.iter().for_each(|each| self.visit_expr(each));
        self.is_error = before;
    }
    fn expressions(&mut self, name: &str, tokens: TokenStream) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Ok(all) = list.parse2(tokens.clone()) else { return self.tokens(tokens) };
        if name == "concat" {
            let parts: Vec<&syn::LitStr> = all.iter().filter_map(literal).collect();
            let text: String = parts.iter().map(|part| part.value()).collect();
            let line = parts.first().map_or(0, |part| part.span().start().line);
            return self.add(&text, false, line);
        }
        let mut is_format = FORMATS.contains(&name);
        for each in &all {
            match literal(each).filter(|_| is_format) {
                Some(text) => {
                    is_format = false;
                    self.add(&text.value(), true, text.span().start().line);
                }
                None => self.visit_expr(each),
            }
        }
    }
    /// Of a macro with a grammar of its own.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut attribute = false;
        for token in tokens {
            match token {
                // Its documentation is no text.
                TokenTree::Group(_) if attribute => {}
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Lit::Str(text) = Lit::new(literal) {
                        let is_format = text.value().contains('{');
                        self.add(&text.value(), is_format, text.span().start().line);
                    }
                }
                TokenTree::Ident(name) => drop(self.names.insert(name.to_string())),
                TokenTree::Punct(ref mark) => {
                    attribute = mark.as_char() == '#';
                    continue;
                }
            }
            attribute = false;
        }
    }
}

fn literal(expression: &Expr) -> Option<&syn::LitStr> {
    match expression {
        Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// A format string with holes.
fn holes(text: &str) -> String {
    let (mut all, mut chars) = (String::new(), text.chars().peekable());
    while let Some(c) = chars.next() {
        let twice = (c == '{' || c == '}') && chars.next_if_eq(&c).is_some();
        if c == '{' && !twice {
            chars.by_ref().find(|c| *c == '}');
            all.push(HOLE);
        } else {
            all.push(c);
        }
    }
    all
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

impl Reader {
    /// The texts that a template gives to functions.
    fn template(&mut self, text: &str) {
        for (number, line) in text.lines().enumerate() {
            for call in line.split("(\"").skip(1) {
                if let Some((text, _)) = call.split_once("\")") {
                    self.add(text, false, number + 1);
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        match is_test(&module.attrs) {
            true => self.tests.push(module.ident.to_string()),
            false => visit::visit_item_mod(self, module),
        }
    }
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }
    /// A title of an analysis is its description in the schema.
    fn visit_impl_item_const(&mut self, constant: &'ast syn::ImplItemConst) {
        if constant.ident != "TITLE" {
            visit::visit_impl_item_const(self, constant);
        }
    }
    fn visit_item_macro(&mut self, made: &'ast syn::ItemMacro) {
        if !made.mac.path.is_ident("macro_rules") {
            visit::visit_item_macro(self, made);
        }
    }
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            visit::visit_expr_binary(self, binary);
        }
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        self.visit_expr(&call.receiver);
        if !SEARCHES.contains(&name.as_str()) {
            self.arguments(&name, &call.args);
        }
    }
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let name = match &*call.func {
            Expr::Path(path) => {
                let parts = path.path.segments.iter().map(|part| part.ident.to_string());
                parts.collect::<Vec<_>>().join("::")
            }
            _ => String::new(),
        };
        self.visit_expr(&call.func);
        // A title of a probe is printed by `list`.
        if name != "Probe::new" {
            self.arguments(name.rsplit("::").next().unwrap_or_default(), &call.args);
        }
    }
    fn visit_ident(&mut self, name: &'ast syn::Ident) {
        self.names.insert(name.to_string());
    }
    fn visit_macro(&mut self, made: &'ast syn::Macro) {
        let name = made.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if !SILENT.contains(&name.as_str()) {
            self.expressions(&name, made.tokens.clone());
        }
    }
    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.add(&text.value(), false, text.span().start().line);
    }
}

/// The literals of all crates, and the names in their code.
pub(crate) fn all() -> (Vec<Literal>, BTreeSet<String>) {
    let (mut all, mut names) = (vec![], BTreeSet::new());
    for name in data::crates() {
        let reader = of_crate(&name);
        all.extend(reader.found);
        names.extend(reader.names);
    }
    (all, names)
}

/// Of one crate.
pub(crate) fn of_crate(name: &str) -> Reader {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = crates.join(name).join("src");
    let (mut all, mut templates) = (vec![], vec![]);
    data::files(&folder, ".rs", &mut all);
    data::files(&folder, ".html", &mut templates);
    let shown = |path: &Path| path.strip_prefix(&crates).unwrap().display().to_string();
    let mut reader = Reader::default();
    for path in templates {
        reader.path = shown(&path);
        reader.template(&fs::read_to_string(&path).unwrap());
    }
    let mut tests = vec![];
    for path in all {
        reader.path = shown(&path);
        let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
        if !is_test(&file.attrs) {
            reader.visit_file(&file);
        }
        // `a.rs` and `a/mod.rs` have their modules in the folder `a`.
        let folder = match path.file_name().unwrap().to_str() {
            Some("mod.rs" | "lib.rs" | "main.rs") => shown(path.parent().unwrap()),
            _ => shown(&path.with_extension("")),
        };
        tests.extend(reader.tests.drain(..).map(|module| format!("{folder}/{module}")));
    }
    let is_test = |place: &str| {
        let after = |test: &String| {
            place.strip_prefix(test).is_some_and(|rest| rest.starts_with(['/', '.']))
        };
        tests.iter().any(after)
    };
    reader.found.retain(|literal| !is_test(&literal.place));
    reader
}
