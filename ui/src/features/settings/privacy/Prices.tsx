import { Coins, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useGraphQL } from '@/api';
import { Button, DataTable, Dialog, Empty, Field, Form, Panel, Status, toast } from '@/shared';
import type { Column, Numeric } from '@/shared';
import { problemOfAmount } from './limits';
import { Models, useAct } from './queries';
import type { Price, PriceInput, Use } from './queries';

interface PricedModel {
  provider: string;
  model: string;
  name: string;
}

const none: PriceInput = { provider: '', model: '', input: '', output: '', cached_input: null, cache_creation: null };

/** Prices per million tokens. Models without a price count as tokens, not as money. */
export function Prices({
  account,
  prices,
  used,
  readOnly,
}: {
  account: string;
  prices: readonly Price[];
  used: readonly Use[];
  readOnly: string | undefined;
}) {
  const models = useGraphQL(Models, { account });
  const listed = (models.data?.ai_list_models?.data ?? {}) as {
    models?: { provider: string; provider_name?: string; model: string }[];
  };
  const known: PricedModel[] = (listed.models ?? []).map(({ provider, provider_name: title, model }) => ({
    provider,
    model,
    name: `${model}, ${title ?? provider}`,
  }));
  // Includes used models that are no longer set up.
  for (const { id, name } of used)
    if (id && !known.some(({ provider, model }) => provider === id && model === name))
      known.push({ provider: id, model: name, name: `${name}, ${id}` });
  const nameOf = (price: Price) =>
    known.find(({ provider, model }) => provider === price.provider && model === price.model)?.name ??
    `${price.model}, ${price.provider}`;
  const unpriced = known.filter(
    ({ provider, model }) => !prices.some((price) => price.provider === provider && price.model === model),
  );
  const [open, setOpen] = useState<PriceInput | null>(null);
  const act = useAct();
  const columns: Column<Price>[] = [
    {
      id: 'model',
      header: 'Model',
      value: nameOf,
      cell: (price) => (
        <span className="cut" title={nameOf(price)}>
          {nameOf(price)}
        </span>
      ),
    },
    amount('input', 'Input', (price) => price.input),
    amount('cached_input', 'Cache read', (price) => price.cached_input),
    amount('output', 'Output', (price) => price.output),
    {
      id: 'acts',
      header: 'Change or remove',
      hideHeader: true,
      sortable: false,
      csv: null,
      value: () => null,
      width: 84,
      cell: (price) => (
        <span className="row">
          <Button
            size="small"
            kind="quiet"
            iconOnly
            aria-label={`Change the prices of ${nameOf(price)}`}
            reason={readOnly}
            onClick={() => {
              setOpen({
                provider: price.provider,
                model: price.model,
                input: String(price.input),
                output: String(price.output),
                cached_input: price.cached_input === null ? null : String(price.cached_input),
                cache_creation: price.cache_creation === null ? null : String(price.cache_creation),
              });
            }}
          >
            <Pencil className="i s" />
          </Button>
          <Button
            size="small"
            kind="quiet"
            iconOnly
            aria-label={`Remove the prices of ${nameOf(price)}`}
            reason={readOnly}
            onClick={() => {
              act.mutate(
                { act: 'no price', id: price.id },
                {
                  onSuccess: () => {
                    toast({ tone: 'ok', text: `Removed the prices of ${price.model}` });
                  },
                  onError: (error) => {
                    toast({ tone: 'bad', text: error.message });
                  },
                },
              );
            }}
          >
            <Trash2 className="i s" />
          </Button>
        </span>
      ),
    },
  ];
  const add = (
    <Button
      size="small"
      reason={readOnly ?? (unpriced.length === 0 ? 'Every available model has a price' : undefined)}
      onClick={() => {
        const [first] = unpriced;
        if (first) setOpen({ ...none, provider: first.provider, model: first.model });
      }}
    >
      <Plus className="i s" />
      Add price
    </Button>
  );
  return (
    <Panel title="Prices" meta="Per million tokens" actions={add}>
      <DataTable
        label="Prices of models"
        columns={columns}
        rows={prices}
        rowId={(price) => price.id}
        rowHeight={34}
        empty={
          <Empty icon={Coins} title="No price yet">
            Use the price list of your provider. Without prices, tokens are counted and conversation limits apply, but
            cost limits have no effect. A model on this machine may cost 0.
          </Empty>
        }
      />
      {open && (
        <PriceDialog
          price={open}
          known={
            prices.some((price) => price.provider === open.provider && price.model === open.model) ? known : unpriced
          }
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </Panel>
  );
}

function amount(id: string, header: string, value: (price: Price) => Numeric | null): Column<Price> {
  return {
    id,
    header,
    kind: 'number',
    width: 140,
    value,
    cell: (price) => <span className="num">{value(price) === null ? '–' : String(value(price))}</span>,
  };
}

const fields = [
  { name: 'input', label: 'Input', isNeeded: true },
  { name: 'output', label: 'Output', isNeeded: true },
  { name: 'cached_input', label: 'Cache read', isNeeded: false },
  { name: 'cache_creation', label: 'Cache write', isNeeded: false },
] as const;

function PriceDialog({
  price,
  known,
  onClose,
}: {
  price: PriceInput;
  known: readonly PricedModel[];
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(price);
  const [tried, setTried] = useState(false);
  const act = useAct();
  const isNew = price.input === '';
  const problemOf = (name: (typeof fields)[number]['name'], isNeeded: boolean) => {
    const value = draft[name];
    if (value === null || value === '') return isNeeded ? 'Required: enter 0 if it is free' : undefined;
    return problemOfAmount(value);
  };
  const save = () => {
    setTried(true);
    if (fields.some(({ name, isNeeded }) => problemOf(name, isNeeded))) return;
    const optional = (value: string | null) => (value === '' ? null : value);
    act.mutate(
      {
        act: 'price',
        price: {
          ...draft,
          cached_input: optional(draft.cached_input),
          cache_creation: optional(draft.cache_creation),
        },
      },
      {
        onSuccess: () => {
          toast({ tone: 'ok', text: `Saved the prices of ${draft.model}` });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? 'Add price' : `Prices of ${price.model}`}
      help="Per million tokens, in the currency of the limits. They also apply to earlier requests."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="price" busy={act.isPending && 'Saving'}>
            Save
          </Button>
        </>
      }
    >
      <Form id="price" className="stack" onSubmit={save}>
        {isNew && (
          <Field label="Model">
            {(control) => (
              <select
                {...control}
                className="sel"
                value={`${draft.provider}\n${draft.model}`}
                onChange={(event) => {
                  const [provider = '', model = ''] = event.target.value.split('\n');
                  setDraft({ ...draft, provider, model });
                }}
              >
                {known.map(({ provider, model, name }) => (
                  <option key={`${provider} ${model}`} value={`${provider}\n${model}`}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        <div className="fields two">
          {fields.map(({ name, label, isNeeded }) => (
            <Field
              key={name}
              label={label}
              help={isNeeded ? undefined : 'If empty, as input'}
              error={tried ? problemOf(name, isNeeded) : undefined}
            >
              {(control) => (
                <input
                  {...control}
                  className="in num"
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={isNeeded ? '0.00' : 'As input'}
                  value={draft[name] ?? ''}
                  onChange={(event) => {
                    setDraft({ ...draft, [name]: event.target.value.trim() });
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        {act.error && (
          <div role="alert" className="refusal">
            <Status tone="bad">{act.error.message}</Status>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
