import { Check, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Button, Toggle } from '@/shared';
import { host } from '@/host';

/** Copies and answers "Copied" for as long as the page shows it. */
export function CopyButton({
  text,
  label,
  words = 'Copy',
  iconOnly = false,
  size = 'small',
}: {
  text: string;
  label: string;
  words?: string;
  iconOnly?: boolean;
  size?: 'small' | 'default';
}) {
  const [copied, setCopied] = useState<string | null>(null);
  const done = copied === text;
  return (
    <Button
      size={size}
      kind={iconOnly ? 'quiet' : 'default'}
      iconOnly={iconOnly}
      aria-label={done ? `Copied ${label}` : `Copy ${label}`}
      onClick={() => {
        void host.copy(text).then(() => {
          setCopied(text);
        });
      }}
    >
      {done ? <Check className="i s" /> : <Copy className="i s" />}
      {!iconOnly && (done ? 'Copied' : words)}
    </Button>
  );
}

/** A value to carry elsewhere: label, full value wrapped rather than cut, copy button. */
export function CopyRow({ label, value, missing }: { label: string; value: string | null; missing?: string }) {
  return (
    <div className="cl">
      <span className="muted">{label}</span>
      {value ? <span className="mono">{value}</span> : <span className="small faint">{missing}</span>}
      {value ? <CopyButton text={value} label={label} iconOnly /> : <span />}
    </div>
  );
}

/** A switch with an explanation; `setting` is shown on the right in mono. */
export function Switch({
  label,
  setting,
  on,
  onChange,
  reason,
  children,
}: {
  label: string;
  setting?: string;
  on: boolean;
  onChange: (on: boolean) => void;
  /** Why it cannot be used. */
  reason?: string | undefined;
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <div className="opt" {...(setting ? { id: `setting-${setting}` } : {})}>
      <Toggle label={label} on={on} onChange={onChange} reason={reason} help={`${id}-help`} />
      <div className="t">
        <span aria-hidden="true">{label}</span>
        {setting && <span className="env">{setting}</span>}
      </div>
      <div className="help" id={`${id}-help`}>
        {reason && <span className="block">{reason}</span>}
        {children}
      </div>
    </div>
  );
}
