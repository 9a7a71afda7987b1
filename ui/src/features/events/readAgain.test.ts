import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { EventPage, FilterValues } from './queries';
import { readAgain } from './readAgain';

test('an event that has come reads the list again, and the values to filter by only when the page is opened again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const asked: string[] = [];
  const shown = (document: unknown, name: string) => {
    const queryFn = () => Promise.resolve(asked.push(name));
    return new QueryObserver(client, { queryKey: ['graphql', document, {}], queryFn }).subscribe(() => undefined);
  };
  shown(EventPage, 'list');
  const closes = shown(FilterValues, 'values');
  await expect.poll(() => asked).toEqual(['list', 'values']);

  readAgain(client);
  await expect.poll(() => asked).toEqual(['list', 'values', 'list']);

  closes();
  shown(FilterValues, 'values');
  await expect.poll(() => asked).toEqual(['list', 'values', 'list', 'values']);
  client.clear();
});
