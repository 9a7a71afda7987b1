import { useQueryClient } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { ListChecks, Plus } from 'lucide-react';
import { request, useGraphQL, useSession } from '@/api';
import { host } from '@/host';
import {
  Button,
  Content,
  DataTable,
  Empty,
  ExportButton,
  Fact,
  Page,
  SidePanel,
  Status,
  count,
  dateOf,
  dateTime,
  dateTimeZone,
  toast,
  useNarrow,
  useNow,
} from '@/shared';
import type { Column } from '@/shared';
import { RemoveRule, RuleAccounts, RuleEvents, Rules, SwitchOn } from './queries';
import { actionWords, matchWords } from './rule';
import type { Rule } from './rule';
import { RuleForm } from './RuleForm';
import { empty } from './words';

const route = getRouteApi('/events/triage-rules');
const changers = ['tenant_admin', 'account_admin'];

/** The triage rules in the order of evaluation. */
export function RulesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const now = useNow();
  const narrow = useNarrow();
  const session = useSession().data;
  const query = useGraphQL(Rules, {});
  const accounts = useGraphQL(RuleAccounts, {}).data?.cloud_accounts;
  const rules = query.data?.event_get_triage_rules?.rules.filter((one) => one !== null);
  const open = rules?.find(({ id }) => id === search.id);
  const mayChange = !session || session.roles.some((role) => changers.includes(role));
  const reason = !mayChange
    ? 'Triage rules need the role tenant_admin or account_admin'
    : accounts?.length === 0
      ? 'Rules need an account, and there is none yet'
      : undefined;
  const go = (id: string | undefined) => {
    void navigate({ search: id === undefined ? {} : { id }, replace: search.id !== undefined });
  };
  const account = (id: string | null) =>
    id === null ? 'All accounts' : (accounts?.find((one) => one.id === id)?.account_name ?? id);
  const columns: Column<Rule>[] = [
    {
      id: 'name',
      header: 'Rule',
      value: (rule) => rule.name ?? 'Without a name',
      cell: (rule) => (
        <>
          <div className="cut t">{rule.name ?? 'Without a name'}</div>
          <div className="cut small muted" title={matchWords(rule)}>
            {matchWords(rule)}
          </div>
        </>
      ),
    },
    { id: 'action', header: 'Action', width: 190, value: actionWords },
    ...(narrow || open || search.id === 'new'
      ? []
      : [
          { id: 'account', header: 'Account', width: 150, value: (rule: Rule) => account(rule.account_id) },
          {
            id: 'matched',
            header: 'Matched',
            kind: 'number' as const,
            width: 92,
            value: (rule: Rule) => rule.match_count,
            cell: (rule: Rule) => count(rule.match_count),
          },
          {
            id: 'until',
            header: 'Until',
            width: 110,
            value: (rule: Rule) => rule.effective_until,
            cell: (rule: Rule) => (rule.effective_until === null ? 'Always' : dateOf(rule.effective_until, now)),
          },
        ]),
    {
      id: 'state',
      header: 'State',
      width: 100,
      value: (rule) => (isOn(rule) ? 'On' : 'Off'),
      cell: (rule) => <Status tone={isOn(rule) ? 'ok' : 'off'}>{isOn(rule) ? 'On' : 'Off'}</Status>,
    },
  ];
  return (
    <Page
      title="Triage rules"
      crumb="Events"
      actions={
        <>
          {rules && rules.length > 0 && (
            <ExportButton
              name="triage rules"
              columns={columns}
              rows={rules}
              save={(file, text, type) => host.saveFile(file, text, type)}
            />
          )}
          <Button
            kind="primary"
            reason={reason}
            onClick={() => {
              go('new');
            }}
          >
            <Plus className="i s" />
            New rule
          </Button>
        </>
      }
      side={
        search.id === 'new' && accounts && accounts.length > 0 ? (
          <RuleForm
            accounts={accounts}
            onClose={() => {
              go(undefined);
            }}
          />
        ) : (
          open && (
            <RuleDetail
              key={open.id}
              rule={open}
              account={account(open.account_id)}
              reason={mayChange ? undefined : reason}
              onClose={() => {
                go(undefined);
              }}
            />
          )
        )
      }
    >
      <Content of={query} what="Triage rules could not be read" lines={6}>
        {() => (
          <div className="stack">
            <section className="panel" aria-label="Triage rules">
              <DataTable
                label="Triage rules"
                columns={columns}
                rows={rules}
                rowId={(rule) => rule.id}
                rowHeight={46}
                primary
                openId={search.id ?? null}
                onOpen={(rule) => {
                  go(rule.id);
                }}
                empty={<Empty icon={ListChecks} title={empty.title} />}
              />
            </section>
            <p className="small muted">
              {empty.text} Rules apply from the top; the first one that sets a status decides.
            </p>
          </div>
        )}
      </Content>
    </Page>
  );
}

