//! Positions of components are those of the file, whatever stands around them.

use strata_extract::{Limits, extract};
use strata_lang::Language;
use strata_model::facts::FileFacts;
use strata_model::kinds::ParseStatus;

use super::code::camel;
use crate::svelte::Svelte;
use crate::vue::Vue;

fn facts(language: &'static dyn Language, text: &str) -> FileFacts {
    extract(language, "a", text.as_bytes(), Limits::default())
}

/// Every named thing stands where the facts say, in the spelling of the file.
#[track_caller]
fn check(language: &'static dyn Language, text: &str, n_names: usize) {
    let facts = facts(language, text);
    assert_eq!((facts.parse_status, &facts.problems), (ParseStatus::Ok, &Vec::new()));
    let defs = facts.defs.iter().map(|def| (def.name, def.name_span, def.name_at));
    let refs = facts.refs.iter().map(|it| (it.name, it.span, it.at));
    let mut n_found = 0;
    for (name, span, at) in defs.chain(refs) {
        let name = facts.str(name);
        if name.starts_with('<') || name == "default" {
            continue;
        }
        let spelled = &text[span.start as usize..span.end as usize];
        assert!(
            spelled == name || camel(spelled, true) == name || camel(spelled, false) == name,
            "{spelled} is not {name}"
        );
        let before = &text[..span.start as usize];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[line_start..].encode_utf16().count() + 1;
        assert_eq!(
            (at.line as usize, at.column as usize),
            (before.matches('\n').count() + 1, column),
            "{name}"
        );
        n_found += 1;
    }
    assert!(n_found >= n_names, "{n_found}");
}

const VUE: &str = "\u{feff}<!-- é -->\n<template>\n  <p title=\"é &amp;\">😀 {{ größe(item) }}<user-card :user-id @x.once=\"a = größe(&quot;b&quot;)\"/></p>\n  \
    <li v-for=\"({ id }, at) of items\" :key=\"at\">{{ id }}</li>\n</template>\n<style>a > b { c: '<p>' }</style>\n\
    <script setup lang=\"ts\">\nimport UserCard from './UserCard.vue'\nlet a: string\nconst item = 1, items = [{ id: 1 }], userId = 2\n\
    function größe(x: unknown): string { return `é${x}` }\n</script>\n<i18n>{ \"a\": { } }</i18n>\n";

const SVELTE: &str = "<script lang=\"ts\">\n  import Child from './Child.svelte'\n  export let items: { id: number }[] = []\n\
    </script>\n<p class=\"é {items.length > 0 ? 'a' : ''}\">😀 {items[0].id}</p>\n\
    {#each items as { id }, at (id)}<Child {id} on:x={() => at}>é {id}</Child>{/each}\n<style>p { color: red }</style>\n";

#[test]
fn every_position_is_that_of_the_very_name_in_the_file() {
    for line_break in ["\n", "\r\n"] {
        check(&Vue, &VUE.replace('\n', line_break), 18);
        check(&Svelte, &SVELTE.replace('\n', line_break), 12);
    }
}

#[test]
fn what_is_broken_leaves_the_rest() {
    let text = "<template><p @click=\"save(\">{{ save() }}</p></template>\n<script setup>function save() {}</script>";
    let found = facts(&Vue, text);
    assert_eq!(found.parse_status, ParseStatus::Partial);
    assert!(found.refs.iter().any(|it| found.str(it.name) == "save"));
    let found = facts(
        &Vue,
        "<template lang=\"pug\">p</template><script lang=\"coffee\">x = -> 1</script>",
    );
    let messages: Vec<&str> = found.problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        messages,
        ["a template in `pug` is not read", "a script in `coffee` is not read"]
    );
    for text in [
        "",
        "<",
        "<template>",
        "<script>",
        "{#each",
        "{#if x}{/each}",
        "{/if}",
        "<template><p v-for=\" in \">",
    ] {
        for language in [&Vue as &'static dyn Language, &Svelte] {
            assert_ne!(facts(language, text).parse_status, ParseStatus::Failed, "{text}");
        }
    }
    let deep = format!("<template>{}</template>", "<a v-for=\"x in y\">".repeat(3_000));
    assert_ne!(facts(&Vue, &deep).parse_status, ParseStatus::Failed);
}
