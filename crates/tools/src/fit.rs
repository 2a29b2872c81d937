//! Cuts an answer to its budget.
//!
//! Shortening goes in stages: fewer items in full, then shorter ones, then signatures only, then names. At least one
//! item stays. What cannot be cut that way, such as one enormous name, is clipped as text. Each half of an answer, text
//! and structured, is cut for itself.

use serde_json::{Map, Value};

/// How much is shown of each item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Detail {
    /// The name and where it is.
    Name,
    /// With the signature.
    Signature,
    /// With the first sentence of the documentation.
    Short,
    /// Everything.
    Full,
}

impl Detail {
    /// From most to least.
    const STAGES: [Self; 4] = [Self::Full, Self::Short, Self::Signature, Self::Name];
}

/// Which items are shown, and how much of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The first item.
    pub(crate) start: usize,
    /// One past the last item.
    pub(crate) end: usize,
    /// Number of all items.
    pub(crate) total: usize,
    /// How much of each.
    pub(crate) detail: Detail,
}

impl Window {
    /// Everything.
    #[cfg(test)]
    pub(crate) const fn all(total: usize) -> Self {
        Self {
            start: 0,
            end: total,
            total,
            detail: Detail::Full,
        }
    }

    /// Number of items after the window.
    pub(crate) const fn n_left(&self) -> usize {
        self.total - self.end
    }

    /// The part of a list whose first element is the item with this number.
    pub(crate) fn slice<'l, T>(&self, list: &'l [T], first: usize) -> &'l [T] {
        let start = self.start.saturating_sub(first).min(list.len());
        let end = self.end.saturating_sub(first).min(list.len());
        &list[start..end]
    }
}

/// Items that a stage keeps before the next one is tried.
const KEEP: usize = 3;

/// The items that there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Items {
    /// The first one to show.
    pub(crate) start: usize,
    /// Number of all.
    pub(crate) total: usize,
    /// Number that stays in any case.
    pub(crate) keep: usize,
}

/// Renders the window with the most to show whose rendering has at most `max_chars` characters. When even the items that
/// stay are too long by name alone, that is what comes back.
pub(crate) fn fit<T>(items: Items, max_chars: usize, render: impl Fn(Window) -> (T, usize)) -> T {
    let Items { start, total, keep } = items;
    let rest = total - start;
    let window = |n_items: usize, detail| Window {
        start,
        end: start + n_items,
        total,
        detail,
    };
    let attempt = |n_items: usize, detail| {
        let (rendered, n_chars) = render(window(n_items, detail));
        (n_chars <= max_chars).then_some(rendered)
    };
    for detail in Detail::STAGES {
        if let Some(rendered) = attempt(rest, detail) {
            return rendered;
        }
        let least = if detail == Detail::Name { keep } else { KEEP.max(keep) }.min(rest);
        let Some(mut best) = attempt(least, detail) else {
            continue;
        };
        // `least` fits and `rest` does not.
        let (mut fits, mut too_many) = (least, rest);
        while too_many - fits > 1 {
            let middle = fits.midpoint(too_many);
            match attempt(middle, detail) {
                Some(rendered) => (best, fits) = (rendered, middle),
                None => too_many = middle,
            }
        }
        return best;
    }
    render(window(keep.min(rest), Detail::Name)).0
}

/// Cuts a text at a character, with a mark.
pub(crate) fn clip_text(text: String, max_chars: usize) -> String {
    const MARK: &str = "\n… cut to fit the budget";
    if text.chars().count() <= max_chars {
        return text;
    }
    let keep = max_chars.saturating_sub(MARK.chars().count());
    let end = text.char_indices().nth(keep).map_or(text.len(), |(at, _)| at);
    // At a line, if that does not cost most of the text.
    let line_end = text[..end].rfind('\n').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}{MARK}", &text[..line_end])
}

/// Shortens the longest texts and lists of an object until it fits. What the answer rests on gives way before names do.
pub(crate) fn clip_object(object: &mut Map<String, Value>, max_chars: usize) {
    clip_texts(object, max_chars, SHORTEST_TEXT);
    if serialized_chars(object) > max_chars
        && let Some(Value::Object(index)) = object.get_mut("index")
    {
        for key in ["dirty_paths", "coverage", "probe_age_ms"] {
            index.remove(key);
        }
    }
    clip_texts(object, max_chars, SHORTEST_NAME);
}

/// Halves the longest text or list, down to a length that is left alone.
fn clip_texts(object: &mut Map<String, Value>, max_chars: usize, shortest: usize) {
    // Every round halves the longest text or list, so this ends early; the bound only guards against a fault here.
    for _ in 0..500 {
        let excess = serialized_chars(object).saturating_sub(max_chars);
        if excess == 0 {
            return;
        }
        let mut longest = Longest {
            n_chars: 0,
            path: Vec::new(),
        };
        for (key, value) in object.iter().filter(|(key, _)| !WHOLE.contains(&key.as_str())) {
            longest.look(value, &mut vec![Step::Key(key.clone())]);
        }
        if longest.n_chars <= shortest {
            return;
        }
        let Some(value) = resolve(object, &longest.path) else {
            return;
        };
        match value {
            Value::String(text) => {
                let n_chars = text.chars().count();
                let keep = (n_chars / 2).max(n_chars.saturating_sub(excess + 2)).min(n_chars - 2);
                let end = text.char_indices().nth(keep).map_or(text.len(), |(at, _)| at);
                text.truncate(end);
                text.push('…');
            }
            Value::Array(items) => items.truncate(items.len() / 2),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return,
        }
    }
}