function isOn(rule: Rule): boolean {
  return rule.enabled && !(rule.is_overridden ?? false);
}

/** One rule: criteria, action, and the latest matching events. */
function RuleDetail({
  rule,
  account,
  reason,
  onClose,
}: {
  rule: Rule;
  account: string;
  reason: string | undefined;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const now = useNow();
  const isOwn = rule.is_system_rule ?? false;
  const events = useGraphQL(RuleEvents, { rule: rule.id, account: rule.account_id }, { enabled: !isOwn });
  const readAgain = () => client.invalidateQueries({ queryKey: ['graphql'] });
  const switchOn = async () => {
    await request(SwitchOn, { rule: rule.id });
    await readAgain();
    toast({ tone: 'ok', text: `Switched on “${rule.name ?? ''}”` });
  };
  const switchOff = async () => {
    const { event_delete_triage_rule: done } = await request(RemoveRule, {
      account: rule.account_id ?? '',
      rule: rule.id,
      hard: false,
    });
    if (!done?.success) throw new Error(done?.error ?? 'the rule stays as it was');
    await readAgain();
    toast({
      tone: 'ok',
      text: `Switched off “${rule.name ?? ''}”`,
      action: {
        label: 'Undo',
        run: () => {
          run(switchOn);
        },
      },
    });
  };
  const run = (change: () => Promise<void>) => {
    change().catch((error: unknown) => {
      toast({ tone: 'bad', text: `The rule was not changed: ${(error as Error).message}` });
    });
  };
  const fixed = isOwn
    ? 'This rule comes with Quarterdeck'
    : rule.is_editable && rule.account_id !== null
      ? undefined
      : 'This rule cannot be changed here';
  return (
    <SidePanel
      label={rule.name ?? 'Rule'}
      width="slim"
      head={
        <>
          <Status tone={isOn(rule) ? 'ok' : 'off'}>{isOn(rule) ? 'On' : 'Off'}</Status>
          <h2 className="ttl">{rule.name ?? 'Without a name'}</h2>
        </>
      }
      onClose={onClose}
      actions={
        <Button
          size="small"
          reason={reason ?? fixed}
          onClick={() => {
            run(rule.enabled ? switchOff : switchOn);
          }}
        >
          {rule.enabled ? 'Switch off' : 'Switch on'}
        </Button>
      }
    >
      {rule.description && <p className="read">{rule.description}</p>}
      <section className="sec">
        <h3>Rule</h3>
        <dl className="kv">
          <Fact name="Action">{actionWords(rule)}</Fact>
          <Fact name="Matches">{matchWords(rule)}</Fact>
          <Fact name="Account">{account}</Fact>
          <Fact name="Until">
            {rule.effective_until === null ? 'always' : `${dateTimeZone(rule.effective_until, now)}`}
          </Fact>
          <Fact name="Matched">{`${count(rule.match_count)} events`}</Fact>
          <Fact name="Last">{rule.last_matched_at && `${dateTimeZone(rule.last_matched_at, now)}`}</Fact>
          <Fact name="Order">{rule.priority}</Fact>
        </dl>
        {fixed && <p className="small muted">{fixed}.</p>}
      </section>
      {!isOwn && (
        <section className="sec">
          <h3>Matching events</h3>
          <Content of={events} what="Its events could not be read" lines={4}>
            {({ event_get_triage_rule_events: found }) => (
              <>
                <p className="muted num">{count(found?.total ?? 0)} in all</p>
                {found?.events?.map(
                  (one) =>
                    one?.id && (
                      <div className="split" key={one.id}>
                        <Link to="/events" search={{ id: one.id }}>
                          {one.title}
                        </Link>
                        <span className="small muted">{one.starts_at && dateTime(one.starts_at, now)}</span>
                      </div>
                    ),
                )}
              </>
            )}
          </Content>
        </section>
      )}
    </SidePanel>
  );
}
