import { useState } from 'react';
import { useGraphQL } from '@/api';
import type { Json } from '@/api';
import { Button, Content, Field, Form, Select } from '@/shared';
import { givenTo, parametersOf, typedOf, valueOf, withParams } from './params';
import type { Parameter } from './params';
import { TaskKinds } from './queries';

interface FormTask {
  id: string;
  type: string;
}

/** The parameters of one task as fields, from the schema of its type. Changes are written to the text. */
export function TaskForm({
  tasks,
  open,
  definition,
  yaml,
  reason,
  onTask,
  onYaml,
}: {
  tasks: readonly FormTask[];
  /** The task that is open in the picture. */
  open: string | undefined;
  definition: Json;
  yaml: string;
  reason: string | undefined;
  onTask: (id: string) => void;
  onYaml: (yaml: string) => void;
}) {
  const query = useGraphQL(TaskKinds, {});
  const task = tasks.find(({ id }) => id === open) ?? tasks[0];
  if (!task) return <p className="muted">The workflow has no task yet. Add one under Tasks.</p>;
  return (
    <div className="stack">
      <Select
        label="Task"
        value={task.id}
        options={tasks.map(({ id, type }) => ({ value: id, label: `${id}, ${type}` }))}
        onChange={onTask}
      />
      <Content
        of={{ ...query, data: query.data?.workflow_list_taskdefinitions?.tasks ?? undefined }}
        what="Task types could not be read"
      >
        {(kinds) => {
          const kind = kinds.find((one) => one?.name === task.type);
          if (!kind)
            return <p className="muted">{task.type} is an alias or an unknown task type: edit it in the text.</p>;
          const given = givenTo(definition, task.id);
          return (
            <Parameters
              // Typed values are those of one task as it is written.
              key={`${task.id} ${JSON.stringify(given)}`}
              parameters={parametersOf(kind.input_schema)}
              given={given}
              reason={reason}
              onApply={(params) => {
                const next = withParams(yaml, task.id, params);
                if (next !== undefined) onYaml(next);
              }}
            />
          );
        }}
      </Content>
    </div>
  );
}

function Parameters({
  parameters,
  given,
  reason,
  onApply,
}: {
  parameters: readonly Parameter[];
  given: { [key: string]: Json };
  reason: string | undefined;
  onApply: (params: { [key: string]: Json }) => void;
}) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const apply = () => {
    const changed = parameters.flatMap((parameter): [string, Json | undefined][] => {
      const text = typed[parameter.name];
      return text === undefined ? [] : [[parameter.name, valueOf(parameter, text)]];
    });
    const next = new Map<string, Json | undefined>([...Object.entries(given), ...changed]);
    const isGiven = (one: [string, Json | undefined]): one is [string, Json] => one[1] !== undefined;
    onApply(Object.fromEntries([...next].filter(isGiven)));
  };
  return (
    <Form className="stack" onSubmit={apply}>
      {parameters.map((parameter) => {
        const value = typed[parameter.name] ?? typedOf(given[parameter.name]);
        const change = (text: string) => {
          setTyped({ ...typed, [parameter.name]: text });
        };
        return (
          <Field
            key={parameter.name}
            label={parameter.name}
            setting={parameter.isNeeded ? `${parameter.type}, required` : parameter.type}
            help={parameter.about}
          >
            {(control) => {
              const words =
                parameter.options.length > 0
                  ? parameter.options
                  : parameter.type === 'boolean'
                    ? ['true', 'false']
                    : [];
              if (words.length > 0 && (value === '' || words.includes(value)))
                return (
                  <select
                    {...control}
                    className="sel"
                    value={value}
                    onChange={(event) => {
                      change(event.target.value);
                    }}
                  >
                    <option value="">Not set</option>
                    {words.map((word) => (
                      <option key={word}>{word}</option>
                    ))}
                  </select>
                );
              const isLong =
                ['object', 'array', 'any'].includes(parameter.type) || value.includes('\n') || value.length > 60;
              const events = {
                spellCheck: false,
                value,
                onChange: (event: { target: { value: string } }) => {
                  change(event.target.value);
                },
              };
              return isLong ? (
                <textarea {...control} className="in area mono" rows={2} {...events} />
              ) : (
                <input {...control} className="in mono" autoComplete="off" {...events} />
              );
            }}
          </Field>
        );
      })}
      <div className="row">
        <Button type="submit" reason={reason ?? (Object.keys(typed).length === 0 ? 'Nothing was changed' : undefined)}>
          Apply to text
        </Button>
      </div>
    </Form>
  );
}
