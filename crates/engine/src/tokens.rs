//! How long an answer is, in the unit that budgets are given in.

/// Characters that count as two tokens: one token is 3.5 characters.
const CHARS_PER_TWO_TOKENS: usize = 7;

/// Number of tokens of a text: its characters divided by 3.5, rounded up.
#[must_use]
pub fn count_tokens(text: &str) -> usize {
    tokens_of_chars(text.chars().count())
}

/// The same for a number of characters.
#[must_use]
pub const fn tokens_of_chars(n_chars: usize) -> usize {
    (n_chars * 2).div_ceil(CHARS_PER_TWO_TOKENS)
}

/// The most characters that a number of tokens has room for.
#[must_use]
pub const fn chars_of_tokens(n_tokens: usize) -> usize {
    n_tokens * CHARS_PER_TWO_TOKENS / 2
}

#[cfg(test)]
mod tests {
    use super::{chars_of_tokens, count_tokens, tokens_of_chars};

    #[test]
    fn tokens_are_rounded_up_and_count_characters() {
        assert_eq!(count_tokens(""), 0);
        assert_eq!(count_tokens("a"), 1);
        assert_eq!(count_tokens("abcdefg"), 2);
        assert_eq!(count_tokens("abcdefgh"), 3);
        assert_eq!(count_tokens("ééééééé"), 2);
    }

    #[test]
    fn the_room_of_a_budget_never_exceeds_it() {
        for budget in 1..500 {
            assert!(tokens_of_chars(chars_of_tokens(budget)) <= budget);
            assert!(tokens_of_chars(chars_of_tokens(budget) + 1) > budget);
        }
    }
}
