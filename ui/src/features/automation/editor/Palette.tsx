import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, Content, SearchBox } from '@/shared';
import { typeMark } from '../marks';
import { neededOf } from './insert';
import { TaskKinds } from './queries';
import type { TaskKind } from './queries';

/** The task types; choosing one inserts it into the text with its required parameters. */
export function Palette({ onTask, reason }: { onTask: (kind: TaskKind) => void; reason: string | undefined }) {
  const query = useGraphQL(TaskKinds, {});
  const [words, setWords] = useState('');
  const kinds = query.data?.workflow_list_taskdefinitions?.tasks?.filter((kind) => kind !== null);
  return (
    <div className="stack tight">
      <SearchBox label="Filter tasks" value={words} onChange={setWords} />
      <Content of={{ ...query, data: kinds }} what="Task types could not be read" lines={6}>
        {(all) => (
          <ul className="wf-kinds">
            {all
              .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words.toLowerCase()))
              .map((kind) => (
                <Kind key={kind.name} kind={kind} reason={reason} onTask={onTask} />
              ))}
          </ul>
        )}
      </Content>
    </div>
  );
}

function Kind({
  kind,
  reason,
  onTask,
}: {
  kind: TaskKind;
  reason: string | undefined;
  onTask: (kind: TaskKind) => void;
}) {
  const { icon: Icon } = typeMark(kind.name);
  const needs = neededOf(kind.input_schema).map(({ name }) => name);
  return (
    <li>
      <Icon className="i" />
      <div className="grow">
        <div className="mono">{kind.name}</div>
        <div className="small muted">
          {kind.description}
          {needs.length > 0 && ` Needs ${needs.join(', ')}.`}
        </div>
      </div>
      <Button
        size="small"
        aria-label={`Add ${kind.name}`}
        reason={reason}
        onClick={() => {
          onTask(kind);
        }}
      >
        <Plus className="i s" />
        Add
      </Button>
    </li>
  );
}
