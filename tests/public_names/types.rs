//! Types and signatures of the documentation, as text.

use serde_json::Value;

/// `(name: Type, …) -> Type`.
pub fn function(inner: &Value) -> String {
    let sig = &inner["sig"];
    let inputs = sig["inputs"].as_array().into_iter().flatten();
    let inputs: Vec<String> =
        inputs.map(|input| format!("{}: {}", input[0].as_str().unwrap_or_default(), name_of(&input[1]))).collect();
    let output = if sig["output"].is_null() { String::new() } else { format!(" -> {}", name_of(&sig["output"])) };
    format!("({}){output}", inputs.join(", "))
}

/// A type.
pub fn name_of(of: &Value) -> String {
    let Some((kind, inner)) = of.as_object().and_then(|of| of.iter().next()) else {
        return of.as_str().unwrap_or("_").to_owned();
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match kind.as_str() {
        "primitive" | "generic" => text(inner),
        "resolved_path" => path_of(inner),
        "tuple" => format!("({})", all(inner)),
        "slice" => format!("[{}]", name_of(inner)),
        "array" => format!("[{}; {}]", name_of(&inner["type"]), text(&inner["len"])),
        "borrowed_ref" => {
            let change = if inner["is_mutable"] == true { "mut " } else { "" };
            format!("&{change}{}", name_of(&inner["type"]))
        }
        "impl_trait" => format!("impl {}", bounds(inner)),
        "dyn_trait" => {
            let traits = inner["traits"].as_array().into_iter().flatten();
            let traits: Vec<String> = traits.map(|of| path_of(&of["trait"])).collect();
            format!("dyn {}", traits.join(" + "))
        }
        "qualified_path" => format!("{}::{}", name_of(&inner["self_type"]), text(&inner["name"])),
        "function_pointer" => format!("fn{}", function(inner)),
        _ => kind.clone(),
    }
}

/// A path with its arguments: its last name only, since from where it is named does not matter.
pub fn path_of(of: &Value) -> String {
    let path = of["path"].as_str().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or(path);
    let args = &of["args"];
    if let Some(inputs) = args["parenthesized"]["inputs"].as_array() {
        let output = &args["parenthesized"]["output"];
        let output = if output.is_null() { String::new() } else { format!(" -> {}", name_of(output)) };
        return format!("{name}({}){output}", inputs.iter().map(name_of).collect::<Vec<_>>().join(", "));
    }
    let angle = &args["angle_bracketed"];
    let types = angle["args"].as_array().into_iter().flatten().filter_map(|arg| match arg {
        _ if !arg["type"].is_null() => Some(name_of(&arg["type"])),
        _ if !arg["const"].is_null() => arg["const"]["expr"].as_str().map(str::to_owned),
        _ => None,
    });
    let bound = angle["constraints"].as_array().into_iter().flatten().map(|one| {
        format!("{} = {}", one["name"].as_str().unwrap_or_default(), name_of(&one["binding"]["equality"]["type"]))
    });
    let all: Vec<String> = types.chain(bound).collect();
    if all.is_empty() { name.to_owned() } else { format!("{name}<{}>", all.join(", ")) }
}

fn all(types: &Value) -> String {
    types.as_array().into_iter().flatten().map(name_of).collect::<Vec<_>>().join(", ")
}

fn bounds(of: &Value) -> String {
    let traits = of.as_array().into_iter().flatten().filter(|bound| !bound["trait_bound"].is_null());
    traits.map(|bound| path_of(&bound["trait_bound"]["trait"])).collect::<Vec<_>>().join(" + ")
}
