import { yaml } from '@codemirror/lang-yaml';
import { lintGutter } from '@codemirror/lint';
import { Editor } from '@/shared/editor/Editor';
import type { EditorHandle, EditorMark } from '@/shared/editor/Editor';
import { memberNames } from '@/shared/editor/theme';

const language = [yaml(), memberNames, lintGutter()];

/** The text of a workflow; lines with a mistake are marked. */
export function YamlEditor({
  value,
  onChange,
  mistakes,
  handle,
}: {
  value: string;
  onChange: (value: string) => void;
  mistakes: readonly EditorMark[];
  handle: (made: EditorHandle | null) => void;
}) {
  return (
    <Editor
      label="Workflow as YAML"
      language="other"
      extension={language}
      value={value}
      onChange={onChange}
      marks={mistakes}
      handle={handle}
    />
  );
}
