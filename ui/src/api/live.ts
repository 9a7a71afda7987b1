import { useEffect, useEffectEvent } from 'react';
import { originHere, serviceAddress } from '@/shared/place';
import { textOf } from './graphql';
import type { Document } from './graphql';

/** Until a connection that was cut is opened again, ms. */
const patience = 5_000;
const protocol = 'graphql-transport-ws';

interface SocketMessage {
  type: string;
  id?: string;
  payload?: unknown;
}

/**
 * Listens to a subscription while the page is seen, and answers what stops it. `onChange` is called when an answer differs from the one before, also from
 * one before the connection was cut: what changed meanwhile is told, too.
 */
export function listenTo(query: string, onChange: () => void): () => void {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known: string | undefined;

  const hangUp = () => {
    clearTimeout(timer);
    const open = socket;
    socket = null;
    open?.close(1000);
  };
  const call = () => {
    hangUp();
    if (document.visibilityState === 'hidden') return;
    const address = new URL(serviceAddress('/api/graphql'), originHere);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(address, protocol);
    socket = opened;
    const say = (message: SocketMessage) => {
      opened.send(JSON.stringify(message));
    };
    opened.onopen = () => {
      say({ type: 'connection_init' });
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      const said = JSON.parse(data) as SocketMessage;
      if (said.type === 'connection_ack') say({ type: 'subscribe', id: '1', payload: { query } });
      if (said.type === 'ping') say({ type: 'pong' });
      if (said.type !== 'next') return;
      const told = JSON.stringify(said.payload);
      const isNew = known !== undefined && known !== told;
      known = told;
      if (isNew) onChange();
    };
    opened.onclose = () => {
      if (socket !== opened) return;
      socket = null;
      timer = setTimeout(call, patience);
    };
  };
  call();
  document.addEventListener('visibilitychange', call);
  return () => {
    document.removeEventListener('visibilitychange', call);
    hangUp();
  };
}

/** Calls `onChange` whenever the result of a subscription changes, whoever changed it. The document has no variables. */
export function useLive<Result>(document: Document<Result, Record<string, never>>, onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  useEffect(() => listenTo(textOf(document), changed), [document]);
}
