import { expect, test } from 'vitest';
import type { Proposal, ProposalRow } from './queries';
import { linesOf, requestOf } from './request';
import { commitmentsSearch } from './search';

test('an address names a commitment; what is broken in it is not asked for', () => {
  const search = { discount: 27.5, term: 36, upfront: 'half', service: 'EC2', currency: 'USD', hourly: '1.25' };
  expect(commitmentsSearch({ ...search, other: 1 })).toEqual({ ...search, discount: '27.5', term: '36' });
  const broken = commitmentsSearch({
    discount: '100',
    term: 13,
    upfront: 'some',
    service: 'EC2',
    hourly: '2',
    from: 'x',
  });
  expect(requestOf(broken, true)).toEqual({
    discount: null,
    term: 12,
    upfront: 0,
    service: null,
    currency: null,
    hourly: null,
  });
});

test('percent become a share, and the service is asked for when it is chosen', () => {
  const search = commitmentsSearch({ discount: '29', upfront: 'all', service: 'EC2', currency: 'USD', hourly: '3' });
  expect(requestOf(search, false)).toEqual({
    discount: 0.29,
    term: 12,
    upfront: 1,
    service: null,
    currency: null,
    hourly: null,
  });
  expect(requestOf(search, true)).toMatchObject({ service: 'EC2', currency: 'USD', hourly: '3' });
  expect(requestOf({}, true)).toMatchObject({ discount: null, upfront: 0, service: null });
});

test('an amount of ones own stands above the recommended one', () => {
  const row = (asked: Proposal | null) =>
    ({ currency: 'USD', service_name: 'EC2', family: null, days: 30, asked, recommended: null }) as ProposalRow;
  const own = { hourly: 2 } as unknown as Proposal;
  expect(linesOf([row(own), row(null)]).map(({ isOwn, proposal }) => [isOwn, proposal])).toEqual([
    [true, own],
    [false, null],
    [false, null],
  ]);
});
