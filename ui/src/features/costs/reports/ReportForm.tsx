import { Check, Field, Filters, Form } from '@/shared';
import type { FilterField } from '@/shared';
import { kinds } from './draft';
import type { Draft, Kind, Problems } from './draft';
import type { Channel } from './queries';
import { words } from './words';

const panel = words.panel;

/** A shared Explorer view. */
interface View {
  id: string;
  name: string;
}

/** The views to choose from; one that was removed is still named while it is chosen. */
function viewOptions(chosen: string, views: readonly View[]): (readonly [string, string])[] {
  const isGone = chosen !== '' && !views.some(({ id }) => id === chosen);
  return [
    ['', panel.noView],
    ...views.map(({ id, name }) => [id, name] as const),
    ...(isGone ? [[chosen, panel.viewGone] as const] : []),
  ];
}

/** The fields of a report. */
export function ReportForm({
  id,
  draft,
  set,
  shown,
  isFixed,
  inactiveReason,
  fields,
  channels,
  views,
  onSubmit,
}: {
  id: string;
  draft: Draft;
  set: (to: Partial<Draft>) => void;
  shown: Problems;
  isFixed: boolean;
  /** Why it cannot be sent on its schedule; undefined when it can. */
  inactiveReason: string | undefined;
  fields: readonly FilterField[];
  channels: readonly Channel[];
  views: readonly View[];
  onSubmit: () => void;
}) {
  const text = (
    name: 'name' | 'months' | 'days' | 'schedule' | 'zone',
    label: string,
    error?: string,
    help?: string,
    list?: string,
  ) => (
    <Field label={label} error={error} {...(help ? { help } : {})}>
      {(control) => (
        <input
          {...control}
          className={name === 'schedule' ? 'in mono' : 'in'}
          value={draft[name]}
          list={list}
          disabled={isFixed}
          onChange={(event) => {
            set({ [name]: event.target.value });
          }}
        />
      )}
    </Field>
  );
  const choice = (
    name: 'kind' | 'group' | 'metric' | 'channel' | 'view',
    label: string,
    options: readonly (readonly [string, string])[],
    help?: string,
  ) => (
    <Field label={label} {...(help ? { help } : {})}>
      {(control) => (
        <select
          {...control}
          className="sel"
          value={draft[name]}
          disabled={isFixed}
          onChange={(event) => {
            set(name === 'kind' ? { kind: event.target.value as Kind } : { [name]: event.target.value });
          }}
        >
          {options.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
  const groups = Object.entries(words.groups);
  const group = groups.some(([value]) => value === draft.group)
    ? groups
    : [...groups, [draft.group, draft.group] as const];
  const isMail = channels.find((channel) => channel.id === draft.channel)?.kind === 'email';
  return (
    <Form id={id} className="stack" onSubmit={onSubmit}>
      {text('name', panel.name, shown.name)}
      {choice(
        'kind',
        panel.kind,
        kinds.map((kind) => [kind, words.kinds[kind]] as const),
      )}
      {draft.kind === 'costs' && (
        <>
          {text('months', panel.months, shown.months)}
          {choice('view', panel.view, viewOptions(draft.view, views), panel.viewHelp)}
          {draft.view === '' && choice('group', panel.group, group)}
          {draft.view === '' && choice('metric', panel.metric, Object.entries(words.metrics))}
        </>
      )}
      {draft.kind === 'costs' && draft.view === '' && (
        <>
          <section className="sec">
            <h3>{panel.scope}</h3>
            <div className="row wrap">
              <Filters
                fields={fields}
                value={draft.scope}
                onChange={(scope) => {
                  if (!isFixed) set({ scope: scope.map(({ field, values }) => ({ field, values })) });
                }}
              />
            </div>
            <p className="small muted">{panel.scopeHelp}</p>
          </section>
        </>
      )}
      {draft.kind === 'anomalies' && text('days', panel.days, shown.days)}
      <When draft={draft} set={set} isFixed={isFixed} />
      {text('schedule', panel.cron, shown.schedule, panel.cronHelp)}
      {text('zone', panel.zone, undefined, panel.zoneHelp, 'report-zones')}
      <datalist id="report-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {choice(
        'channel',
        panel.channel,
        [
          ['', panel.noChannel] as const,
          ...channels.map(({ id, name, target }) => [id, `${name} (${target})`] as const),
        ],
        panel.channelHelp,
      )}
      {isMail && (
        <>
          <Field label={panel.recipients} help={panel.recipientsHelp}>
            {(control) => (
              <textarea
                {...control}
                className="in mono"
                rows={3}
                value={draft.recipients}
                disabled={isFixed}
                onChange={(event) => {
                  set({ recipients: event.target.value });
                }}
              />
            )}
          </Field>
          <fieldset className="field" disabled={isFixed}>
            <legend>{panel.formats}</legend>
            <span className="row">
              <Check
                label={panel.pdf}
                checked={draft.pdf}
                onChange={(pdf) => {
                  set({ pdf });
                }}
              />
              <Check
                label={panel.xlsx}
                checked={draft.xlsx}
                onChange={(xlsx) => {
                  set({ xlsx });
                }}
              />
              <Check
                label={panel.csv}
                checked={draft.csv}
                onChange={(csv) => {
                  set({ csv });
                }}
              />
            </span>
          </fieldset>
        </>
      )}
      <fieldset className="field" disabled={isFixed || inactiveReason !== undefined}>
        <Check
          label={panel.active}
          checked={draft.isActive}
          onChange={(isActive) => {
            set({ isActive });
          }}
        />
        {inactiveReason !== undefined && <p className="help">{inactiveReason}</p>}
      </fieldset>
    </Form>
  );
}

/** Usual times; any other is a cron line. */
function When({ draft, set, isFixed }: { draft: Draft; set: (to: Partial<Draft>) => void; isFixed: boolean }) {
  const isUsual = draft.schedule in words.times && draft.schedule !== 'own';
  return (
    <Field label={panel.when}>
      {(control) => (
        <select
          {...control}
          className="sel"
          value={isUsual ? draft.schedule : 'own'}
          disabled={isFixed}
          onChange={(event) => {
            set({ schedule: event.target.value === 'own' ? '' : event.target.value });
          }}
        >
          {Object.entries(words.times).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
