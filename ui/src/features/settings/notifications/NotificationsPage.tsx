import { useState } from 'react';
import { Panel, plural } from '@/shared';
import { SettingsPage } from '../SettingsPage';
import { useFormFocus } from '../useFormFocus';
import { ChannelForm } from './ChannelForm';
import { ChannelTable } from './ChannelTable';
import { History } from './History';
import { useNotifications } from './queries';
import { Windows } from './Windows';
import { words } from './words';
import './notifications.css';

/** The notifications page: channels, maintenance windows, and recent notices. */
export function NotificationsPage() {
  const found = useNotifications();
  const [changing, setChanging] = useState<string | null>(null);
  const [form, leadToForm] = useFormFocus();
  const channels = found.data?.notice_channel;
  const channel = channels?.find((one) => one.id === changing) ?? null;
  return (
    <SettingsPage title={words.title}>
      <div className="two-col">
        <div className="stack">
          <Panel title={words.channels} meta={channels && plural(channels.length, 'channel')}>
            <ChannelTable
              rows={channels}
              error={found.error}
              retry={found.refetch}
              onChange={(one) => {
                setChanging(one.id);
                leadToForm();
              }}
              onAdd={leadToForm}
            />
          </Panel>
          <Windows rows={found.data?.notice_window} />
          <Panel title={words.history}>
            <History rows={found.data?.notice} error={found.error} retry={found.refetch} />
          </Panel>
        </div>
        <div className="stack" ref={form}>
          <ChannelForm
            key={channel?.id ?? `new ${String(channels?.length)}`}
            channel={channel}
            onDone={() => {
              setChanging(null);
            }}
          />
        </div>
      </div>
    </SettingsPage>
  );
}
