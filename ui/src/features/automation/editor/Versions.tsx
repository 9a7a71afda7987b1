import { useMemo, useState } from 'react';
import { listingRows, useGraphQL } from '@/api';
import type { Json } from '@/api';
import { Button, Content, Select, dateTime, useNow } from '@/shared';
import { Difference } from './Difference';
import { Saves } from './queries';
import { versionsOf } from './versions';
import { yamlOf } from './yamlOf';

/** Earlier versions with their differences from the current text; any of them can be restored. */
export function Versions({
  workflow,
  definition,
  reason,
  onTake,
}: {
  workflow: string;
  /** The current text. */
  definition: Json;
  reason: string | undefined;
  /** Restores a version, as YAML. */
  onTake: (definition: string) => void;
}) {
  const now = useNow();
  const query = useGraphQL(Saves, { target: JSON.stringify({ id: workflow }) });
  const versions = useMemo(() => query.data && versionsOf(listingRows(query.data.audits_v2)), [query.data]);
  const [chosen, setChosen] = useState<string>();
  const written = useMemo(() => (definition === null ? '' : yamlOf(definition)), [definition]);
  return (
    <Content of={{ ...query, data: versions }} what="Earlier versions could not be read" lines={6}>
      {(all) => {
        // The newest is the stored one, so the one before it is selected.
        const version = all.find((one) => one.id === chosen) ?? all[1] ?? all[0];
        if (!version) return <p className="muted">The audit trail has no earlier version of this workflow.</p>;
        return (
          <div className="stack">
            <div className="row">
              <Select
                label="Version"
                value={version.id}
                options={all.map((one, place) => ({
                  value: one.id,
                  label: `${String(all.length - place)}: ${dateTime(one.at, now)}${one.by === null ? '' : `, ${one.by}`}`,
                }))}
                onChange={setChosen}
              />
              <Button
                reason={reason ?? (version.yaml === written ? 'Same as the current text' : undefined)}
                onClick={() => {
                  onTake(version.yaml);
                }}
              >
                Use this version
              </Button>
            </div>
            <Difference
              before={version.yaml}
              after={written}
              same="This version is the same as the current text."
              label="Changes from this version to the current text"
            />
          </div>
        );
      }}
    </Content>
  );
}
