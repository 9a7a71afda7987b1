import { AppWindow } from 'lucide-react';
import { useChoose, useWindow } from '@/api';
import type { OnClose, WindowChoices, WindowState } from '@/api';
import { host } from '@/host';
import { Button, Content, Empty, Field, Panel, toast } from '@/shared';
import { Switch } from '../parts';
import { SettingsPage } from '../SettingsPage';

const closing: readonly { value: OnClose; label: string }[] = [
  { value: 'ask', label: 'Ask every time' },
  { value: 'finish', label: 'Finish in the background, then quit' },
  { value: 'stay', label: 'Stay in the background until I quit' },
  { value: 'stop', label: 'Stop, and resume at the next start' },
];

const sizes = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.75, 2, 2.5, 3];

/** The desktop window page: settings of the window on this computer. No link in a browser leads here, but the address may be entered. */
export function WindowPage() {
  const state = useWindow();
  if (host.kind === 'browser') {
    return (
      <SettingsPage title="Window">
        <Empty icon={AppWindow} title="This page is about the desktop window">
          It sets how the window opens, closes and zooms. In a browser, use the settings of the browser.
        </Empty>
      </SettingsPage>
    );
  }
  return (
    <SettingsPage title="Window">
      <Content of={state} what="The window settings could not be read">
        {(data) => <Choices data={data} />}
      </Content>
    </SettingsPage>
  );
}

function Choices({ data }: { data: WindowState }) {
  const choose = useChoose();
  const { choices } = data;
  const zoom = Number(choices.zoom);
  const decide = (choice: Partial<WindowChoices>) => {
    choose.mutate(choice, {
      onError: (error) => {
        toast({ tone: 'bad', text: error.message });
      },
    });
  };
  return (
    <div className="stack">
      <Panel title="When it opens" padded>
        <Switch
          label="Open at login"
          on={choices.at_login}
          onChange={(at_login) => {
            decide({ at_login });
          }}
        >
          This window opens when you sign in to your computer.
        </Switch>
      </Panel>
      <Panel title="When it is closed" padded>
        <div className="stack">
          <Field
            label="Imports, downloads and backups that still run"
            help={
              data.tray
                ? 'In the background, Quarterdeck shows an icon in the tray and notifies you when the work is done.'
                : 'This desktop has no tray: start Quarterdeck again to bring it back. It notifies you when the work is done.'
            }
          >
            {(control) => (
              <select
                {...control}
                className="sel"
                value={choices.on_close}
                onChange={(event) => {
                  decide({ on_close: event.target.value as OnClose });
                }}
              >
                {closing.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <p className="help">
            If nothing is running, closing the window ends Quarterdeck. Nothing is lost either way.
          </p>
        </div>
      </Panel>
      <Panel title="Size of the pages" padded>
        <div className="row">
          <Button
            aria-label="Smaller"
            disabled={zoom <= 0.5}
            onClick={() => {
              decide({ zoom: [...sizes].reverse().find((size) => size < zoom - 0.001) ?? 0.5 });
            }}
          >
            −
          </Button>
          <span className="num" role="status">
            {Math.round(zoom * 100)}%
          </span>
          <Button
            aria-label="Larger"
            disabled={zoom >= 3}
            onClick={() => {
              decide({ zoom: sizes.find((size) => size > zoom + 0.001) ?? 3 });
            }}
          >
            +
          </Button>
          <Button
            kind="quiet"
            disabled={zoom === 1}
            onClick={() => {
              decide({ zoom: 1 });
            }}
          >
            Usual size
          </Button>
        </div>
      </Panel>
    </div>
  );
}
