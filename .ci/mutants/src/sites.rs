//! Where a crate can be changed, and the text with all changes behind branches.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A file of the crate that is not a test.
pub struct Source {
    path: PathBuf,
    text: String,
}

#[derive(Clone)]
pub struct Mutant {
    pub number: usize,
    pub file: PathBuf,
    pub line: usize,
    pub column: usize,
    pub what: String,
    change: Change,
}

#[derive(Clone)]
enum Change {
    /// An expression, and what it becomes.
    Expression(Range<usize>, String),
    /// A value that is returned at the start of a body, at this byte.
    Body(usize, &'static str),
}

/// All files of a crate but its tests, by following `mod`.
pub fn sources(root: &Path) -> Result<Vec<Source>, Box<dyn Error>> {
    let (mut files, mut found) = (vec![root.to_owned()], Vec::new());
    while let Some(path) = files.pop() {
        let text = std::fs::read_to_string(&path)?;
        let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("lib" | "mod") => path.parent().ok_or("no folder")?.to_owned(),
            _ => path.with_extension(""),
        };
        for item in syn::parse_file(&text)?.items {
            if let syn::Item::Mod(module) = item
                && module.content.is_none()
                && !is_test(&module.attrs)
            {
                let name = module.ident.to_string();
                let file = folder.join(format!("{name}.rs"));
                files.push(if file.exists() { file } else { folder.join(name).join("mod.rs") });
            }
        }
        found.push(Source { path, text });
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// `wanted` mutants by chance, none of which lies within another's expression.
pub fn choose(sources: &[Source], part: &str, wanted: usize) -> Vec<Mutant> {
    let mut all = Vec::new();
    for source in sources.iter().filter(|source| source.path.to_string_lossy().contains(part)) {
        let Ok(file) = syn::parse_file(&source.text) else { continue };
        Sites { source, found: &mut all }.visit_file(&file);
    }
    println!("{} places", all.len());
    all.shuffle(&mut rand_pcg::Pcg64::seed_from_u64(1));
    let mut chosen = Vec::<Mutant>::new();
    for mutant in all {
        let overlaps = |other: &Mutant| match (&mutant.change, &other.change) {
            (Change::Expression(a, _), Change::Expression(b, _)) => {
                mutant.file == other.file && a.start < b.end && b.start < a.end
            }
            (Change::Expression(a, _), Change::Body(b, _)) | (Change::Body(b, _), Change::Expression(a, _)) => {
                mutant.file == other.file && a.contains(b)
            }
            _ => false,
        };
        if chosen.len() < wanted && !chosen.iter().any(overlaps) {
            chosen.push(mutant);
        }
    }
    chosen.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
    for (number, mutant) in (1..).zip(&mut chosen) {
        mutant.number = number;
    }
    chosen
}

/// Writes each file with its mutants, and the switch that they ask, to the crate's root. No line is added before its end.
pub fn write(sources: &[Source], chosen: &[Mutant], package: &Path) -> Result<(), Box<dyn Error>> {
    for source in sources {
        let mut text = source.text.clone();
        let mut here: Vec<_> = chosen.iter().filter(|mutant| mutant.file == source.path).collect();
        here.sort_by_key(|mutant| match &mutant.change {
            Change::Expression(range, _) => range.start,
            Change::Body(at, _) => *at,
        });
        for mutant in here.into_iter().rev() {
            let asked = format!("if crate::mutant({})", mutant.number);
            match &mutant.change {
                Change::Expression(range, becomes) => {
                    let changed = format!("({asked} {{ {becomes} }} else {{ {} }})", &text[range.clone()]);
                    text.replace_range(range.clone(), &changed);
                }
                Change::Body(at, value) => text.insert_str(*at, &format!(" {asked} {{ return {value}; }}")),
            }
        }
        if source.path == package.join("src/lib.rs") {
            text.push_str(
                "\n#[doc(hidden)] #[allow(warnings)] pub(crate) fn mutant(number: u32) -> bool {\n    \
                 static CHOSEN: std::sync::LazyLock<u32> =\n        std::sync::LazyLock::new(|| \
                 std::env::var(\"THRONG_MUTANT\").map_or(0, |it| it.parse().expect(\"a number\")));\n    \
                 *CHOSEN == number\n}\n",
            );
        }
        if std::fs::read_to_string(&source.path)? != text {
            std::fs::write(&source.path, text)?;
        }
    }
    Ok(())
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute
                    .meta
                    .require_list()
                    .is_ok_and(|list| list.tokens.to_string().split(' ').next() == Some("test"))
    })
}

