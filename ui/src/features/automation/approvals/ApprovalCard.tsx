import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, UserCheck } from 'lucide-react';
import { Button, Fact, Status, dateTime, dateTimeZone } from '@/shared';
import { AnswerForm } from './AnswerForm';
import { dueWords, optionWords, planLines, policyWords, standingWords } from './approval';
import type { Approval } from './queries';
import { texts } from './words';

/** One approval: the question, the plan, the approvers, and the decision. */
export function ApprovalCard({
  approval,
  now,
  onPrevious,
  onNext,
}: {
  approval: Approval;
  now: Date;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}) {
  const isOpen = approval.status === 'OPEN';
  return (
    <article className="card" aria-label={approval.message}>
      <div className="body stack" tabIndex={0} role="region" aria-label="Approval">
        <div>
          <div className="row">
            <span className={isOpen && approval.may_answer ? 'badge info' : 'badge'}>
              <UserCheck className="i" />
              {standingWords(approval)}
            </span>
            <span className="small muted num">
              since {dateTimeZone(approval.asked_at, now)}
              {isOpen && approval.due_at !== null && `, ${dueWords(approval.due_at, now) ?? ''}`}
            </span>
            <span className="end row">
              <Button
                size="small"
                kind="quiet"
                iconOnly
                aria-label="Previous"
                disabled={!onPrevious}
                onClick={onPrevious}
              >
                <ArrowUp className="i s" />
              </Button>
              <Button size="small" kind="quiet" iconOnly aria-label="Next" disabled={!onNext} onClick={onNext}>
                <ArrowDown className="i s" />
              </Button>
            </span>
          </div>
          <h2 className="ttl wrap">{approval.message}</h2>
          <p className="muted">
            asked by{' '}
            <Link
              to="/automation/workflows"
              search={{
                account: approval.account_id,
                id: approval.workflow_id,
                run: approval.execution_id,
                task: approval.task_id,
              }}
            >
              {approval.workflow_name}
            </Link>
          </p>
        </div>
        <section className="sec">
          <h3>What runs after “{optionWords(approval.options[0] ?? '').verb}”</h3>
          <Plan plan={approval.plan} />
          {isOpen && approval.plan !== null && <p className="small muted">{texts.planChanged}</p>}
        </section>
        <section className="sec">
          <h3>Who decides</h3>
          <dl className="kv">
            <Fact name="Policy">{policyWords(approval)}</Fact>
            <Fact name="Without an answer">
              {approval.due_at === null
                ? 'keeps waiting'
                : approval.default_on_timeout === null
                  ? 'the task times out'
                  : optionWords(approval.default_on_timeout).done}
            </Fact>
            <Fact name="Decided">{approval.answered_at && `${dateTimeZone(approval.answered_at, now)}`}</Fact>
            <Fact name="Reason">{approval.comments}</Fact>
          </dl>
          {approval.votes.length > 0 && (
            <ul className="votes">
              {approval.votes.map((vote) => (
                <li key={`${vote.person} ${vote.voted_at}`} className="li">
                  <div className="grow">
                    <div>{vote.person}</div>
                    {vote.comments !== null && <div className="small muted wrap">{vote.comments}</div>}
                  </div>
                  <Status tone={vote.status === approval.options[0] ? 'ok' : 'off'}>
                    {optionWords(vote.status).done} {dateTime(vote.voted_at, now)}
                  </Status>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      {isOpen && <AnswerForm key={approval.id} approval={approval} />}
    </article>
  );
}

function Plan({ plan }: { plan: string | null }) {
  if (plan === null || plan.trim() === '') return <p className="muted">{texts.noPlan}</p>;
  return (
    <pre className="wf-log plan" tabIndex={0}>
      {planLines(plan).map(({ sign, text }, at) => (
        <span key={at} className={sign === '+' ? 'line new' : sign === '-' ? 'line old' : 'line'}>
          {sign === '' ? text : `${sign}${text}`}
        </span>
      ))}
    </pre>
  );
}