/// Texts up to this length are most likely names.
const SHORTEST_TEXT: usize = 80;
/// Texts up to this length are left alone in any case.
const SHORTEST_NAME: usize = 12;
/// Ids are of use as a whole or not at all.
const WHOLE: [&str; 4] = ["index_id", "next_cursor", "sha256", "short_sha"];

pub(crate) fn serialized_chars(object: &Map<String, Value>) -> usize {
    serde_json::to_string(object).map_or(0, |text| text.chars().count())
}

enum Step {
    Key(String),
    Item(usize),
}

struct Longest {
    n_chars: usize,
    path: Vec<Step>,
}

impl Longest {
    fn look(&mut self, value: &Value, path: &mut Vec<Step>) {
        let n_chars = match value {
            Value::String(text) => text.chars().count(),
            // A list counts as what it costs without its texts, so that texts go first.
            Value::Array(items) if items.len() > 1 => items.len() * 8,
            _ => 0,
        };
        if n_chars > self.n_chars {
            self.n_chars = n_chars;
            self.path = path.iter().map(Step::copy).collect();
        }
        match value {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    path.push(Step::Item(at));
                    self.look(item, path);
                    path.pop();
                }
            }
            Value::Object(object) => {
                for (key, value) in object {
                    if WHOLE.contains(&key.as_str()) {
                        continue;
                    }
                    path.push(Step::Key(key.clone()));
                    self.look(value, path);
                    path.pop();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

impl Step {
    fn copy(&self) -> Self {
        match self {
            Self::Key(key) => Self::Key(key.clone()),
            Self::Item(at) => Self::Item(*at),
        }
    }
}

fn resolve<'v>(object: &'v mut Map<String, Value>, path: &[Step]) -> Option<&'v mut Value> {
    let (first, rest) = path.split_first()?;
    let Step::Key(key) = first else { return None };
    let mut value = object.get_mut(key)?;
    for step in rest {
        value = match step {
            Step::Key(key) => value.get_mut(key)?,
            Step::Item(at) => value.get_mut(at)?,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Detail, Items, Window, clip_object, clip_text, fit, serialized_chars};

    /// Items of 20, 12, 6 and 3 characters by detail.
    fn render(window: Window) -> (Window, usize) {
        let each = match window.detail {
            Detail::Full => 20,
            Detail::Short => 12,
            Detail::Signature => 6,
            Detail::Name => 3,
        };
        (window, each * (window.end - window.start))
    }

    #[track_caller]
    fn check(max_chars: usize, n_items: usize, detail: Detail) {
        let window = fit(
            Items {
                start: 0,
                total: 10,
                keep: 1,
            },
            max_chars,
            render,
        );
        assert_eq!(
            (window.end, window.detail),
            (n_items, detail),
            "at {max_chars} characters"
        );
    }

    #[test]
    fn shortening_goes_in_stages() {
        check(200, 10, Detail::Full);
        check(199, 9, Detail::Full);
        check(60, 3, Detail::Full);
        check(59, 4, Detail::Short);
        check(35, 5, Detail::Signature);
        check(17, 5, Detail::Name);
        check(3, 1, Detail::Name);
        check(0, 1, Detail::Name);
    }

    #[test]
    fn a_window_starts_where_it_is_told() {
        let window = fit(
            Items {
                start: 8,
                total: 10,
                keep: 1,
            },
            1000,
            render,
        );
        assert_eq!((window.start, window.end, window.n_left()), (8, 10, 0));
        assert_eq!(
            Window {
                start: 2,
                end: 5,
                total: 6,
                detail: Detail::Full
            }
            .slice(&[10, 11, 12, 13], 1),
            [11, 12, 13]
        );
        assert!(Window::all(0).slice::<u8>(&[], 0).is_empty());
    }

    #[test]
    fn long_texts_are_clipped_before_lists() {
        let mut object = json!({"fqn": "a".repeat(900), "list": ["b", "c"], "index": {"index_id": "d".repeat(64)}})
            .as_object()
            .cloned()
            .unwrap();
        clip_object(&mut object, 300);
        assert!(serialized_chars(&object) <= 300);
        assert_eq!(object["index"]["index_id"].as_str().unwrap().len(), 64);
        assert_eq!(object["list"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_clipped_text_says_so() {
        let text = clip_text("line\n".repeat(100), 100);
        assert!(text.chars().count() <= 100);
        assert!(text.ends_with("cut to fit the budget"));
    }
}
