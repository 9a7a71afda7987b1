import { graphql } from '@/api';
import type { ResultOf } from '@/api';
import type { Row } from './row';

/** Events around a time, of any account: two monitoring systems may report the same incident. */
export const EventsNear = graphql(`
  query EventsNear($at: timestamp!) {
    before: events(where: { starts_at: { _lte: $at } }, order_by: [{ starts_at: desc }, { id: asc }], limit: 80) {
      id
      title
      subject_name
      nb_status
      starts_at
      created_at
    }
    after: events(where: { starts_at: { _gt: $at } }, order_by: [{ starts_at: asc }, { id: asc }], limit: 40) {
      id
      title
      subject_name
      nb_status
      starts_at
      created_at
    }
  }
`);

/** Duplicates marked by people: the event itself, or others of it. */
export const EventDuplicates = graphql(`
  query EventDuplicates($id: uuid!) {
    event_classification(
      where: {
        classification: { _eq: "duplicate" }
        _or: [{ event_id: { _eq: $id } }, { linked_event_id: { _eq: $id } }]
      }
      order_by: [{ classified_at: asc }]
    ) {
      event_id
      linked_event_id
    }
  }
`);

/** Duplicates of some events, as marked by people. */
export const DuplicatesOf = graphql(`
  query DuplicatesOf($ids: [uuid!]) {
    event_classification(where: { classification: { _eq: "duplicate" }, linked_event_id: { _in: $ids } }) {
      event_id
      linked_event_id
    }
  }
`);

export const EventsNamed = graphql(`
  query EventsNamed($ids: [uuid!]) {
    events(where: { id: { _in: $ids } }, order_by: [{ starts_at: asc }, { id: asc }]) {
      id
      title
      status
      nb_status
      starts_at
      created_at
    }
  }
`);

type Near = ResultOf<typeof EventsNear>;
type Candidate = Near['before'][number];

/** Possible originals, with those of the same subject apart; the selected events are listed above them. */
export function candidates(near: Near, rows: readonly Row[]): { same: Candidate[]; others: Candidate[] } {
  const selected = new Set(rows.map(({ id }) => id));
  const subjects = new Set(rows.map(({ stored }) => stored.subject_name));
  const all = [...near.after.toReversed(), ...near.before].filter((one) => !selected.has(one.id) && isNoDuplicate(one));
  const isSame = ({ subject_name: subject }: Candidate) => subjects.has(subject);
  return { same: all.filter(isSame), others: all.filter((one) => !isSame(one)) };
}

export function isNoDuplicate({ nb_status: triage }: { nb_status: string | null }): boolean {
  return triage !== 'DUPLICATE';
}
