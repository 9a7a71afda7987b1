import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight, RefreshCw, Server } from 'lucide-react';
import { useInstances } from '@/api';
import type { Instances } from '@/api';
import { Button, Content, Empty, Segmented, Select } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { SectionPanel } from './SectionPanel';
import { SideCard } from './SideCard';
import type { SideAnswer } from './line';
import { sections } from './sections';
import { chosen, sidesOf, wordOf } from './side';
import type { Side } from './side';
import { compareKey, useSide } from './useSides';
import './compare.css';

const title = 'Compare instances';

/** Settings, Instances, Compare: two instances side by side, each read with the rights of the person there. */
export function ComparePage() {
  const all = useInstances();
  const client = useQueryClient();
  if (all.data === null || all.data?.instances.length === 0)
    return (
      <SettingsPage title={title}>
        <Empty
          icon={Server}
          title="Another instance is needed"
          action={
            <Link to="/settings/instances" className="btn">
              Instances
            </Link>
          }
        >
          {all.data === null
            ? 'Quarterdeck on a desktop compares the instances it is signed in to. A shared service does not store keys to other instances.'
            : 'Add one under Instances and sign in to it. It then appears next to this computer.'}
        </Empty>
      </SettingsPage>
    );
  return (
    <SettingsPage
      title={title}
      actions={
        <Button
          className="stays-n"
          onClick={() => {
            void client.invalidateQueries({ queryKey: compareKey });
          }}
        >
          <RefreshCw className="i" />
          Read again
        </Button>
      }
    >
      <Content of={{ ...all, data: all.data }} what="Instances could not be read">
        {(data) => <Comparison all={data} />}
      </Content>
    </SettingsPage>
  );
}

function Comparison({ all }: { all: Instances }) {
  const search = useSearch({ from: '/settings/instances/compare' });
  const navigate = useNavigate({ from: '/settings/instances/compare' });
  const { a, b } = chosen(all, search);
  const told = { a: useSide(a?.id), b: useSide(b?.id) };
  const go = (next: { a?: Side | undefined; b?: Side | undefined; only?: 'differences' | undefined }) => {
    const { a: first, b: second, only } = { a, b, only: search.only, ...next };
    void navigate({
      search: {
        ...(first ? { a: wordOf(first) } : {}),
        ...(second ? { b: wordOf(second) } : {}),
        ...(only ? { only } : {}),
      },
      replace: true,
    });
  };
  const sides = sidesOf(all);
  const pick = (word: string) => sides.find((side) => wordOf(side) === word);
  const options = sides.map((side) => ({ value: wordOf(side), label: side.name, hint: side.address }));
  const choice = (label: string, side: Side | undefined, onChange: (side: Side | undefined) => void) => (
    <Select
      label={label}
      value={side ? wordOf(side) : ''}
      options={side ? options : [{ value: '', label: 'Choose an instance' }, ...options]}
      onChange={(word) => {
        onChange(pick(word));
      }}
    />
  );
  return (
    <div className="stack">
      <div className="row wrap">
        {choice('Compare', a, (side) => {
          // Choosing the instance of the other side swaps the two.
          go(side?.id === b?.id ? { a: side, b: a } : { a: side });
        })}
        <Button
          iconOnly
          aria-label="Swap the two instances"
          onClick={() => {
            go({ a: b, b: a });
          }}
        >
          <ArrowLeftRight className="i" />
        </Button>
        {choice('With', b, (side) => {
          go(side?.id === a?.id ? { b: side, a: b } : { b: side });
        })}
        <Segmented
          label="Rows"
          value={search.only ?? 'all'}
          options={[
            { value: 'all', label: 'All rows' },
            { value: 'differences', label: 'Differences' },
          ]}
          onChange={(value) => {
            go({ only: value === 'differences' ? value : undefined });
          }}
        />
      </div>
      {a && b ? (
        <SideBySide all={all} a={a} b={b} told={told} onlyDifferences={search.only === 'differences'} />
      ) : (
        <Empty icon={Server} title="This link is for an instance that this computer does not know">
          Choose one above.
        </Empty>
      )}
    </div>
  );
}

function SideBySide({
  all,
  a,
  b,
  told,
  onlyDifferences,
}: {
  all: Instances;
  a: Side;
  b: Side;
  told: { a: readonly SideAnswer[]; b: readonly SideAnswer[] };
  onlyDifferences: boolean;
}) {
  const other = (of: Side, told: readonly SideAnswer[]) => {
    const [about] = told;
    const found = about?.state === 'answered' ? about.value.find(({ key }) => key === 'version')?.figure : undefined;
    const kept = all.instances.find(({ id }) => id === of.id)?.version;
    const version = found?.kind === 'text' ? found.text : of.id === null ? all.here.version : kept;
    return version && version !== all.here.version ? version : null;
  };
  const versions = { a: other(a, told.a), b: other(b, told.b) };
  return (
    <>
      <div className="compare-sides">
        <SideCard side={a} told={told.a} />
        <SideCard side={b} told={told.b} />
      </div>
      {sections.map((section, at) => (
        <SectionPanel
          key={section.id}
          section={section}
          a={a}
          b={b}
          told={{ a: told.a[at], b: told.b[at] }}
          versions={versions}
          onlyDifferences={onlyDifferences}
        />
      ))}
    </>
  );
}
