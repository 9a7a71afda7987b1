import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Editor } from '@/shared/editor/Editor';

type Part = 'variables' | 'headers';

/** Inputs of the query: its variables, and the headers the page sends. */
export function Inputs({
  tabId,
  variables,
  fault,
  onChange,
}: {
  /** Of the open query; each has an undo of its own. */
  tabId: string;
  variables: string;
  fault: string | undefined;
  onChange: (variables: string) => void;
}) {
  const [part, setPart] = useState<Part>('variables');
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const next = part === 'variables' ? 'headers' : 'variables';
    setPart(next);
    event.currentTarget.querySelector<HTMLElement>(`#input-tab-${next}`)?.focus();
  };
  const tab = (name: Part, title: string, n?: string) => (
    <button
      type="button"
      role="tab"
      id={`input-tab-${name}`}
      aria-controls="input-part"
      aria-selected={part === name}
      tabIndex={part === name ? 0 : -1}
      onClick={() => {
        setPart(name);
      }}
    >
      {title}
      {n && <span className="n"> {n}</span>}
    </button>
  );
  return (
    <div className="inputs">
      <div className="tabs" role="tablist" aria-label="Sent with the query" onKeyDown={onKeyDown}>
        {tab('variables', 'Variables')}
        {tab('headers', 'Headers', '2')}
      </div>
      <div className="input-part" id="input-part" role="tabpanel" aria-labelledby={`input-tab-${part}`}>
        {part === 'variables' ? (
          <>
            <Editor
              key={tabId}
              label="Variables"
              language="json"
              value={variables}
              onChange={onChange}
              numbers={false}
              hint={'{ "name": "value" }'}
            />
            {fault && (
              <p className="err" role="alert">
                <CircleAlert className="i" />
                {fault}
              </p>
            )}
          </>
        ) : (
          <dl className="headers mono">
            <dt>Content-Type</dt>
            <dd>application/json</dd>
            <dt>Cookie</dt>
            <dd className="muted">your session, added by the browser; programs send Authorization: Bearer instead</dd>
          </dl>
        )}
      </div>
    </div>
  );
}
