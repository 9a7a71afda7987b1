import type { CompletionContext } from '@codemirror/autocomplete';
import { yaml } from '@codemirror/lang-yaml';
import { lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { useEffect, useMemo, useRef } from 'react';
import { Editor } from '@/shared/editor/Editor';
import type { EditorHandle, EditorMark } from '@/shared/editor/Editor';
import { memberNames } from '@/shared/editor/theme';
import { offerAt } from './completion';
import type { WorkflowNames } from './completion';

const language = [yaml(), memberNames, lintGutter()];

/** The text of a workflow; lines with a mistake are marked. */
export function YamlEditor({
  value,
  onChange,
  mistakes,
  known,
  handle,
}: {
  value: string;
  onChange: (value: string) => void;
  mistakes: readonly EditorMark[];
  /** Names offered for completion. */
  known: WorkflowNames;
  handle: (made: EditorHandle | null) => void;
}) {
  const latest = useRef(known);
  useEffect(() => {
    latest.current = known;
  });
  const extension = useMemo(() => {
    const complete = (context: CompletionContext) => {
      const line = context.state.doc.lineAt(context.pos);
      const found = offerAt(line.text.slice(0, context.pos - line.from), latest.current);
      return found && { from: line.from + found.from, options: found.options.map((label) => ({ label })) };
    };
    return [language, EditorState.languageData.of(() => [{ autocomplete: complete }])];
  }, []);
  return (
    <Editor
      label="Workflow as YAML"
      language="other"
      extension={extension}
      value={value}
      onChange={onChange}
      marks={mistakes}
      handle={handle}
    />
  );
}
