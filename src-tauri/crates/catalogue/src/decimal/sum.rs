//! A sum of many decimals that neither rounds nor overflows, whatever their scales.

use super::{BOUND, Decimal, DecimalText, MAX_DIGITS, MAX_SCALE, power, raise};

/// An exact running total. Amounts of similar size are added in one step. When the result no longer fits, the value moves to a wider
/// register, therefore `1e37 + 1e-76` is exact to the last digit.
#[derive(Debug, Clone, Copy, Default)]
pub struct DecimalSum {
    mantissa: i128,
    scale: u8,
    /// Signed digits in groups of 38: two groups before the point, two after it.
    wide: [i128; 4],
}

impl DecimalSum {
    /// A sum of zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one number. Exact for any count of numbers.
    pub fn add(&mut self, number: Decimal) {
        if !self.add_narrow(number) {
            self.spill();
            self.mantissa = number.mantissa;
            self.scale = number.scale;
        }
    }

    /// The total; `None` when it needs more than 38 digits ([`Display`](std::fmt::Display) writes it anyway).
    pub fn total(&self) -> Option<Decimal> {
        if self.wide == [0; 4] {
            return Decimal::canonical(self.mantissa, self.scale);
        }
        Decimal::parse(&self.to_string()).ok()
    }

    fn add_narrow(&mut self, number: Decimal) -> bool {
        let scale = self.scale.max(number.scale);
        let sum = raise(self.mantissa, scale - self.scale)
            .zip(raise(number.mantissa, scale - number.scale))
            .and_then(|(left, right)| left.checked_add(right));
        if let Some(sum) = sum {
            self.mantissa = sum;
            self.scale = scale;
        }
        sum.is_some()
    }

    /// Adds the narrow register to the wide one and clears it.
    fn spill(&mut self) {
        let [whole, first, second] = split(self.mantissa, self.scale);
        let carry = add_group(&mut self.wide[3], second);
        let carry = add_group(&mut self.wide[2], carry) + add_group(&mut self.wide[2], first);
        let carry = add_group(&mut self.wide[1], carry) + add_group(&mut self.wide[1], whole % BOUND);
        self.wide[0] += whole / BOUND + carry;
        self.mantissa = 0;
        self.scale = 0;
    }

    /// The groups normalised to one sign, and whether that sign is minus.
    fn settled(mut self) -> (bool, [i128; 4]) {
        self.spill();
        let mut groups = self.wide;
        let is_negative = groups.iter().find(|group| **group != 0).is_some_and(|group| *group < 0);
        if is_negative {
            groups = groups.map(|group| -group);
        }
        for place in (1..4).rev() {
            if groups[place] < 0 {
                groups[place] += BOUND;
                groups[place - 1] -= 1;
            }
        }
        (is_negative, groups)
    }
}

/// Adds a group to the group at one place and returns the carry for the next higher place. The plain sum of two groups of 38 digits would
/// overflow 128 bits.
fn add_group(place: &mut i128, group: i128) -> i128 {
    let carry = if group > 0 && *place >= BOUND - group {
        1
    } else if group < 0 && *place <= -BOUND - group {
        -1
    } else {
        0
    };
    *place = (*place - carry * BOUND) + group;
    carry
}

/// Splits a number into groups of 38 digits: before the point, the first 38 after it, the next 38.
fn split(mantissa: i128, scale: u8) -> [i128; 3] {
    let group = u8::try_from(MAX_DIGITS).expect("38 fits");
    let at = |digits: u8| power(u32::from(digits));
    if scale <= group {
        let unit = at(scale);
        return [mantissa / unit, (mantissa % unit) * at(group - scale), 0];
    }
    let unit = at(scale - group);
    [0, mantissa / unit, (mantissa % unit) * at(MAX_SCALE - scale)]
}

impl std::fmt::Display for DecimalSum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.wide == [0; 4]
            && let Some(total) = Decimal::canonical(self.mantissa, self.scale)
        {
            return f.pad(DecimalText::new(total.mantissa, total.scale).as_str());
        }
        let (is_negative, [high, low, first, second]) = self.settled();
        let whole = if high == 0 { low.to_string() } else { format!("{high}{low:038}") };
        let fraction = format!("{first:038}{second:038}");
        let fraction = fraction.trim_end_matches('0');
        let minus = if is_negative { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        f.pad(&format!("{minus}{whole}{point}{fraction}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(numbers: &[&str], expected: &str) {
        let mut sum = DecimalSum::new();
        for number in numbers {
            sum.add(Decimal::parse(number).unwrap());
        }
        assert_eq!(sum.to_string(), expected, "{numbers:?}");
        assert_eq!(
            sum.total().map(|total| total.to_string()),
            Decimal::parse(expected).ok().map(|n| n.to_string())
        );
    }

    #[test]
    fn amounts_of_like_size_are_added() {
        check(&[], "0");
        check(&["0.1", "0.2", "-0.30"], "0");
        check(&["20.5", "0.02022672899"], "20.52022672899");
    }

    #[test]
    fn amounts_of_unlike_size_lose_no_digit() {
        check(&["1e37", "1e-70", "-1e37"], &format!("0.{}1", "0".repeat(69)));
        check(&["1e30", "1e-30"], &format!("1{}.{}1", "0".repeat(30), "0".repeat(29)));
        check(&["-1e30", "1e-30"], &format!("-{}.{}", "9".repeat(30), "9".repeat(30)));
        check(&["1e-76", "-1"], &format!("-0.{}", "9".repeat(76)));
    }

    #[test]
    fn a_total_may_have_more_digits_than_a_decimal() {
        let (nines, almost_two) = ("9".repeat(38), format!("1{}8", "9".repeat(37)));
        check(&[&nines, &nines], &almost_two);
        check(&[&format!("-{nines}"), &format!("-{nines}"), "1e-5"], &format!("-1{}7.99999", "9".repeat(37)));
        check(&[&nines, &nines, &format!("-{nines}")], &nines);
        check(
            &["1e37", "1e-70", &nines, &nines, &nines],
            &format!("309{}7.{}1", "9".repeat(35), "0".repeat(69)),
        );
    }

    #[test]
    fn a_full_group_carries_into_the_place_before_it() {
        let almost = format!("0.{}", "9".repeat(38));
        check(
            &[&almost, "1e-76", &almost, "1e30"],
            &format!("1{}1.{}8{}1", "0".repeat(29), "9".repeat(37), "0".repeat(37)),
        );
    }

    #[test]
    fn many_large_numbers_of_alternating_scale_add_up() {
        let mut sum = DecimalSum::new();
        for _ in 0..1000 {
            sum.add(Decimal::parse("99999999999999999999.5").unwrap());
            sum.add(Decimal::parse("1e-40").unwrap());
        }
        assert_eq!(sum.to_string(), format!("99999999999999999999500.{}1", "0".repeat(36)));
    }
}
