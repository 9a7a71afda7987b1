import { CircleCheck, LoaderCircle, OctagonX, RotateCcw, Sparkles, TriangleAlert } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { Button, plural } from '@/shared';
import { doubtOf, blocksOf, piecesOf } from './answer';
import { EvidenceChip } from './EvidenceChip';
import { questionsAbout } from './reference';
import type { Reference } from './reference';
import type { Exchange, Step } from './types';

/** Questions on the right, answers on the left, with the lookups folded above each answer. */
export function Thread({
  exchanges,
  onRetry,
}: {
  exchanges: readonly Exchange[];
  /** Undefined if the conversation belongs to another user. */
  onRetry: ((question: string) => void) | undefined;
}) {
  return (
    <div className="thread-in">
      {exchanges.map((exchange, at) => (
        <One
          key={`${String(at)} ${exchange.question}`}
          exchange={exchange}
          onRetry={at === exchanges.length - 1 ? onRetry : undefined}
        />
      ))}
    </div>
  );
}

function One({ exchange, onRetry }: { exchange: Exchange; onRetry: ((question: string) => void) | undefined }) {
  const { question, answer, steps, state, error, code } = exchange;
  return (
    <>
      <div className="ask">{question}</div>
      <div className="row start reply">
        <span className="ava" aria-hidden="true">
          <Sparkles className="i s" />
        </span>
        <div className="stack grow">
          {steps.length > 0 && <Steps steps={steps} isOpen={state === 'writing'} />}
          {answer && <Answer exchange={exchange} />}
          {state === 'writing' && (
            <div className="row small muted" role="status">
              <LoaderCircle className="i s turning" />
              {answer ? `Writing, ${plural(answer.split(/\s+/).length, 'word')}` : 'Looking up data'}
            </div>
          )}
          {state === 'failed' && (
            <div className="note bad" role="alert">
              <OctagonX className="i" />
              <div className="grow">
                {error ?? 'This question was not answered.'}
                {code === 'budget-exceeded' && (
                  <div className="muted">
                    Nothing was sent. An administrator can raise the limit under{' '}
                    <Link to="/settings/privacy" search={{ tab: 'budgets' }}>
                      Settings, Privacy &amp; budgets
                    </Link>
                    ; daily and monthly limits reset by themselves.
                  </div>
                )}
              </div>
            </div>
          )}
          {state === 'stopped' && (
            <div className="small muted">
              {answer ? 'Stopped. The text so far is kept.' : 'Stopped before anything was written.'}
            </div>
          )}
          {state === 'done' && error && (
            <div className="note warn">
              <TriangleAlert className="i" />
              <div className="grow">{error}</div>
            </div>
          )}
          {onRetry && state !== 'writing' && (
            <div className="row">
              <Button
                size="small"
                kind="quiet"
                onClick={() => {
                  onRetry(question);
                }}
              >
                <RotateCcw className="i s" />
                Ask again
              </Button>
            </div>
          )}
        </div>
      </div>
    </>
  );
}

function Steps({ steps, isOpen }: { steps: readonly Step[]; isOpen: boolean }) {
  return (
    <details className="panel looked" open={isOpen || undefined}>
      <summary className="small strong">Looked at {plural(steps.length, 'place')}</summary>
      {steps.map((step, at) => (
        <div className="step" key={at}>
          {step.error ? (
            <TriangleAlert className="i s warn" />
          ) : step.rows === undefined ? (
            <LoaderCircle className="i s turning" />
          ) : (
            <CircleCheck className="i s ok" />
          )}
          <span>{step.error ? `${step.title}: ${step.error}` : step.title}</span>
          {step.evidence && (
            <span className="end row">
              <span className="num">
                {step.evidence.rows > 0 ? plural(step.evidence.rows, 'row') : 'nothing found'}
              </span>
              <EvidenceChip id={step.evidence.id} evidence={step.evidence} isListed />
            </span>
          )}
        </div>
      ))}
    </details>
  );
}

/** The text, each citation a chip, each sentence without proof marked. */
function Answer({ exchange }: { exchange: Exchange }) {
  const { answer, unproved } = exchange;
  const mark = (text: string) => (doubtOf(text, unproved) ? 'doubt' : undefined);
  return (
    <div className="ans">
      {blocksOf(answer).map((block, at) =>
        'items' in block ? (
          <ul key={at}>
            {block.items.map((item, place) => (
              <li key={place} className={mark(item)}>
                <Words text={item} exchange={exchange} />
              </li>
            ))}
          </ul>
        ) : (
          <p key={at} className={mark(block.text)}>
            <Words text={block.text} exchange={exchange} />
          </p>
        ),
      )}
    </div>
  );
}

function Words({ text, exchange: { references, unproved } }: { text: string; exchange: Exchange }) {
  const doubt = doubtOf(text, unproved);
  return (
    <>
      {piecesOf(text).map((piece, place) =>
        'cites' in piece ? (
          piece.cites.map((id) => (
            <EvidenceChip key={`${String(place)}${id}`} id={id} evidence={references.find((one) => one.id === id)} />
          ))
        ) : piece.bold ? (
          <b key={place}>{piece.text}</b>
        ) : piece.code ? (
          <code key={place}>{piece.text}</code>
        ) : (
          <span key={place}>{piece.text}</span>
        ),
      )}
      {doubt && (
        <span className="small doubted">
          <TriangleAlert className="i s" />
          {doubt.cites.length === 0 ? 'No evidence' : `Not in the rows: ${doubt.figures_not_found.join(', ')}`}
        </span>
      )}
    </>
  );
}

/** Suggested questions for a new conversation. */
export function Suggestions({
  onAsk,
  about,
  what,
}: {
  onAsk: (question: string) => void;
  /** The row the questions are about, and its name. */
  about?: Reference | undefined;
  what?: string | undefined;
}) {
  const questions = about
    ? questionsAbout(about.type)
    : ['What did we spend by service?', 'How did costs change by month?', 'Which region costs most?'];
  return (
    <div className="thread-in">
      <div className="stack">
        <h2 className="big">
          {about
            ? `Ask about the ${about.type}${what ? ` “${what}”` : ''}`
            : 'Ask about costs, events or your documents'}
        </h2>
        <p className="muted read">
          Each sentence with a figure cites its query, which you can open and run again. The assistant can read data but
          not change it.
        </p>
        {questions.map((question) => (
          <Button
            key={question}
            className="suggestion"
            onClick={() => {
              onAsk(question);
            }}
          >
            {question}
          </Button>
        ))}
        <p className="small muted">
          Without a model: <Link to="/assistant/causes">likely causes of an event</Link>,{' '}
          <Link to="/assistant/knowledge-bases">search in your documents</Link>.
        </p>
      </div>
    </div>
  );
}
