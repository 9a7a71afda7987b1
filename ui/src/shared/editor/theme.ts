import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The look of code, from the tokens; custom properties reach into the shadow root, so light and dark need nothing here. */
export const look = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent', fontSize: 'var(--t-small)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--mono)',
      fontFeatureSettings: '"zero", "calt" 0',
      lineHeight: '20px',
      overflow: 'auto',
    },
    '.cm-content': { padding: '12px 0', caretColor: 'var(--ink)' },
    '.cm-line': { padding: '0 12px 0 4px' },
    // Opaque: text that is scrolled sideways passes under it.
    '.cm-gutters': {
      backgroundColor: 'var(--code-bg, var(--surface))',
      color: 'var(--ink-3)',
      border: '0',
      paddingLeft: '8px',
    },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '22px', padding: '0 6px 0 0' },
    '.cm-foldGutter .cm-gutterElement': { padding: '0 4px 0 0', cursor: 'pointer' },
    '.cm-activeLine': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 4%, transparent)' },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      background: 'color-mix(in srgb, var(--accent) 26%, transparent)',
    },
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)', color: 'inherit' },
    '.cm-foldPlaceholder': {
      backgroundColor: 'var(--hover)',
      border: '1px solid var(--line)',
      color: 'var(--ink-2)',
      padding: '0 4px',
    },
    '.cm-placeholder': { color: 'var(--ink-3)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--surface)',
      color: 'var(--ink)',
      border: '1px solid var(--line-2)',
      borderRadius: 'var(--r)',
      boxShadow: 'var(--shadow)',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', lineHeight: '20px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--selected)',
      color: 'var(--accent)',
    },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
    '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal', marginLeft: '12px' },
    '.cm-completionIcon': { display: 'none' },
    '.cm-tooltip.cm-completionInfo': {
      padding: '8px 10px',
      maxWidth: '320px',
      fontFamily: 'var(--sans)',
      lineHeight: '18px',
      color: 'var(--ink-2)',
    },
    '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)', borderLeft: '3px solid var(--bad)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn-mark)' },
    // The squiggle of CodeMirror is a picture in fixed colours; a line in ours serves both themes.
    '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
    '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--warn-mark)' },
    '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)', borderColor: 'var(--line)' },
    '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-panel.cm-search': { padding: '6px 30px 6px 10px', fontFamily: 'var(--sans)' },
    '.cm-textfield': {
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--edge)',
      borderRadius: 'var(--r-s)',
      fontSize: 'inherit',
    },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line-2)',
      borderRadius: 'var(--r-s)',
      fontSize: 'inherit',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn-mark)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--selected)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.definitionKeyword, tags.modifier], color: 'var(--code-key)' },
      // In JSON the name of a member; in GraphQL fields stay in ink, they are most of the text.
      { tag: [tags.string, tags.special(tags.name)], color: 'var(--code-str)' },
      { tag: [tags.number, tags.integer, tags.float, tags.bool, tags.null], color: 'var(--code-num)' },
      { tag: tags.variableName, color: 'var(--code-var)' },
      { tag: [tags.comment, tags.lineComment], color: 'var(--ink-3)' },
      { tag: [tags.punctuation, tags.separator, tags.paren, tags.brace], color: 'var(--ink-2)' },
    ]),
  ),
];

/** Names of JSON members in the colour of keys; in GraphQL the same tag marks fields. */
export const memberNames = syntaxHighlighting(
  HighlightStyle.define([{ tag: tags.propertyName, color: 'var(--code-key)' }]),
);
