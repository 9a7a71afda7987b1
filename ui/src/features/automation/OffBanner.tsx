import { Info, PowerOff } from 'lucide-react';
import { useGraphQL, useSampleReason } from '@/api';
import { AutomationStatus } from './queries';
import { texts } from './words';

/** Whether workflows are executed; assumed until the service has responded. */
export function useIsOn(): boolean {
  return useGraphQL(AutomationStatus, {}).data?.automation_get_status?.is_on ?? true;
}

/** Days that finished runs are stored; 0 means forever, also until the service has responded. */
export function useHistoryDays(): number {
  return useGraphQL(AutomationStatus, {}).data?.automation_get_status?.history_days ?? 0;
}

/** States that nothing runs: in the sample data, or while automation is off, with instructions to switch it on. */
export function OffBanner() {
  const isSample = useSampleReason() !== undefined;
  const status = useGraphQL(AutomationStatus, {}).data?.automation_get_status;
  if (isSample)
    return (
      <div className="note" role="status">
        <Info className="i" />
        <div className="grow">
          <div className="t">{texts.sample.title}</div>
          <div className="muted">{texts.sample.text}</div>
        </div>
      </div>
    );
  if (status?.is_on !== false) return null;
  return (
    <div className="note warn" role="status">
      <PowerOff className="i" />
      <div className="grow">
        <div className="t">{texts.off.title}</div>
        <div className="muted">{texts.off.text}</div>
      </div>
    </div>
  );
}
