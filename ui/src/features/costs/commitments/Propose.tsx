import { Info } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useGraphQL } from '@/api';
import { Button, Content, Field, Form, Panel } from '@/shared';
import { ProposalTable } from './ProposalTable';
import { Proposals } from './queries';
import type { ProposalRow } from './queries';
import { isAmount, isPercent, paymentIn, payments, requestOf, termIn, terms } from './request';
import type { UnpricedService } from './request';
import type { CommitmentsSearch } from './search';
import { UnpricedTable } from './UnpricedTable';
import { words } from './words';

const propose = words.propose;

/** Cost and saving of a commitment before it is bought. */
export function Propose({
  search,
  asOf,
  onChange,
}: {
  search: CommitmentsSearch;
  /** The last day with costs. */
  asOf: string;
  onChange: (to: Record<string, string | undefined>) => void;
}) {
  const all = useGraphQL(Proposals, { as_of: asOf, ...requestOf(search, false) });
  const one = useGraphQL(Proposals, { as_of: asOf, ...requestOf(search, true) });
  const found = search.service === undefined ? all : one;
  const discount = useRef<HTMLInputElement>(null);
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel title={propose.title}>
      <p className="small muted padded">{propose.help}</p>
      <Terms
        key={`${search.discount ?? ''} ${search.hourly ?? ''} ${search.service ?? ''}`}
        search={search}
        services={servicesOf(all.data)}
        onChange={(to) => {
          setAsked(false);
          onChange(to);
        }}
        discountField={discount}
        asksDiscount={isAsked}
      />
      <Content of={found} what={propose.failed} lines={6}>
        {({ spend_commitment_proposals: answer }) => (
          <>
            {answer && answer.messages.length > 0 && (
              <div className="stack proposal-notes">
                {answer.messages.map((message) => (
                  <div key={message} className="note" role="status">
                    <Info className="i" />
                    <div className="grow muted">{message}</div>
                  </div>
                ))}
              </div>
            )}
            <Answer
              rows={answer?.rows ?? []}
              onChoose={({ service, currency }) => {
                // The form remounts for another service and gets the focus.
                setAsked(true);
                discount.current?.focus();
                onChange({ service, currency, hourly: undefined });
              }}
            />
          </>
        )}
      </Content>
    </Panel>
  );
}

/** The proposals, followed by services that cannot be calculated. */
function Answer({ rows, onChoose }: { rows: readonly ProposalRow[]; onChoose: (service: UnpricedService) => void }) {
  const priced = rows.filter(({ discount }) => discount !== null);
  const isSome = priced.length < rows.length;
  return (
    <>
      {(priced.length > 0 || !isSome) && <ProposalTable rows={priced} />}
      {isSome && <UnpricedTable rows={rows} onChoose={onChoose} />}
    </>
  );
}

interface Service {
  service: string;
  currency: string;
}

/** The available choices: each service once per currency. */
function servicesOf(data: { spend_commitment_proposals: { rows: ProposalNames[] } | null } | undefined): Service[] {
  const names = new Map<string, Service>();
  for (const { service_name: service, currency } of data?.spend_commitment_proposals?.rows ?? [])
    if (service !== null && currency !== null) names.set(`${currency} ${service}`, { service, currency });
  return [...names.values()];
}

interface ProposalNames {
  service_name: string | null;
  currency: string | null;
}

/** The terms of an offer. The key remounts the fields when the address changes. */
function Terms({
  search,
  services,
  onChange,
  discountField,
  asksDiscount,
}: {
  search: CommitmentsSearch;
  services: readonly Service[];
  onChange: (to: Record<string, string | undefined>) => void;
  discountField: RefObject<HTMLInputElement | null>;
  /** Whether the user was just asked for the discount. */
  asksDiscount: boolean;
}) {
  const [discount, setDiscount] = useState(search.discount ?? '');
  const [hourly, setHourly] = useState(search.hourly ?? '');
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (asksDiscount) discountField.current?.focus();
  }, [asksDiscount, discountField]);
  const isDiscountWrong = discount.trim() !== '' && !isPercent(discount);
  const isHourlyWrong = hourly.trim() !== '' && !isAmount(hourly);
  const several = new Set(services.map(({ currency }) => currency)).size > 1;
  const chosen = services.findIndex(
    ({ service, currency }) => service === search.service && currency === search.currency,
  );
  const send = () => {
    setSent(true);
    if (isDiscountWrong || isHourlyWrong) return;
    onChange({ discount: discount.trim() || undefined, hourly: hourly.trim() || undefined });
  };
  return (
    <Form className="proposal-terms" onSubmit={send}>
      <Field label={propose.service}>
        {(control) => (
          <select
            {...control}
            className="sel"
            value={String(chosen)}
            onChange={(event) => {
              const next = services[Number(event.target.value)];
              onChange({ service: next?.service, currency: next?.currency, hourly: undefined });
            }}
          >
            <option value="-1">{propose.every}</option>
            {services.map(({ service, currency }, place) => (
              <option key={`${currency} ${service}`} value={String(place)}>
                {several ? `${service}, ${currency}` : service}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={propose.discount}
        help={propose.discountHelp}
        error={isSent && isDiscountWrong ? propose.discountWrong : undefined}
      >
        {(control) => (
          <input
            {...control}
            ref={discountField}
            className="in num"
            inputMode="decimal"
            autoComplete="off"
            placeholder={propose.asInBill}
            value={discount}
            onChange={(event) => {
              setDiscount(event.target.value);
            }}
          />
        )}
      </Field>
      <Choice
        label={propose.term}
        value={termIn(search)}
        options={terms}
        words={propose.terms}
        onChange={(term) => {
          onChange({ term });
        }}
      />
      <Choice
        label={propose.upfront}
        value={paymentIn(search)}
        options={payments}
        words={propose.payments}
        onChange={(upfront) => {
          onChange({ upfront });
        }}
      />
      {search.service !== undefined && search.currency !== undefined && (
        <Field
          label={propose.hourly(search.currency)}
          help={propose.hourlyHelp}
          error={isSent && isHourlyWrong ? propose.hourlyWrong : undefined}
        >
          {(control) => (
            <input
              {...control}
              className="in num"
              inputMode="decimal"
              autoComplete="off"
              value={hourly}
              onChange={(event) => {
                setHourly(event.target.value);
              }}
            />
          )}
        </Field>
      )}
      <Button type="submit">{propose.work}</Button>
    </Form>
  );
}

/** A field with one of few values. */
function Choice<T extends string>({
  label,
  value,
  options,
  words: texts,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly T[];
  words: Record<T, string>;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          className="sel"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {texts[option]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
