import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Button, Empty, Field, Form, Panel } from '@/shared';
import type { Draft } from './draft';
import { useLab } from './queries';
import { ReportView } from './ReportView';

/** Checks a response without a provider: pasted as base64 or XML, as of now or any time. */
export function Lab({ draft }: { draft: Draft }) {
  const lab = useLab();
  const [response, setResponse] = useState('');
  const [at, setAt] = useState('');
  const [tried, setTried] = useState(false);
  const changed = Object.keys(draft).length > 0;
  return (
    <div className="labpage">
      <Form
        className="stack"
        onSubmit={() => {
          setTried(true);
          if (response.trim()) lab.mutate({ response, values: draft, ...(at ? { at: `${at}:00Z` } : {}) });
        }}
      >
        <Field
          label="SAML response"
          help="The value of the form field SAMLResponse, or its XML. In the browser’s network tools it is in the request to /api/auth/saml/acs. It is checked here and not stored."
          error={tried && !response.trim() ? 'Paste a response first' : undefined}
        >
          {(control) => (
            <textarea
              {...control}
              className="in mono paste lab-text"
              spellCheck={false}
              placeholder="PHNhbWxwOlJlc3BvbnNl… or <samlp:Response …"
              value={response}
              onChange={(event) => {
                setResponse(event.target.value);
              }}
            />
          )}
        </Field>
        <div className="row wrap">
          <Field
            label="Check as of"
            help="UTC. If empty, now. A response expires after a minute: enter its time to check an older one."
          >
            {(control) => (
              <input
                {...control}
                className="in"
                type="datetime-local"
                value={at}
                onChange={(event) => {
                  setAt(event.target.value);
                }}
              />
            )}
          </Field>
        </div>
        <div className="row">
          <Button type="submit" kind="primary" busy={lab.isPending && 'Checking'}>
            Check response
          </Button>
          {changed && <span className="small muted">Includes unsaved changes of Configuration.</span>}
        </div>
        {lab.error && (
          <p className="err" role="alert">
            {lab.error.message}
          </p>
        )}
      </Form>
      {lab.data ? (
        <Panel label="What the response would do" padded>
          <ReportView report={lab.data} />
        </Panel>
      ) : (
        <Panel label="What the response would do">
          <Empty icon={FlaskConical} title="Nothing checked yet">
            Paste the response of a failed sign-in to see which check stopped it, what was expected and what was
            received.
          </Empty>
        </Panel>
      )}
    </div>
  );
}
