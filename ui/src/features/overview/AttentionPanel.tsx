import { Link } from '@tanstack/react-router';
import { CircleCheck, OctagonX, TriangleAlert, X } from 'lucide-react';
import { keepingUp, listingRows, quietStates, useGraphQL, useSamlHealth, useSeesTenant } from '@/api';
import { Button, Content, Empty, Panel, age, count, date, dateTimeZone, toast, useToday } from '@/shared';
import {
  ofAccounts,
  ofAge,
  ofApprovals,
  ofCertificate,
  ofEvents,
  ofImports,
  ofNotices,
  ofPods,
  ofRecommendations,
} from './attention';
import type { Item } from './attention';
import { useDismissed } from './dismissals';
import { Attention, LatestImports, Notices, OpenEvents, PodsInTrouble, WaitingApprovals } from './queries';
import { countOf, useSavings } from './savings';

/** More than anybody reads here. */
const most = 20;

/** Pods of the latest snapshot that need attention. */
const restless = { is_active: { _eq: true }, status: { _not_in: quietStates } };
const inTrouble = { groups: restless, pods: restless };

/**
 * What a person should look at, worst first. `last` is the last day any bill covers, null before the first bill; `sign` the currency of all amounts
 * of the page, if it is one.
 */
export function AttentionPanel({ last, sign }: { last: string | null; sign: string }) {
  const attention = useGraphQL(Attention, {});
  const imports = listingRows(useGraphQL(LatestImports, {}, { enabled: useSeesTenant() }).data?.imports_v2);
  const notices = useGraphQL(Notices, {}).data?.notice ?? [];
  const recommendations = useSavings().data ?? [];
  const health = useSamlHealth().data;
  // A separate query: it needs another permission, and older instances do not support it.
  const approvals = useGraphQL(WaitingApprovals, {}, keepingUp).data?.workflow_count_approvals?.mine ?? 0;
  const events = listingRows(useGraphQL(OpenEvents, {}, keepingUp).data?.events_v2);
  const pods = useGraphQL(PodsInTrouble, inTrouble, keepingUp).data;
  const now = useToday();
  const critical = countOf(recommendations.filter((row) => row.standing === 'open' && row.severity === 'Critical'));
  const ofDays = last === null ? [] : ofAge(last, now, date(last, now));
  const dismissed = useDismissed();
  const all = attention.data && [
    ...ofCertificate(health, (time) => `${dateTimeZone(time, now)}`),
    ...ofEvents(events, (time) => age(time, now)),
    ...ofPods(
      listingRows(pods?.k8s_pod_groupings_v2),
      listingRows(pods?.k8s_pods_v2),
      (account) =>
        listingRows(attention.data?.cloud_accounts_v2).find(({ id }) => id === account)?.account_name ?? undefined,
    ),
    ...ofApprovals(approvals),
    ...ofNotices(notices, sign),
    ...ofRecommendations(critical),
    ...ofImports(imports),
    ...ofDays,
    // Before the first bill every account is without costs.
    ...(last === null
      ? []
      : ofAccounts(listingRows(attention.data.cloud_accounts_v2), listingRows(attention.data.spend_groupings_v2))),
  ];
  all?.sort((a, b) => Number(a.tone !== 'bad') - Number(b.tone !== 'bad'));
  const items = all?.filter((item) => !dismissed.has(item.key));
  const hidden = all?.filter((item) => dismissed.has(item.key)) ?? [];
  const dismiss = ({ key, title }: Item) => {
    dismissed.add(key);
    const undo = () => {
      dismissed.remove([key]);
    };
    toast({ tone: 'ok', text: `Dismissed: ${title}`, action: { label: 'Undo', run: undo } });
  };
  const again = hidden.length > 0 && (
    <span className="small muted">
      {count(hidden.length)} dismissed in this browser.{' '}
      <button
        type="button"
        className="bare again"
        onClick={() => {
          dismissed.remove(hidden.map(({ key }) => key));
        }}
      >
        Show again
      </button>
    </span>
  );
  return (
    <Panel
      label="Needs attention"
      className="attention"
      title={<>Needs attention {items && items.length > 0 && <span className="badge">{count(items.length)}</span>}</>}
      actions={<Link to="/events">All events</Link>}
    >
      <Content of={{ ...attention, data: items }} what="The list could not be read">
        {(found) =>
          found.length === 0 ? (
            <Empty icon={CircleCheck} title="Nothing needs attention" action={again}>
              Checked: events, pods, approvals, budgets, anomalies, imports, age of the data, accounts, critical
              recommendations and the sign-in certificate.
            </Empty>
          ) : (
            <ul>
              {found.slice(0, most).map((item) => (
                <Line
                  key={item.id}
                  item={item}
                  onDismiss={() => {
                    dismiss(item);
                  }}
                />
              ))}
              {found.length > most && (
                <li className="li muted">
                  {count(found.length - most)} more, listed under Imports, Budgets and Anomalies
                </li>
              )}
              {again && <li className="li">{again}</li>}
            </ul>
          )
        }
      </Content>
    </Panel>
  );
}

function Line({ item, onDismiss }: { item: Item; onDismiss: () => void }) {
  const Icon = item.tone === 'bad' ? OctagonX : TriangleAlert;
  return (
    <li className="li">
      <span className={`st ${item.tone}`}>
        <Icon className="i" />
        <span className="sr">{item.tone === 'bad' ? 'Problem' : 'Warning'}</span>
      </span>
      <div className="grow">
        <div className="t">{item.title}</div>
        <div className="small muted reason" title={item.detail}>
          {item.detail}
        </div>
      </div>
      {item.to === '/settings/single-sign-on' ? (
        <Link to={item.to} className="go">
          {item.action}
        </Link>
      ) : item.to === '/automation/approvals' ? (
        <Link to={item.to} className="go">
          {item.action}
        </Link>
      ) : item.to === '/events' ? (
        <Link to="/events" search={item.open ? { id: item.open } : {}} className="go">
          {item.action}
        </Link>
      ) : item.to === '/inventory/kubernetes' ? (
        <Link
          to="/inventory/kubernetes"
          search={{ ...(item.open ? { cluster: item.open } : {}), tab: 'pods', trouble: true }}
          className="go"
        >
          {item.action}
        </Link>
      ) : item.to === '/imports' ? (
        <Link to="/imports" search={item.open ? { open: item.open } : {}} className="go">
          {item.action}
        </Link>
      ) : item.to === '/costs/budgets' || item.to === '/costs/anomalies' ? (
        <Link to={item.to} search={item.open ? { id: item.open } : {}} className="go">
          {item.action}
        </Link>
      ) : (
        <Link to="/recommendations" search={{ severity: 'Critical' }} className="go">
          {item.action}
        </Link>
      )}
      <Button
        size="small"
        kind="quiet"
        iconOnly
        aria-label={`Dismiss: ${item.title}`}
        title="Dismiss, in this browser"
        onClick={onDismiss}
      >
        <X className="i s" />
      </Button>
    </li>
  );
}
