import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenTo } from './live';

/** The sockets a page opened, and what it said on each. */
const sockets: Fake[] = [];

class Fake {
  said: { type: string; payload?: { query: string } }[] = [];
  isClosed = false;
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;
  constructor(
    readonly address: URL,
    readonly protocol: string,
  ) {
    sockets.push(this);
  }
  send(text: string) {
    this.said.push(JSON.parse(text) as Fake['said'][number]);
  }
  close() {
    this.isClosed = true;
    this.onclose();
  }
  hear(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  next(count: number) {
    this.hear({ type: 'next', id: '1', payload: { data: { count } } });
  }
}

beforeEach(() => {
  sockets.length = 0;
  vi.stubGlobal('WebSocket', Fake);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the first answer is known already, a different one is a change', () => {
  const changed = vi.fn();
  const stop = listenTo('subscription { count }', changed);
  const [socket] = sockets;
  expect(socket?.address.pathname).toBe('/api/graphql');
  expect(socket?.address.protocol).toBe('ws:');
  expect(socket?.protocol).toBe('graphql-transport-ws');
  socket?.onopen();
  socket?.hear({ type: 'connection_ack' });
  socket?.hear({ type: 'ping' });
  expect(socket?.said.map(({ type }) => type)).toEqual(['connection_init', 'subscribe', 'pong']);
  expect(socket?.said[1]?.payload?.query).toBe('subscription { count }');
  socket?.next(1);
  socket?.next(1);
  expect(changed).not.toHaveBeenCalled();
  socket?.next(2);
  expect(changed).toHaveBeenCalledTimes(1);
  stop();
  expect(socket?.isClosed).toBe(true);
  vi.runAllTimers();
  expect(sockets).toHaveLength(1);
});

test('a connection that is cut is opened again, and what changed meanwhile is told', () => {
  const changed = vi.fn();
  const stop = listenTo('subscription { count }', changed);
  sockets[0]?.next(1);
  sockets[0]?.onclose();
  vi.advanceTimersByTime(5_000);
  expect(sockets).toHaveLength(2);
  sockets[1]?.next(4);
  expect(changed).toHaveBeenCalledTimes(1);
  stop();
});
