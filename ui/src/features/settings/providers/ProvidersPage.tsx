import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button, Content, Dialog, toast } from '@/shared';
import { NotForYou, isRefused } from '../NotForYou';
import { SettingsPage } from '../SettingsPage';
import { Kinds } from './Kinds';
import { NoProviders } from './NoProviders';
import { ProviderList } from './ProviderList';
import { ProviderView } from './ProviderView';
import { useAct, useProviders } from './queries';
import type { KindName } from './types';
import './providers.css';

/** The model providers page: providers, their uses, and whether they respond. */
export function ProvidersPage() {
  const providers = useProviders();
  const { id } = useSearch({ from: '/settings/model-providers' });
  const navigate = useNavigate({ from: '/settings/model-providers' });
  const [adding, setAdding] = useState(false);
  const act = useAct();
  const data = providers.data;
  const chosen = data?.providers.find((provider) => provider.id === id) ?? data?.providers[0];
  const open = (next: string | undefined) => {
    void navigate({ search: next === undefined ? {} : { id: next }, replace: true });
  };
  const add = (kind: KindName) => {
    act.mutate(
      { act: 'add', change: { kind, is_on: true } },
      {
        onSuccess: (after) => {
          setAdding(false);
          open(after.added);
        },
        onError: (error) => {
          toast({ tone: 'bad', text: error.message });
        },
      },
    );
  };
  const refused = isRefused(providers.error);
  return (
    <SettingsPage
      title="Model providers"
      plain={chosen !== undefined && !refused}
      actions={
        !refused &&
        chosen && (
          <Button
            kind="primary"
            onClick={() => {
              setAdding(true);
            }}
          >
            <Plus className="i" />
            Add provider
          </Button>
        )
      }
      list={data && data.providers.length > 0 && !refused && <ProviderList of={data} chosen={chosen?.id} />}
    >
      {refused ? (
        <NotForYou />
      ) : (
        <Content of={providers} what="The model providers could not be read">
          {(found) =>
            chosen ? (
              <ProviderView
                key={chosen.id}
                provider={chosen}
                all={found}
                onRemoved={() => {
                  open(undefined);
                }}
              />
            ) : (
              <NoProviders of={found} busy={act.isPending} onAdd={add} />
            )
          }
        </Content>
      )}
      {data && (
        <Dialog
          title="Add a provider"
          help="It is not used until you set it up and choose a model."
          open={adding}
          onClose={() => {
            setAdding(false);
          }}
          actions={
            <Button
              onClick={() => {
                setAdding(false);
              }}
            >
              Cancel
            </Button>
          }
        >
          <Kinds of={data} busy={act.isPending} onAdd={add} />
        </Dialog>
      )}
    </SettingsPage>
  );
}
