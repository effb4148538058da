//! The colour of an army, as in `"#2178FF"`.

use std::str::FromStr;

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArmyColour(pub [u8; 3]);

impl FromStr for ArmyColour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let is_hex = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = digits.filter(is_hex).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] =
            number.ok_or_else(|| format!("found {text:?}, expected a colour as in \"#2178FF\""))?.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_six_digits() {
        assert_eq!("#2178ff".parse(), Ok(ArmyColour([0x21, 0x78, 0xFF])));
        for wrong in ["", "red", "2178FF", "#2178F", "#2178FF0", "#+178FF", "#é178F"] {
            let error = wrong.parse::<ArmyColour>().unwrap_err();
            assert_eq!(error, format!("found {wrong:?}, expected a colour as in \"#2178FF\""));
        }
    }
}
