import { Suspense, lazy } from 'react';
import { useGraphQL } from '@/api';
import { VirtualTags } from './queries';

const TagPanel = lazy(() => import('./TagPanel').then((found) => ({ default: found.TagPanel })));

/** The panel of the virtual tag with an id, or of a new one; nothing if the id is unknown. */
export function OpenTag({
  id,
  keys,
  ...props
}: {
  /** `new` for one that is being added. */
  id: string;
} & Omit<Parameters<typeof TagPanel>[0], 'tag' | 'position'>) {
  const tags = useGraphQL(VirtualTags, {}).data?.virtual_tag;
  const tag = tags?.find((one) => one.id === id);
  if (!tags || (!tag && id !== 'new')) return null;
  return (
    <Suspense>
      <TagPanel
        key={id === 'new' ? `new ${keys.join()}` : id}
        tag={tag}
        keys={keys}
        position={Math.max(0, ...tags.map(({ position }) => position)) + 1}
        {...props}
      />
    </Suspense>
  );
}
