//! Numbers as bytes: least byte first, or as many bytes as they need.

/// Why bytes are not what they should be; the block and the file are added further out.
pub(super) type Fault = String;

/// Whole numbers of any sign as ones without: 0, -1, 1, -2, 2 …
pub(super) fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

pub(super) fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Seven bits a byte, the least first; the eighth says that more follow.
pub(super) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A text: its length, then UTF-8.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Numbers of IEEE, single.
pub(super) fn put_floats(out: &mut Vec<u8>, numbers: &[f32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// Takes bytes apart from the front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| format!("{count} bytes should follow, found {}", self.0.len()))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn byte(&mut self) -> Result<u8, Fault> {
        self.array().map(|[byte]| byte)
    }

    pub fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }

    /// Numbers that [`put_floats`] wrote.
    pub fn floats<const N: usize>(&mut self) -> Result<[f32; N], Fault> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = f32::from_le_bytes(self.array()?);
        }
        Ok(floats)
    }

    /// A number that [`put`] wrote.
    pub fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number has more than 64 bits".into())
    }

    /// A number that [`put`] wrote, of at most 32 bits.
    pub fn small(&mut self) -> Result<u32, Fault> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| format!("a number should have at most 32 bits, found {number}"))
    }

    /// How many things follow, each of at least `least` bytes.
    pub fn count(&mut self, least: usize) -> Result<usize, Fault> {
        let count = self.number()?;
        let room = self.0.len() / least.max(1);
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= room)
            .ok_or_else(|| format!("{count} things should follow, there is room for {room}"))
    }

    pub fn text(&mut self) -> Result<String, Fault> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| "a text is no UTF-8".into())
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(format!("{} bytes too many", self.0.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..9), signed in any::<i32>(), shift in 0..64) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| number >> shift).collect();
            let mut bytes = Vec::new();
            for &number in &numbers {
                put(&mut bytes, number);
            }
            let mut rest = Bytes(&bytes);
            for &number in &numbers {
                prop_assert_eq!(rest.number().unwrap(), number);
            }
            prop_assert!(rest.end().is_ok());
            prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        }
    }

    #[test]
    fn what_is_no_number_is_said() {
        let fault = |bytes: &[u8]| Bytes(bytes).number().unwrap_err();
        assert_eq!(fault(&[0x80]), "1 bytes should follow, found 0");
        assert_eq!(fault(&[0xFF; 10]), "a number has more than 64 bits");
        assert_eq!(
            Bytes(&[0x80, 0x80, 0x80, 0x80, 0x10]).small().unwrap_err(),
            "a number should have at most 32 bits, found 4294967296"
        );
        assert_eq!(Bytes(&[9, 0, 0]).count(1).unwrap_err(), "9 things should follow, there is room for 2");
        assert_eq!(Bytes(&[1, 0xFF]).text().unwrap_err(), "a text is no UTF-8");
    }
}