struct Sites<'a> {
    source: &'a Source,
    found: &'a mut Vec<Mutant>,
}

impl Sites<'_> {
    fn text(&self, node: &impl Spanned) -> &str {
        &self.source.text[node.span().byte_range()]
    }

    fn push(&mut self, at: proc_macro2::Span, what: String, mut change: Change) {
        let start = at.start();
        if let Change::Expression(_, becomes) = &mut change {
            if becomes.contains("//") {
                return;
            }
            // The copy must not move the lines that follow it.
            *becomes = becomes.replace('\n', " ");
        }
        self.found.push(Mutant {
            number: 0,
            file: self.source.path.clone(),
            line: start.line,
            column: start.column + 1,
            what,
            change,
        });
    }

    fn body(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if signature.constness.is_some() || signature.unsafety.is_some() || block.stmts.is_empty() {
            return;
        }
        let at = block.brace_token.span.open().byte_range().end;
        for value in values(&signature.output) {
            let what = format!("{} returns {}", signature.ident, if value.is_empty() { "at once" } else { value });
            self.push(block.brace_token.span.open(), what, Change::Body(at, value));
        }
    }
}

/// Values that a function of this type may return instead.
fn values(output: &syn::ReturnType) -> &'static [&'static str] {
    let syn::ReturnType::Type(_, of) = output else { return &[""] };
    let syn::Type::Path(of) = &**of else { return &[] };
    match of.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default().as_str() {
        "bool" => &["false", "true"],
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => &["0", "1"],
        "f32" | "f64" => &["0.0", "1.0"],
        "Option" => &["None"],
        "Result" => &["Ok(Default::default())"],
        _ => &["Default::default()"],
    }
}

impl<'ast> Visit<'ast> for Sites<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) && function.sig.constness.is_none() {
            self.body(&function.sig, &function.block);
            self.visit_block(&function.block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_test(&function.attrs) && function.sig.constness.is_none() {
            self.body(&function.sig, &function.block);
            self.visit_block(&function.block);
        }
    }

    // Constants are computed by the compiler, which asks no variable of the environment.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        visit::visit_expr_binary(self, binary);
        if has_let(&binary.left) || has_let(&binary.right) {
            return;
        }
        use syn::BinOp::*;
        let becomes = match binary.op {
            Add(_) => "-",
            Sub(_) => "+",
            Mul(_) => "/",
            Div(_) => "*",
            Rem(_) => "/",
            And(_) => "||",
            Or(_) => "&&",
            BitAnd(_) => "|",
            BitOr(_) => "&",
            BitXor(_) => "&",
            Shl(_) => ">>",
            Shr(_) => "<<",
            Eq(_) => "!=",
            Ne(_) => "==",
            Lt(_) => "<=",
            Le(_) => "<",
            Gt(_) => ">=",
            Ge(_) => ">",
            AddAssign(_) => "-=",
            SubAssign(_) => "+=",
            MulAssign(_) => "/=",
            DivAssign(_) => "*=",
            BitAndAssign(_) => "|=",
            BitOrAssign(_) => "&=",
            _ => return,
        };
        let (left, right) = (self.text(&binary.left).to_owned(), self.text(&binary.right).to_owned());
        let what = format!("{} becomes {becomes}", self.text(&binary.op));
        self.push(
            binary.op.span(),
            what,
            Change::Expression(binary.span().byte_range(), format!("({left}) {becomes} ({right})")),
        );
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        visit::visit_expr_unary(self, unary);
        if !matches!(unary.op, syn::UnOp::Not(_) | syn::UnOp::Neg(_)) {
            return;
        }
        let operand = self.text(&unary.expr).to_owned();
        self.push(
            unary.op.span(),
            format!("{} goes", self.text(&unary.op)),
            Change::Expression(unary.span().byte_range(), operand),
        );
    }
}

fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
