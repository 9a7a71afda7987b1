import { useState } from 'react';
import { CopyCommand, Panel, Segmented } from '@/shared';
import { Readable } from './Readable';
import { sources } from './sources';

/** Which files can be read, and how to get them from each provider. */
export function Sources() {
  const [shown, setShown] = useState('aws');
  const source = sources.find(({ id }) => id === shown);
  return (
    <Panel
      title="Where the files come from"
      actions={
        <Segmented
          label="Provider"
          value={shown}
          options={sources.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={setShown}
        />
      }
      padded
    >
      <div className="stack">
        {source?.files.map((file) => (
          <section key={file.title} className="stack tight" aria-label={`${source.title}: ${file.title}`}>
            <h3 className="strong">{file.title}</h3>
            <ol className="stack tight howto">
              {file.steps.map((step, at) => (
                <li key={step.text} className="row start">
                  <span className="nth">{at + 1}</span>
                  <div className="grow stack tight">
                    <p>{step.text}</p>
                    {step.command?.split('\n').map((line) => (
                      <CopyCommand key={line} command={line} />
                    ))}
                  </div>
                </li>
              ))}
            </ol>
          </section>
        ))}
        <p className="small muted">
          Replace the words in capitals. Other providers that write FOCUS work as well. The format is detected from the
          content; the name of a file does not matter.
        </p>
        <Readable />
      </div>
    </Panel>
  );
}
