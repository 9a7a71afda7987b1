/**
 * A place to write or read code.
 *
 * Why not GraphiQL: its editor (Monaco) writes style elements, starts workers from blobs and weighs more than all our pages together; the
 * content policy of the service (`default-src 'self'`) refuses the first two. So this is CodeMirror 6 with `cm6-graphql`, which comes from the
 * GraphiQL project. CodeMirror writes a style element too, except inside a shadow root, where it uses a constructed
 * sheet, which the policy lets through; therefore each editor stands in a shadow root of its own.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { look, memberNames } from './theme';
import './editor.css';

/** Actions that callers can run on an editor. */
export interface EditorHandle {
  /** Where the cursor is, counted in characters from the beginning. */
  cursor(): number;
  /** Moves the cursor and focuses the editor; line and column start at 1. */
  go(line: number, column: number): void;
  focus(): void;
}

/** A line of the text with a message. */
export interface EditorMark {
  /** From 1; undefined where it is about no line. */
  line: number | undefined;
  message: string;
}

export interface EditorProps {
  label: string;
  value: string;
  onChange?: (value: string) => void;
  /** JSON is built in; pass `extension` for other languages. */
  language: 'graphql' | 'json' | 'other';
  /** Language and completion. Keep the reference stable: a new one reconfigures the editor. */
  extension?: Extension;
  hint?: string;
  numbers?: boolean;
  /** Errors, underlined in the text. Keep the reference stable. */
  marks?: readonly EditorMark[];
  handle?: (handle: EditorHandle | null) => void;
}

/** The language configuration, which can change without a new editor. */
const changing = new Compartment();

/** A new `value` replaces the text. Give `key` per document, so that undo stays within one document. */
export function Editor({
  label,
  value,
  onChange,
  language,
  extension,
  hint,
  numbers = true,
  marks,
  handle,
}: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ value, onChange, handle, extension });
  useEffect(() => {
    latest.current = { value, onChange, handle, extension };
  });
  const writable = onChange !== undefined;
  useEffect(() => {
    if (!place.current) return;
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          look,
          language === 'json' ? [json(), memberNames] : [],
          changing.of(latest.current.extension ?? []),
          numbers ? [lineNumbers(), foldGutter()] : [],
          writable ? writing : [EditorState.readOnly.of(true), EditorView.editable.of(false)],
          hint ? placeholder(hint) : [],
          drawSelection(),
          bracketMatching(),
          search({ top: true }),
          keymap.of([...searchKeymap, ...foldKeymap, ...ownKeys]),
          EditorView.contentAttributes.of({
            'aria-label': label,
            spellcheck: 'false',
            // A read-only editor is not a field, but keys must reach it for scrolling and search.
            ...(writable ? {} : { tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    latest.current.handle?.(handleOf(made));
    return () => {
      latest.current.handle?.(null);
      view.current = null;
      made.destroy();
    };
  }, [language, hint, label, numbers, writable]);
  useEffect(() => {
    // The schema may load while the user types: focus, cursor and undo are kept.
    view.current?.dispatch({ effects: changing.reconfigure(extension ?? []) });
  }, [extension]);
  useEffect(() => {
    const text = view.current?.state.doc;
    if (!text || text.toString() === value) return;
    view.current?.dispatch({ changes: { from: 0, to: text.length, insert: value } });
  }, [value]);
  useEffect(() => {
    if (!marks || !view.current) return;
    const { doc } = view.current.state;
    const drawn = marks.flatMap(({ line, message }) => {
      if (line === undefined || line > doc.lines) return [];
      const { from, to, text } = doc.line(line);
      return [{ from: from + (text.length - text.trimStart().length), to, severity: 'error' as const, message }];
    });
    drawn.sort((a, b) => a.from - b.from);
    view.current.dispatch(setDiagnostics(view.current.state, drawn));
  }, [marks]);
  useEffect(() => {
    // Outside the shadow root the target of a key event is this element and not a field: letters would be treated as shortcuts.
    const element = writable ? place.current : null;
    const keep = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key);
      if (!isCommand) event.stopPropagation();
    };
    element?.addEventListener('keydown', keep);
    return () => {
      element?.removeEventListener('keydown', keep);
    };
  }, [writable]);
  return <div className="code-editor" ref={place} />;
}

/** The page runs the query on Ctrl Enter; the editor would insert a line. */
const ownKeys = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

/**
 * Text typed over a selection. Left to Chromium it is put in with the look of what it replaces, as a style attribute, which the content
 * policy refuses with an error on the console.
 */
const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (empty || event.inputType !== 'insertText' || !text || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true });
    const isTaken = view.state.facet(EditorView.inputHandler).some((take) => take(view, from, to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});

const writing: Extension = [
  typingOver,
  history(),
  indentOnInput(),
  closeBrackets(),
  autocompletion({ icons: false }),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
];

function handleOf(view: EditorView): EditorHandle {
  return {
    cursor: () => view.state.selection.main.head,
    go: (line, column) => {
      const { doc } = view.state;
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      view.dispatch({
        selection: { anchor: Math.min(at.from + Math.max(column, 1) - 1, at.to) },
        scrollIntoView: true,
      });
      view.focus();
    },
    focus: () => {
      view.focus();
    },
  };
}
