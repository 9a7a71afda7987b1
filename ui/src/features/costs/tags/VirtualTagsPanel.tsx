import { Plus } from 'lucide-react';
import { useGraphQL } from '@/api';
import { Button, Content, Panel, useCommands } from '@/shared';
import { Coverage, VirtualTags } from './queries';
import type { VirtualTag } from './queries';
import { TagTable } from './TagTable';
import { useTagActs } from './useTagActs';
import { words } from './words';

/** The virtual tags, and how much of the month's cost has each. */
export function VirtualTagsPanel({
  range,
  openId,
  onOpen,
  onAdd,
}: {
  range: { from: string; to: string };
  openId: string | null;
  onOpen: (tag: VirtualTag) => void;
  onAdd: () => void;
}) {
  const found = useGraphQL(VirtualTags, {});
  // Charges have the values a few seconds after a tag was changed.
  const coverage = useGraphQL(Coverage, range, { refetchInterval: 5000 }).data?.tag_coverage;
  const { reason } = useTagActs();
  useCommands(
    reason === undefined
      ? [{ id: 'virtual-tag-add', title: words.add, group: 'Do', keys: 'shift+t', icon: Plus, run: onAdd }]
      : [],
  );
  const addButton = (
    <Button size="small" reason={reason} onClick={onAdd}>
      <Plus className="i s" />
      {words.add}
    </Button>
  );
  const tags = found.data?.virtual_tag;
  return (
    <Panel title={words.title} actions={tags && tags.length > 0 ? addButton : undefined}>
      <p className="small muted padded">{words.help}</p>
      <Content of={{ ...found, data: tags }} what={words.failed} lines={3}>
        {(all) => (
          <TagTable
            tags={all}
            coverage={coverage?.virtual_tags ?? []}
            currency={coverage?.currency ?? null}
            openId={openId}
            onOpen={onOpen}
            action={addButton}
          />
        )}
      </Content>
    </Panel>
  );
}
