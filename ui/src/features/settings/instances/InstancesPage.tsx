import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitCompareArrows, RefreshCw, Server } from 'lucide-react';
import { useState } from 'react';
import { useInstances } from '@/api';
import { Button, Content, Empty, Panel } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { AddInstance } from './AddInstance';
import { InstancePanel } from './InstancePanel';
import { InstanceTable } from './InstanceTable';
import { KeptPanel } from './KeptPanel';

/** Settings, Instances: other Quarterdecks that are used from this computer. */
export function InstancesPage() {
  const all = useInstances();
  const client = useQueryClient();
  const [open, setOpen] = useState<string | null>(null);
  const shown = all.data?.instances.find(({ id }) => id === open);
  if (all.data === null)
    return (
      <SettingsPage title="Instances">
        <Empty icon={Server} title="Other instances are used from your own computer">
          Quarterdeck on a desktop adds this service under its Settings, Instances. A shared service does not store keys
          to other instances.
        </Empty>
      </SettingsPage>
    );
  return (
    <SettingsPage
      title="Instances"
      actions={
        <>
          <Link to="/settings/instances/compare" className="btn stays-n">
            <GitCompareArrows className="i" />
            Compare
          </Link>
          <Button
            onClick={() => {
              void client.invalidateQueries({ queryKey: ['instance look'] });
            }}
          >
            <RefreshCw className="i" />
            Check all
          </Button>
        </>
      }
      side={
        shown && (
          <InstancePanel
            key={shown.id}
            instance={shown}
            onClose={() => {
              setOpen(null);
            }}
          />
        )
      }
    >
      <Content of={{ ...all, data: all.data ?? undefined }} what="Instances could not be read">
        {(data) => (
          <div className="stack">
            <Panel title="Instances" meta={`1 on this computer, ${String(data.instances.length)} elsewhere`}>
              <InstanceTable instances={data.instances} here={data.here} isSlim={Boolean(shown)} onOpen={setOpen} />
            </Panel>
            {data.instances.length > 0 && <KeptPanel instances={data.instances} />}
            <AddInstance onAdded={setOpen} />
          </div>
        )}
      </Content>
    </SettingsPage>
  );
}
