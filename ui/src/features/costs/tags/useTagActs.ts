import { request } from '@/api';
import { useUndoableActs } from '../useUndoableActs';
import type { Done } from '../useUndoableActs';
import { rowOf } from './draft';
import type { TagDraft } from './draft';
import { AddTag, ChangeTag, RemoveTag } from './queries';
import type { VirtualTag } from './queries';
import { words } from './words';

export type TagAct =
  | { kind: 'add'; draft: TagDraft; position: number }
  | { kind: 'change'; tag: VirtualTag; draft: TagDraft }
  | { kind: 'remove'; tag: VirtualTag };

/** Adds, changes and removes virtual tags; each action can be undone while its toast is shown. Returns the id of the resulting row. */
export function useTagActs() {
  return useUndoableActs<TagAct>({
    field: 'insert_virtual_tag_one',
    words,
    nameOf: (act) => (act.kind === 'remove' ? act.tag.name : act.draft.name.trim()),
    perform,
  });
}

async function perform(act: TagAct): Promise<Done> {
  if (act.kind === 'add') {
    const answer = await request(AddTag, { tag: { ...rowOf(act.draft), position: act.position } });
    const id = answer.insert_virtual_tag_one?.id ?? null;
    const back = () => (id === null ? Promise.resolve() : request(RemoveTag, { id }));
    return { id, back, text: words.done.added };
  }
  const { id, ...before } = act.tag;
  if (act.kind === 'change') {
    await request(ChangeTag, { id, tag: rowOf(act.draft) });
    return { id, back: () => request(ChangeTag, { id, tag: before }), text: words.done.changed };
  }
  await request(RemoveTag, { id });
  return { id: null, back: () => request(AddTag, { tag: { id, ...before } }), text: words.done.removed };
}
