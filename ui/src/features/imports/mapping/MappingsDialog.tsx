import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { forgetMapping, mappingsKey, readMappings } from '@/api';
import type { ApiError, KeptMapping } from '@/api';
import { Button, Content, Dialog, toast } from '@/shared';
import { useReadOnly } from '../readOnly';
import { fieldName, words } from './words';

/** The saved mappings, which can be deleted. */
export function MappingsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const reason = useReadOnly();
  const kept = useQuery<KeptMapping[], ApiError>({
    queryKey: mappingsKey,
    queryFn: ({ signal }) => readMappings(signal),
    retry: false,
  });
  const forget = useMutation<unknown, ApiError, string>({
    mutationFn: forgetMapping,
    onSuccess: (_, name) => {
      toast({ tone: 'ok', text: words.forgotten(name) });
    },
    onError: (error) => {
      toast({ tone: 'bad', text: error.message });
    },
    onSettled: () => client.invalidateQueries({ queryKey: mappingsKey }),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.kept}
      help={words.keptHelp}
      actions={<Button onClick={onClose}>{words.close}</Button>}
    >
      <Content of={kept} what="The mappings could not be read">
        {(mappings) =>
          mappings.length === 0 ? (
            <p className="muted">{words.none}</p>
          ) : (
            <ul className="stack">
              {mappings.map((mapping) => (
                <li key={mapping.name} className="row start">
                  <div className="grow stack tight">
                    <p className="strong">{mapping.name}</p>
                    <p className="small">{described(mapping)}</p>
                    <p className="small muted">{words.columns(mapping.header.join(', '))}</p>
                  </div>
                  <Button
                    reason={reason}
                    disabled={forget.isPending}
                    aria-label={`${words.forget}: ${mapping.name}`}
                    onClick={() => {
                      forget.mutate(mapping.name);
                    }}
                  >
                    {words.forget}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Content>
    </Dialog>
  );
}

/** "Cost: Amount, Provider: always Hetzner". */
function described({ content }: KeptMapping): string {
  const columns = Object.entries(content.columns).map(([field, name]) => `${fieldName(field)}: ${name ?? ''}`);
  const values = Object.entries(content.values).map(([field, value]) => `${fieldName(field)}: always ${value ?? ''}`);
  const tags = content.tags.map((tag) => `Tag: ${tag}`);
  return [...columns, ...values, ...tags].join(', ');
}
